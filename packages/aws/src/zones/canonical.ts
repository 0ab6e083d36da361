import type { RecordSet } from "./record-set.ts";

/** A name in the form that is compared: lower case, no dot at the end, escapes of what can be printed undone. */
export function canonicalName(name: string): string {
  const plain = name.replace(/\\(\d{3})/g, (escape, octal: string) => {
    const code = Number.parseInt(octal, 8);
    return code > 0x20 && code < 0x7f && code !== 0x2e && code !== 0x5c ? String.fromCharCode(code) : escape;
  });
  return plain.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, "");
}

/** What tells a set from all others of its zone. */
export function recordKey({ name, type, setIdentifier }: Pick<RecordSet, "name" | "type" | "setIdentifier">): string {
  return `${canonicalName(name)} ${type} ${setIdentifier ?? ""}`;
}

/** All that a set says, as one text: two sets are the same exactly when these are equal. Values in any order. */
export function fingerprint(record: RecordSet): string {
  const { alias } = record;
  return JSON.stringify([
    recordKey(record),
    alias ? null : (record.ttl ?? null),
    (record.values ?? []).map((value) => canonicalValue(record.type, value)).toSorted(),
    alias ? [canonicalName(alias.dnsName), alias.zoneId, alias.evaluateTargetHealth] : null,
    record.weight ?? null,
    record.failover ?? null,
    record.healthCheckId ?? null,
  ]);
}

/** Whether two sets say the same, however they are written. */
export function sameRecord(a: RecordSet, b: RecordSet): boolean {
  return a.foreign === undefined && b.foreign === undefined && fingerprint(a) === fingerprint(b);
}

/** A value as it is compared. Texts keep their case; names and addresses do not. */
function canonicalValue(type: string, value: string): string {
  switch (type) {
    case "CNAME":
    case "NS":
    case "PTR":
      return canonicalName(value);
    case "TXT":
    case "SPF":
      return characterStrings(value);
    case "AAAA":
      return value.toLowerCase();
    default:
      return value;
  }
}

/** Texts of a TXT value, whether they were quoted or not: `a "b c"` is two. */
function characterStrings(value: string): string {
  const strings = value.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/g) ?? [];
  return JSON.stringify(
    strings.map((each) => (each.startsWith('"') ? each.slice(1, -1).replace(/\\(["\\])/g, "$1") : each)),
  );
}
