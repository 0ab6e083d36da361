import { nameOfLabels } from "./domain-name.ts";
import type { DomainName } from "./domain-name.ts";

/** What a query says of extensions (RFC 6891). */
export interface Extensions {
  /** The largest datagram that the client takes. */
  readonly size: number;
  readonly version: number;
}

/** What came in: a question to answer, one to refuse with a code, or nothing to react to. */
export type Query =
  | { readonly kind: "drop" }
  | { readonly kind: "refuse"; readonly id: number; readonly flags: number; readonly code: number }
  | {
      readonly kind: "question";
      readonly id: number;
      readonly flags: number;
      /** The question as it came, capital letters and all. */
      readonly question: Uint8Array;
      readonly name: DomainName;
      readonly type: number;
      readonly class: number;
      readonly extensions: Extensions | undefined;
    };

/** Codes of answers. */
export const CODE = {
  ok: 0,
  malformed: 1,
  failure: 2,
  noName: 3,
  notImplemented: 4,
  refused: 5,
  badVersion: 16,
} as const;

const HEADER = 12;
const OPT = 41;
const LONGEST_NAME = 255;

/**
 * Reads a message from the network. Reads each byte at most once and follows no pointers, so that no message costs more than its
 * length. Never throws.
 */
export function readQuery(bytes: Uint8Array): Query {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Answers are never answered: two servers would talk forever.
  if (bytes.length < HEADER || (view.getUint16(2) & 0x8000) !== 0) return { kind: "drop" };
  const id = view.getUint16(0);
  const flags = view.getUint16(2);
  const refuse = (code: number): Query => ({ kind: "refuse", id, flags, code });
  if (((flags >> 11) & 0xf) !== 0) return refuse(CODE.notImplemented);
  if (view.getUint16(4) !== 1 || view.getUint16(6) !== 0) return refuse(CODE.malformed);

  const asked = readName(bytes, HEADER);
  if (!asked || asked.end + 4 > bytes.length) return refuse(CODE.malformed);
  const end = asked.end + 4;
  const rest = readRest(bytes, view, end, view.getUint16(8), view.getUint16(10));
  if (rest === "malformed") return refuse(CODE.malformed);
  return {
    kind: "question",
    id,
    flags,
    question: bytes.slice(HEADER, end),
    name: asked.name,
    type: view.getUint16(asked.end),
    class: view.getUint16(asked.end + 2),
    extensions: rest,
  };
}

/** The name of a question: it stands first in the message, so there is nothing that it could point at. */
function readName(bytes: Uint8Array, start: number): { readonly name: DomainName; readonly end: number } | undefined {
  const labels: Uint8Array[] = [];
  let at = start;
  for (;;) {
    const length = bytes[at];
    if (length === undefined || length > 63 || at + 1 + length - start > LONGEST_NAME) return undefined;
    if (length === 0) return { name: nameOfLabels(labels), end: at + 1 };
    if (at + 1 + length > bytes.length) return undefined;
    labels.push(bytes.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
}

/** Passes over the records after the question in search of the extensions. */
function readRest(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  authorities: number,
  additionals: number,
): Extensions | undefined | "malformed" {
  let at = start;
  let found: Extensions | undefined;
  for (let index = 0; index < authorities + additionals; index++) {
    const body = skipName(bytes, at);
    if (body === undefined || body + 10 > bytes.length) return "malformed";
    if (view.getUint16(body) === OPT) {
      if (found || index < authorities || body !== at + 1) return "malformed";
      found = { size: view.getUint16(body + 2), version: view.getUint8(body + 5) };
    }
    at = body + 10 + view.getUint16(body + 8);
    if (at > bytes.length) return "malformed";
  }
  return at === bytes.length ? found : "malformed";
}

/** Where a name ends that may end in a pointer. */
function skipName(bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) return undefined;
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    if (length > 63) return undefined;
    at += 1 + length;
  }
}
