import { formatIP, isIPv4Mapped, parseIP } from "../../ip-address.ts";
import type { IPAddress } from "../../ip-address.ts";
import { fn, method } from "../function.ts";
import type { Library } from "../function.ts";
import { CelError, noSuchOverload } from "../value.ts";
import type { CelOpaque } from "../value.ts";

class Address implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName = "net.IP";
  readonly ip: IPAddress;

  constructor(ip: IPAddress) {
    this.ip = ip;
  }

  get costSize(): number {
    return this.ip.bytes.length;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Address && this.toString() === other.toString();
  }

  toString(): string {
    return formatIP(this.ip);
  }
}

/** A network: an address, whose host bits may be set, and how many of its bits are the prefix. */
class Network implements CelOpaque {
  readonly kind = "opaque";
  readonly typeName = "net.CIDR";
  readonly ip: IPAddress;
  readonly bits: number;

  constructor(ip: IPAddress, bits: number) {
    this.ip = ip;
    this.bits = bits;
  }

  get costSize(): number {
    return Math.ceil(this.bits / 8);
  }

  equals(other: CelOpaque): boolean {
    return other instanceof Network && this.toString() === other.toString();
  }

  toString(): string {
    return `${formatIP(this.ip)}/${this.bits}`;
  }

  contains(ip: IPAddress): boolean {
    return ip.family === this.ip.family && samePrefix(ip.bytes, this.ip.bytes, this.bits);
  }

  masked(): Network {
    const bytes = this.ip.bytes.map((byte, i) => byte & ~(0xff >> Math.min(8, Math.max(0, this.bits - 8 * i))));
    return new Network({ family: this.ip.family, bytes }, this.bits);
  }
}

function samePrefix(a: readonly number[], b: readonly number[], bits: number): boolean {
  for (let i = 0; i * 8 < bits; i++) {
    const mask = 0xff & ~(0xff >> Math.min(8, bits - 8 * i));
    if ((a[i]! & mask) !== (b[i]! & mask)) return false;
  }
  return true;
}

function parseAddress(text: string): Address {
  const zone = text.includes(":") ? text.indexOf("%") : -1;
  const ip = parseIP(zone < 0 ? text : text.slice(0, zone));
  if (ip === undefined || zone === text.length - 1) {
    throw new CelError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): ${addressProblem(text)}`,
    );
  }
  if (zone >= 0) throw new CelError(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  if (isIPv4Mapped(ip)) throw new CelError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return new Address(ip);
}

/** Why a text is no address, in the words of the reference implementation for what people get wrong most. */
function addressProblem(text: string): string {
  if (!/[.:]/.test(text)) return "unable to parse IP";
  if (text.includes(":")) return "invalid IPv6 address";
  const parts = text.split(".");
  if (parts.some((part) => !/^[0-9]*$/.test(part))) return "unexpected character";
  if (parts.some((part) => part === "")) return "IPv4 field must have at least one digit";
  if (parts.some((part) => part.length > 1 && part.startsWith("0"))) return "IPv4 field has octet with leading zero";
  if (parts.some((part) => Number(part) > 255)) return "IPv4 field has value >255";
  return parts.length < 4 ? "IPv4 address too short" : "IPv4 address too long";
}

function parseNetwork(text: string): Network {
  const fail = (reason: string): CelError =>
    new CelError(
      `network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(${JSON.stringify(text)}): ${reason}`,
    );
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw fail("no '/'");
  const ip = parseIP(text.slice(0, slash));
  if (ip === undefined)
    throw fail(`ParseAddr(${JSON.stringify(text.slice(0, slash))}): ${addressProblem(text.slice(0, slash))}`);
  const length = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(length)) throw fail(`bad bits after slash: ${JSON.stringify(length)}`);
  if (Number(length) > ip.bytes.length * 8) throw fail("prefix length out of range");
  if (isIPv4Mapped(ip))
    throw new CelError(
      `network address parse error during conversion from string: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`,
    );
  return new Network(ip, Number(length));
}

function parses(parse: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      parse(text);
      return true;
    } catch (error) {
      if (error instanceof CelError) return false;
      throw error;
    }
  };
}

const isAddress = parses(parseAddress);
const isNetwork = parses(parseNetwork);

function refuse(): never {
  throw noSuchOverload();
}

const isUnspecified = ({ ip }: Address): boolean => ip.bytes.every((byte) => byte === 0);
const isLoopback = ({ ip }: Address): boolean =>
  ip.family === 4 ? ip.bytes[0] === 127 : ip.bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
const isMulticast = ({ ip }: Address): boolean =>
  ip.family === 4 ? (ip.bytes[0]! & 0xf0) === 0xe0 : ip.bytes[0] === 0xff;
const isLinkLocalMulticast = ({ ip }: Address): boolean =>
  ip.family === 4 ? samePrefix(ip.bytes, [224, 0, 0], 24) : ip.bytes[0] === 0xff && (ip.bytes[1]! & 0x0f) === 0x02;
const isLinkLocalUnicast = ({ ip }: Address): boolean =>
  ip.family === 4 ? samePrefix(ip.bytes, [169, 254], 16) : samePrefix(ip.bytes, [0xfe, 0x80], 10);
const isBroadcast = ({ ip }: Address): boolean => ip.family === 4 && ip.bytes.every((byte) => byte === 255);
const isGlobalUnicast = (address: Address): boolean =>
  ![isUnspecified, isBroadcast, isLoopback, isMulticast, isLinkLocalUnicast].some((is) => is(address));

const containsNetwork = (outer: Network, inner: Network): boolean =>
  outer.bits <= inner.bits && outer.contains(inner.ip);

/** IP addresses and networks. */
export const addresses: Library = [
  [
    "ip",
    [
      fn("string_to_ip", "string -> net.IP", parseAddress),
      method("cidr_ip", "net.CIDR -> net.IP", (network: Network) => new Address(network.ip)),
    ],
  ],
  ["isIP", [fn("is_ip", "string -> bool", isAddress)]],
  [
    "ip.isCanonical",
    [fn("ip_is_canonical", "string -> bool", (text: string) => parseAddress(text).toString() === text)],
  ],
  ["family", [method("ip_family", "net.IP -> int", (address: Address) => BigInt(address.ip.family))]],
  ["isUnspecified", [method("ip_is_unspecified", "net.IP -> bool", isUnspecified)]],
  ["isLoopback", [method("ip_is_loopback", "net.IP -> bool", isLoopback)]],
  ["isLinkLocalMulticast", [method("ip_is_link_local_multicast", "net.IP -> bool", isLinkLocalMulticast)]],
  ["isLinkLocalUnicast", [method("ip_is_link_local_unicast", "net.IP -> bool", isLinkLocalUnicast)]],
  ["isGlobalUnicast", [method("ip_is_global_unicast", "net.IP -> bool", isGlobalUnicast)]],
  ["cidr", [fn("string_to_cidr", "string -> net.CIDR", parseNetwork)]],
  ["isCIDR", [fn("is_cidr", "string -> bool", isNetwork)]],
  [
    "containsIP",
    [
      method("cidr_contains_ip_string", "net.CIDR, string -> bool", (network: Network, text: string) =>
        isAddress(text) ? network.contains(parseAddress(text).ip) : refuse(),
      ),
      method("cidr_contains_ip_ip", "net.CIDR, net.IP -> bool", (network: Network, address: Address) =>
        network.contains(address.ip),
      ),
    ],
  ],
  [
    "containsCIDR",
    [
      method("cidr_contains_cidr_string", "net.CIDR, string -> bool", (network: Network, text: string) =>
        isNetwork(text) ? containsNetwork(network, parseNetwork(text)) : refuse(),
      ),
      method("cidr_contains_cidr", "net.CIDR, net.CIDR -> bool", containsNetwork),
    ],
  ],
  ["prefixLength", [method("cidr_prefix_length", "net.CIDR -> int", (network: Network) => BigInt(network.bits))]],
  ["masked", [method("cidr_masked", "net.CIDR -> net.CIDR", (network: Network) => network.masked())]],
  ["string", [fn("ip_to_string", "net.IP -> string", String), fn("cidr_to_string", "net.CIDR -> string", String)]],
];
