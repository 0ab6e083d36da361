import { BlockList, isIP } from "node:net";
import { invalid } from "@gatewright/kube";
import type { FieldError, FieldPath } from "@gatewright/kube";

const LEADING_ZERO = /(^|\.)0\d/;
const MAPPED = /^::ffff:/i;

/** Whether a text is an IP address, were it not for zeros in front of its numbers. */
function isSloppyIP(value: string): boolean {
  return isIP(value.replaceAll(/(^|[.])0+(?=\d)/g, "$1")) !== 0 && !value.includes("%");
}

/** Why a text is not an IP address. Those that are stored already may stay. */
export function ipErrors(value: string, path: FieldPath, stored: readonly string[] = []): FieldError[] {
  if (stored.includes(value)) return [];
  if (!isSloppyIP(value)) {
    return [invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
  }
  if (LEADING_ZERO.test(value) && !value.includes(":")) return [invalid(path, value, "must not have leading 0s")];
  return MAPPED.test(value) ? [invalid(path, value, "must not be an IPv4-mapped IPv6 address")] : [];
}

/** Why a text is not a network in CIDR form. */
export function cidrErrors(value: string, path: FieldPath, stored: readonly string[] = []): FieldError[] {
  if (stored.includes(value)) return [];
  const [address = "", length = "", ...rest] = value.split("/");
  const family = isIP(address);
  const bits = family === 4 ? 32 : 128;
  if (rest.length > 0 || !isSloppyIP(address) || !/^\d{1,3}$/.test(length) || Number(length) > bits) {
    return [invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
  }
  if (family === 0 || /^0\d/.test(length))
    return [invalid(path, value, "must not have leading 0s in IP or prefix length")];
  if (MAPPED.test(address)) return [invalid(path, value, "must not have an IPv4-mapped IPv6 address")];
  if ((addressBits(address) & ((1n << BigInt(bits - Number(length))) - 1n)) !== 0n) {
    return [invalid(path, value, "must not have bits set beyond the prefix length")];
  }
  return [];
}

/** The value of an IP address as a number. Expects a valid one. */
export function addressBits(address: string): bigint {
  if (isIP(address) === 4) return address.split(".").reduce((sum, part) => (sum << 8n) | BigInt(Number(part)), 0n);
  const [head = "", tail] = address.split("::");
  const groups = (text: string): bigint[] =>
    text === ""
      ? []
      : text.split(":").flatMap((group) => {
          if (!group.includes(".")) return [BigInt(`0x${group}`)];
          const quad = addressBits(group);
          return [quad >> 16n, quad & 0xffffn];
        });
  const [left, right] = [groups(head), groups(tail ?? "")];
  const middle = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => 0n);
  return [...left, ...middle, ...right].reduce((sum, group) => (sum << 16n) | group, 0n);
}

function network(...nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of nets) list.addSubnet(address, prefix, address.includes(":") ? "ipv6" : "ipv4");
  return list;
}

const UNUSABLE: readonly (readonly [BlockList, string])[] = [
  [network(["127.0.0.0", 8], ["::1", 128]), "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
  [network(["169.254.0.0", 16], ["fe80::", 10]), "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
  [
    network(["224.0.0.0", 24], ["ff02::", 16]),
    "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  ],
];

/** Why an address cannot be that of an endpoint. */
export function endpointIPErrors(address: string, path: FieldPath): FieldError[] {
  const version = isIP(address);
  if (version === 0) return [invalid(path, address, "must be a valid IP address")];
  if (addressBits(address) === 0n) return [invalid(path, address, `may not be unspecified (${address})`)];
  const family = version === 6 ? "ipv6" : "ipv4";
  return UNUSABLE.filter(([nets]) => nets.check(address, family)).map(([, why]) => invalid(path, address, why));
}
