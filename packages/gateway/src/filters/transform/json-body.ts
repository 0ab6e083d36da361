import { BodySyntaxError } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import type { Source } from "../../exchange/body.ts";
import type { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import { decodedBody } from "../decoded-body.ts";
import { wholeBody } from "../whole-body.ts";
import { parseJsonText } from "./json-text.ts";

/** How much a body may hold that is changed here, packed or not. */
export const MAX_CHANGED_BODY = 4 * 1024 * 1024;

/** Fields that speak about the bytes as they were. */
const ABOUT_BYTES: readonly string[] = [
  "accept-ranges",
  "content-digest",
  "content-encoding",
  "content-length",
  "content-md5",
  "digest",
  "repr-digest",
];

/** Whether fields say that the body is JSON. */
export function saysJson(fields: Fields): boolean {
  const type = fields.get("content-type");
  return type !== undefined && /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
}

/** A body that was read: what it holds, or the bytes when they are no JSON. */
export type ReadBody = { readonly json: Json } | { readonly bytes: Buffer; readonly broken: string };

/**
 * Reads a whole body of JSON, unpacked. An answer when that cannot be done: 413, 400 or 415 to clients, 502 for backends. What is not
 * JSON although it says so comes back as it is, unpacked.
 */
export async function readJson(
  source: Source,
  fields: Fields,
  of: "request" | "response",
): Promise<ReadBody | { readonly answer: Answer }> {
  const packed = await wholeBody(source, MAX_CHANGED_BODY, of);
  if (!Buffer.isBuffer(packed)) return { answer: packed };
  const bytes = await decodedBody(packed, fields.all("content-encoding"), MAX_CHANGED_BODY);
  if (!Buffer.isBuffer(bytes)) return { answer: undecodable(bytes, of) };
  try {
    return { json: parseJsonText(bytes) };
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    return { bytes, broken: error.message };
  }
}

/** A changed body, and fields that no longer say anything about the bytes as they were. */
export function changedBody(bytes: Buffer, fields: Fields): Source {
  for (const name of ABOUT_BYTES) fields.remove(name);
  const tag = fields.get("etag");
  if (tag?.startsWith('"') === true) fields.set("etag", `W/${tag}`);
  return bytesSource(bytes);
}

function undecodable(why: "unknown" | "broken" | "too-large", of: "request" | "response"): Answer {
  if (of === "response") return localAnswer(502, "answer_unreadable", "the answer of the backend cannot be read");
  if (why === "too-large") return localAnswer(413, "body_too_large", "the body is too large");
  if (why === "unknown") return localAnswer(415, "unsupported_encoding", "the encoding of the body is not supported");
  return localAnswer(400, "bad_body", "the body is not encoded as it says");
}
