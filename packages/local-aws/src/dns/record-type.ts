/** The types that zones can have, with their numbers in messages. */
const CODES: ReadonlyMap<string, number> = new Map([
  ["A", 1],
  ["NS", 2],
  ["CNAME", 5],
  ["SOA", 6],
  ["PTR", 12],
  ["MX", 15],
  ["TXT", 16],
  ["AAAA", 28],
  ["SRV", 33],
  ["NAPTR", 35],
  ["DS", 43],
  ["SSHFP", 44],
  ["TLSA", 52],
  ["SVCB", 64],
  ["HTTPS", 65],
  ["SPF", 99],
  ["CAA", 257],
]);

const NAMES: ReadonlyMap<number, string> = new Map([...CODES].map(([name, code]) => [code, name]));

/** Every type of records, as the API names them. */
export const RECORD_TYPES: readonly string[] = [...CODES.keys()];

/** The number of a type in messages; undefined for one that zones cannot have. */
export function typeCode(type: string): number | undefined {
  return CODES.get(type);
}

/** The name of a type; numbers that zones cannot have are written `TYPE123`. */
export function typeName(code: number): string {
  return NAMES.get(code) ?? `TYPE${code}`;
}
