import { quote } from "./quote.ts";

/** An address as its bytes: 4 or 16 of them. An IPv4 address inside an IPv6 one stays IPv6 here. */
export interface IPAddress {
  readonly family: 4 | 6;
  readonly bytes: readonly number[];
}

/** Reads an address, without zone. `leadingZeros` lets IPv4 parts be written as `010`, meaning ten, as old clients did. */
export function parseIP(text: string, leadingZeros = false): IPAddress | undefined {
  if (!text.includes(":")) {
    const bytes = parseIPv4(text, leadingZeros);
    return bytes && { family: 4, bytes };
  }
  const bytes = parseIPv6(text, leadingZeros);
  return bytes && { family: 6, bytes };
}

function parseIPv4(text: string, leadingZeros: boolean): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const pattern = leadingZeros ? /^0*[0-9]{1,3}$/ : /^(?:0|[1-9][0-9]{0,2})$/;
  if (!parts.every((part) => pattern.test(part) && Number(part) <= 255)) return undefined;
  return parts.map(Number);
}

function parseIPv6(text: string, leadingZeros: boolean): number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => parseGroups(half, index === halves.length - 1, leadingZeros));
  if (!head) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  if (!tail || head.length + tail.length > 14) return undefined;
  return [...head, ...Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function parseGroups(text: string, last: boolean, leadingZeros: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (last && index === groups.length - 1 && group.includes(".")) {
      const v4 = parseIPv4(group, leadingZeros);
      if (!v4) return undefined;
      bytes.push(...v4);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}

export function isIPv4Mapped({ family, bytes }: IPAddress): boolean {
  return family === 6 && bytes.slice(0, 10).every((b) => b === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

/** The one canonical text of an address (RFC 5952): lower case, the longest run of zeros shortened. */
export function formatIP(address: IPAddress): string {
  const { family, bytes } = address;
  if (family === 4) return bytes.join(".");
  if (isIPv4Mapped(address)) return `::ffff:${bytes.slice(12).join(".")}`;
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!);
  let [best, length] = [-1, 1];
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > length) [best, length] = [i, end - i];
  }
  const hex = groups.map((group) => group.toString(16));
  return best < 0 ? hex.join(":") : `${hex.slice(0, best).join(":")}::${hex.slice(best + length).join(":")}`;
}

/** What is wrong with an address in a field that takes any notation of it. */
export function isIP(value: string): string[] {
  const address = parseIP(value, true);
  if (!address) return ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"];
  if (!parseIP(value)) return ["must not have leading 0s"];
  return isIPv4Mapped(address) ? ["must not be an IPv4-mapped IPv6 address"] : [];
}

/** As {@link isIP}, for newer fields, which take the canonical notation only. */
export function isCanonicalIP(value: string): string[] {
  const errors = isIP(value);
  if (errors.length > 0) return errors;
  const canonical = formatIP(parseIP(value)!);
  return canonical === value ? [] : [`must be in canonical form (${quote(canonical)})`];
}

/** What is wrong with a network (`10.9.8.0/24`) in a field that takes any notation of it. */
export function isCIDR(value: string): string[] {
  const [, ip = "", prefix = ""] = /^([^/]*)\/(0*[0-9]{1,3})$/.exec(value) ?? [];
  const address = parseIP(ip, true);
  const bits = Number(prefix);
  if (!address || bits > address.bytes.length * 8) {
    return ["must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"];
  }
  if (!parseIP(ip) || (prefix.length > 1 && prefix.startsWith("0"))) {
    return ["must not have leading 0s in IP or prefix length"];
  }
  if (isIPv4Mapped(address)) return ["must not have an IPv4-mapped IPv6 address"];
  const stray = address.bytes.some((byte, i) => (byte & (0xff >> Math.min(8, Math.max(0, bits - 8 * i)))) !== 0);
  return stray ? ["must not have bits set beyond the prefix length"] : [];
}
