import type { Entry } from "./store.ts";

/**
 * Encodes a value as one version of it. Bytes are allocated to measure: a slice of Node's shared pool would keep 8 KB
 * alive for as long as the value lives.
 */
export function encodeEntry(key: string, revision: number, value: unknown, labels: Entry["labels"]): Entry {
  const text = JSON.stringify(value);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { key, revision, bytes, labels: ownLabels(labels) };
}

/** A copy of bytes that keeps nothing else alive. */
export function ownBytes(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

/** A copy of a string that keeps nothing else alive: a slice of a request's body would keep the whole body. */
export function ownString(text: string): string {
  return Buffer.from(text).toString();
}

function ownLabels(labels: Readonly<Record<string, string>> | undefined): Entry["labels"] {
  return labels === undefined ? undefined : labelsFromJson(JSON.stringify(labels));
}

/** Labels from their JSON; an empty set is the same as none. */
export function labelsFromJson(json: string): Entry["labels"] {
  return json === "{}" || json === "" ? undefined : Object.freeze(JSON.parse(json) as Record<string, string>);
}
