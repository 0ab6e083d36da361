import { readRecords } from "./record.ts";
import type { Record } from "./record.ts";
import { StoreFileError, damaged } from "./store-file-error.ts";

const FORMAT = 1;

/** What the first frame of a file says about it. */
export interface FileHeader {
  readonly kind: "log" | "snapshot";
  /** A snapshot holds everything that was written before the log of the same generation. */
  readonly generation: number;
  /** The newest revision when the file was begun. */
  readonly revision: number;
  /** For a log: the checksum of the last frame of the log before it. */
  readonly previous: number;
}

/** `00000012.log`. */
export function fileName({ kind, generation }: Pick<FileHeader, "kind" | "generation">): string {
  return `${String(generation).padStart(8, "0")}.${kind}`;
}

/** What a file name of the store says; undefined for files that are something else. */
export function parseFileName(name: string): Pick<FileHeader, "kind" | "generation"> | undefined {
  const match = /^(\d{8,15})\.(log|snapshot)$/.exec(name);
  if (match === null) return undefined;
  return { generation: Number(match[1]), kind: match[2] === "log" ? "log" : "snapshot" };
}

export function headerRecord(header: FileHeader): Record {
  return { kind: "header", json: JSON.stringify({ format: FORMAT, ...header }) };
}

/** Reads the first payload of a file. Throws when it is none of ours, or one that only a newer version understands. */
export function parseHeader(payload: Buffer | undefined, path: string): FileHeader {
  if (payload === undefined) throw damaged(path, 0, "it does not start like a file of the store");
  const first = readRecords(payload).next().value;
  if (first?.kind !== "header") throw damaged(path, 0, "it has no header");
  const header = JSON.parse(first.json) as FileHeader & { readonly format: number };
  if (header.format > FORMAT) {
    const what = `written by a newer version (format ${header.format}, this one reads up to ${FORMAT})`;
    throw new StoreFileError(path, undefined, what, "Start the newer version again, or use another directory");
  }
  const named = parseFileName(path.slice(path.lastIndexOf("/") + 1));
  if (named !== undefined && (named.generation !== header.generation || named.kind !== header.kind)) {
    throw damaged(path, 0, `it is ${fileName(header)} under another name`);
  }
  return header;
}
