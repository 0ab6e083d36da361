import { isIPv4, isIPv6 } from "node:net";
import { characterStrings } from "./character-strings.ts";
import { parseDomainName } from "./domain-name.ts";
import { ipv6Bytes, isProblem, nameProblem, numberBytes } from "./rdata-fields.ts";
import type { Rdata, RdataProblem } from "./rdata-fields.ts";
import { serviceBinding } from "./service-binding.ts";

type Reader = (value: string) => Rdata | RdataProblem;

const LONGEST_VALUE = 4000;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["A", ipv4],
  ["AAAA", ipv6],
  ["NS", (value) => target(value, true)],
  ["CNAME", (value) => target(value, true)],
  ["PTR", (value) => target(value, true)],
  ["SOA", startOfAuthority],
  ["MX", (value) => numbersAndName("MX", "two", value, 1, true)],
  ["SRV", (value) => numbersAndName("SRV", "four", value, 3, false)],
  ["TXT", text],
  ["SPF", text],
  ["CAA", certificationAuthority],
  ["NAPTR", namingAuthority],
  ["DS", (value) => digest("DS", value, [2, 1, 1])],
  ["TLSA", (value) => digest("TLSA", value, [1, 1, 1])],
  ["SSHFP", (value) => digest("SSHFP", value, [1, 1])],
  ["SVCB", (value) => serviceBinding("SVCB", value)],
  ["HTTPS", (value) => serviceBinding("HTTPS", value)],
]);

/** Reads the value of a record as Route 53 writes it. The type must be one that zones can have. */
export function readRdata(type: string, value: string): Rdata | RdataProblem {
  const reader = READERS.get(type);
  if (!reader) return { problem: "UnsupportedType", says: "Type is not supported", at: type };
  if (value.length > LONGEST_VALUE)
    return { problem: "ValueTooLong", says: "Value is too long", at: value.slice(0, 255) };
  return reader(value);
}

function ipv4(value: string): Rdata | RdataProblem {
  if (!isIPv4(value)) {
    return { problem: "ARRDATAIllegalIPv4Address", says: "Value is not a valid IPv4 address", at: value };
  }
  return [Uint8Array.from(value.split("."), Number)];
}

function ipv6(value: string): Rdata | RdataProblem {
  if (!isIPv6(value) || value.includes("%")) {
    return { problem: "AAAARRDATAIllegalIPv6Address", says: "Value is not a valid IPv6 address", at: value };
  }
  return [ipv6Bytes(value)];
}

function target(value: string, shorten: boolean): Rdata | RdataProblem {
  const name = parseDomainName(value);
  return typeof name === "string" ? [{ name, shorten }] : nameProblem(name);
}

function fieldsOf(value: string): string[] {
  return value.trim().split(/[ \t]+/);
}

/** Sixteen-bit numbers and then a name: MX, SRV. */
function numbersAndName(
  type: string,
  word: string,
  value: string,
  numbers: number,
  shorten: boolean,
): Rdata | RdataProblem {
  const fields = fieldsOf(value);
  if (fields.length !== numbers + 1) {
    return {
      problem: `${type}RRDATANot${word[0]?.toUpperCase()}${word.slice(1)}Fields`,
      says: `Value is not ${word} fields`,
      at: value,
    };
  }
  const read: Uint8Array[] = [];
  for (const field of fields.slice(0, numbers)) {
    const bytes = numberBytes(field, 2);
    if (!bytes)
      return { problem: `${type}RRDATAIllegalNumber`, says: "Value is not a number from 0 to 65535", at: field };
    read.push(bytes);
  }
  const name = target(fields[numbers] ?? "", shorten);
  return isProblem(name) ? name : [...read, ...name];
}

function startOfAuthority(value: string): Rdata | RdataProblem {
  const fields = fieldsOf(value);
  if (fields.length !== 7) {
    return { problem: "SOARRDATANotSevenFields", says: "Value is not seven fields", at: value };
  }
  const server = target(fields[0] ?? "", true);
  if (isProblem(server)) return server;
  const mailbox = target(fields[1] ?? "", true);
  if (isProblem(mailbox)) return mailbox;
  const numbers: Uint8Array[] = [];
  for (const field of fields.slice(2)) {
    const bytes = numberBytes(field, 4);
    if (!bytes) return { problem: "SOARRDATAIllegalNumber", says: "Value is not a 32-bit number", at: field };
    numbers.push(bytes);
  }
  return [...server, ...mailbox, ...numbers];
}

function text(value: string): Rdata | RdataProblem {
  const strings = characterStrings(value);
  return "problem" in strings ? strings : strings.flatMap((bytes) => [Uint8Array.of(bytes.length), bytes]);
}

function certificationAuthority(value: string): Rdata | RdataProblem {
  const match = /^(\d+)[ \t]+([a-zA-Z0-9]{1,255})[ \t]+(".*")$/.exec(value.trim());
  const flags = numberBytes(match?.[1], 1);
  const strings = characterStrings(match?.[3] ?? "");
  if (!match || !flags || "problem" in strings || strings.length !== 1) {
    return { problem: "CAARRDATANotThreeFields", says: 'Value is not flags, tag and "value"', at: value };
  }
  const tag = Buffer.from(match[2] ?? "", "latin1");
  return [flags, Uint8Array.of(tag.length), tag, strings[0] ?? new Uint8Array()];
}

function namingAuthority(value: string): Rdata | RdataProblem {
  const match = /^(\d+)[ \t]+(\d+)[ \t]+(".*")[ \t]+(\S+)$/.exec(value.trim());
  const order = numberBytes(match?.[1], 2);
  const preference = numberBytes(match?.[2], 2);
  const strings = characterStrings(match?.[3] ?? "");
  if (!match || !order || !preference || "problem" in strings || strings.length !== 3) {
    return { problem: "NAPTRRRDATANotSixFields", says: "Value is not six fields", at: value };
  }
  const replacement = target(match[4] ?? "", false);
  if (isProblem(replacement)) return replacement;
  return [order, preference, ...strings.flatMap((bytes) => [Uint8Array.of(bytes.length), bytes]), ...replacement];
}

/** Small numbers and then bytes in hexadecimal: DS, TLSA, SSHFP. */
function digest(type: string, value: string, widths: readonly number[]): Rdata | RdataProblem {
  const fields = fieldsOf(value);
  const numbers = widths.map((width, at) => numberBytes(fields[at], width));
  const hex = fields.slice(widths.length).join("");
  const known = numbers.filter((bytes) => bytes !== undefined);
  if (known.length !== widths.length || !/^([0-9a-fA-F]{2})+$/.test(hex)) {
    return { problem: `${type}RRDATAIllegal`, says: "Value is not numbers and then bytes in hexadecimal", at: value };
  }
  return [...known, Buffer.from(hex, "hex")];
}
