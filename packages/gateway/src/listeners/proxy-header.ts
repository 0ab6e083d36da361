import { isIPv4, isIPv6 } from "node:net";
import { plainAddress } from "./address-ranges.ts";

/** Who connects, as a proxy says. */
export interface ProxiedSource {
  readonly address: string;
  readonly port: number;
}

/** What the first bytes of a connection from a proxy are so far. */
export type ProxyHeader =
  | { readonly kind: "more" }
  | { readonly kind: "bad"; readonly reason: string }
  /** `source` undefined: the proxy speaks for itself, as in its own checks. */
  | { readonly kind: "whole"; readonly length: number; readonly source: ProxiedSource | undefined };

const V1_START = Buffer.from("PROXY ");
/** The longest line that version 1 allows. */
const V1_MAX = 107;
const V2_SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
const V2_HEAD = 16;
/** What follows the head of version 2 at most: addresses, and details that are skipped. */
const V2_MAX = 2048;
const V1_LINE =
  /^PROXY (?:(TCP4|TCP6) ([0-9a-fA-F.:]+) ([0-9a-fA-F.:]+) (\d{1,5}) (\d{1,5})|UNKNOWN(?: [\x20-\x7e]*)?)$/u;
const MORE = { kind: "more" } as const;

/** Reads a PROXY header of version 1 or 2 at the start of a connection. Strict and bounded; details of version 2 are skipped. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsLike(bytes, V2_SIGNATURE)) return bytes.length < V2_HEAD ? MORE : readBinary(bytes);
  if (startsLike(bytes, V1_START)) return readLine(bytes);
  return bad("there is no PROXY header");
}

function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_MAX).indexOf("\r\n");
  if (end === -1) return bytes.length < V1_MAX ? MORE : bad("the PROXY line is too long");
  const line = V1_LINE.exec(bytes.toString("latin1", 0, end));
  if (line === null) return bad("the PROXY line is malformed");
  const [, family, from = "", to = "", fromPort = "", toPort = ""] = line;
  if (family === undefined) return { kind: "whole", length: end + 2, source: undefined };
  const isAddress = family === "TCP4" ? isIPv4 : isIPv6;
  if (!isAddress(from) || !isAddress(to) || !isPort(fromPort) || !isPort(toPort))
    return bad("the PROXY line has no proper addresses");
  return { kind: "whole", length: end + 2, source: { address: plainAddress(from), port: Number(fromPort) } };
}

function readBinary(bytes: Buffer): ProxyHeader {
  const version = bytes[12] ?? 0;
  const family = bytes[13] ?? 0;
  const rest = bytes.readUInt16BE(14);
  if (version >> 4 !== 2 || (version & 0x0f) > 1) return bad("the PROXY header has an unknown version or command");
  if (rest > V2_MAX) return bad("the PROXY header is too long");
  const length = V2_HEAD + rest;
  if (bytes.length < length) return MORE;
  if ((version & 0x0f) === 0) return { kind: "whole", length, source: undefined };
  switch (family) {
    case 0x11:
      return rest < 12 ? bad("the PROXY header is too short") : whole(length, ipv4At(bytes), bytes.readUInt16BE(24));
    case 0x21:
      return rest < 36 ? bad("the PROXY header is too short") : whole(length, ipv6At(bytes), bytes.readUInt16BE(48));
    default:
      return bad("the PROXY header is not about TCP");
  }
}

function whole(length: number, address: string, port: number): ProxyHeader {
  return { kind: "whole", length, source: { address: plainAddress(address), port } };
}

function ipv4At(bytes: Buffer): string {
  return [...bytes.subarray(V2_HEAD, V2_HEAD + 4)].join(".");
}

function ipv6At(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(V2_HEAD + at * 2).toString(16));
  const mapped = groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff";
  if (mapped) return [...bytes.subarray(V2_HEAD + 12, V2_HEAD + 16)].join(".");
  // The URL parser knows the short form, which is what logs and limits compare.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function startsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
}

function isPort(text: string): boolean {
  return Number(text) <= 65_535 && (text === "0" || !text.startsWith("0"));
}

function bad(reason: string): ProxyHeader {
  return { kind: "bad", reason };
}
