import { lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { parseIP } from "@gatewright/kube";

/** Why nothing is sent to an address, or undefined when it may be. Loopback and private addresses may. */
export function refusedAddress(address: string): string | undefined {
  const parsed = parseIP(address.split("%", 1)[0] ?? "");
  if (parsed === undefined) return "not an address";
  return parsed.family === 4 ? refusedIPv4(parsed.bytes) : refusedIPv6(parsed.bytes);
}

/** Like `refusedAddress`, for a host that may be a name: names are judged when they are resolved. */
export function refusedHost(host: string): string | undefined {
  return isIP(host) === 0 ? undefined : refusedAddress(host);
}

/**
 * Resolves names for connections and gives only addresses that may be dialled: what is checked is what is connected to, so a name
 * that changes its mind in between gains nothing.
 */
export function guardedLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, "", 0);
        return;
      }
      const all = typeof found === "string" ? [{ address: found, family: isIP(found) }] : found;
      const allowed = all.filter(({ address }) => refusedAddress(address) === undefined);
      const [first] = allowed;
      if (first === undefined) callback(new RefusedAddressError(hostname), "", 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** A name stands for addresses that nothing is sent to: link-local, metadata services, unspecified, multicast. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
  readonly code = "EADDRREFUSED";

  constructor(host: string) {
    super(`${host} stands for an address that the gateway's settings do not allow`);
  }
}

function refusedIPv4(bytes: readonly number[]): string | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (a === 0) return "unspecified";
  if (a === 169 && b === 254) return "link-local";
  if (a === 100 && b === 100 && c === 100 && d === 200) return "a metadata service";
  if (a >= 224) return a < 240 ? "multicast" : "reserved";
  return undefined;
}

const EC2_METADATA = [0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54];
/** Prefixes whose last or next four bytes are an IPv4 address that packets end up at. */
const EMBEDDING = [
  { prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], at: 12 },
  { prefix: [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], at: 12 },
  { prefix: [0x20, 0x02], at: 2 },
];

function refusedIPv6(bytes: readonly number[]): string | undefined {
  if (bytes.every((byte) => byte === 0)) return "unspecified";
  if (bytes[0] === 0xff) return "multicast";
  if (bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80) return "link-local";
  if (EC2_METADATA.every((byte, at) => byte === bytes[at])) return "a metadata service";
  const embedding = EMBEDDING.find(({ prefix }) => prefix.every((byte, at) => byte === bytes[at]));
  if (embedding !== undefined) return refusedIPv4(bytes.slice(embedding.at, embedding.at + 4));
  // `::a.b.c.d`, the old compatible form; `::1` is loopback.
  if (bytes.slice(0, 12).every((byte) => byte === 0) && bytes[12] !== 0) return refusedIPv4(bytes.slice(12));
  return undefined;
}
