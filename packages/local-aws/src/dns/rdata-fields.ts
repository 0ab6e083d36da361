import type { DomainName, NameProblem } from "./domain-name.ts";

/** The data of a record as it goes into a message: bytes, and names that may or may not be shortened by pointers. */
export type Rdata = readonly (Uint8Array | { readonly name: DomainName; readonly shorten: boolean })[];

/** Why a value is not one of its type. */
export interface RdataProblem {
  readonly problem: string;
  readonly says: string;
  readonly at: string;
}

const NAME_PROBLEMS: Readonly<Record<NameProblem["problem"], string>> = {
  DomainNameEmpty: "Domain name is empty",
  DomainNameTooLong: "Domain name is too long",
  DomainLabelEmpty: "Domain label is empty",
  DomainLabelTooLong: "Domain label is too long",
  UnsupportedCharacter: "Value contains unsupported characters",
};

/** Whether reading failed. */
export function isProblem(read: Rdata | RdataProblem): read is RdataProblem {
  return "problem" in read;
}

/** What is wrong with a name, in words. */
export function nameProblem({ problem, at }: NameProblem): RdataProblem {
  return { problem, says: NAME_PROBLEMS[problem], at };
}

/** A number of so many bytes, most significant first; undefined when the text is none or too large. */
export function numberBytes(field: string | undefined, bytes: number): Uint8Array | undefined {
  if (field === undefined || !/^\d{1,10}$/.test(field)) return undefined;
  const value = Number(field);
  if (value >= 2 ** (8 * bytes)) return undefined;
  return Uint8Array.from({ length: bytes }, (_, at) => Math.floor(value / 2 ** (8 * (bytes - 1 - at))) % 256);
}

/** The 16 bytes of an address that `isIPv6` accepts and that has no zone. */
export function ipv6Bytes(address: string): Uint8Array {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = dotted ? `${dotted[1]}${pair(dotted[2], dotted[3])}:${pair(dotted[4], dotted[5])}` : address;
  const [head = "", tail] = plain.split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return Uint8Array.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}

function pair(high: string | undefined, low: string | undefined): string {
  return (Number(high) * 256 + Number(low)).toString(16);
}
