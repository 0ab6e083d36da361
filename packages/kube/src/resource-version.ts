/**
 * Orders two resourceVersions of one kind: negative when `a` is older. They are decimal numbers of up to 128 bits, so they are
 * compared as texts, never as JavaScript numbers. Undefined when one of them is no such number, and nothing can be said.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!isOrdered(a) || !isOrdered(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isOrdered(version: string): boolean {
  return /^(?:0|[1-9][0-9]{0,38})$/.test(version);
}
