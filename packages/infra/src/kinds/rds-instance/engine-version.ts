/** Engines whose major version has two numbers: 8.0 and 8.4 of MySQL are two, 16.8 and 16.9 of PostgreSQL are one. */
const TWO_NUMBERS = /^(?:mysql|mariadb|db2)/;

/** The major version, within which AWS upgrades by itself: `16`, `8.0`. */
export function majorOf(engine: string, version: string): string {
  return partsOf(version)
    .slice(0, TWO_NUMBERS.test(engine.toLowerCase()) ? 2 : 1)
    .join(".");
}

/**
 * Which version is newer: above 0 when the first is. Part by part, numbers as numbers and the rest as text; of two that begin alike the
 * longer is the newer: `5.7.44-rds.20240808` is `5.7.44` and more.
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (const [i, part] of left.entries()) {
    const against = right[i];
    if (against === undefined) return 1;
    const order = compareParts(part, against);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** A number is older than a text, so that there is one order of all parts. */
function compareParts(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}

/** `15.00.4316.3.v1` is 15, 0, 4316, 3, v, 1. */
function partsOf(version: string): readonly (number | string)[] {
  return Array.from(version.matchAll(/\d+|[^\d.-]+/g), ([part]) => (/^\d/.test(part) ? Number(part) : part));
}
