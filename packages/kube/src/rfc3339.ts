const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * An RFC 3339 text as the milliseconds of its second since the Unix epoch and the digits after it; undefined when it is none.
 * A day that the month does not have, an hour of 24 and a leap second are no times. Offsets go as far as Go lets them.
 */
export function parseRfc3339(text: string): { readonly ms: number; readonly fraction: string } | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const part = (group: number): number => Number(match[group] ?? 0);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  const [offsetHours, offsetMinutes] = [part(9), part(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 24 || offsetMinutes > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(part(1), month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return { ms: date.getTime() + (match[8] === "-" ? offset : -offset), fraction: match[7] ?? "" };
}
