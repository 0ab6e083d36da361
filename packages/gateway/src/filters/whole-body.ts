import type { Answer } from "../exchange/answer.ts";
import { collect } from "../exchange/bodies.ts";
import type { Source } from "../exchange/body.ts";
import { BodyTooLargeError } from "../exchange/limited-source.ts";
import { localAnswer } from "../exchange/local-answer.ts";

/**
 * A whole body for filters that have to see all of it; or the answer when it is too large or breaks off: 413 and 400 for what a client
 * sends, 502 for what a backend does.
 */
export async function wholeBody(source: Source, limit: number, of: "request" | "response"): Promise<Buffer | Answer> {
  let got;
  try {
    got = await collect(source, limit);
  } catch (error) {
    if (of === "response") return localAnswer(502, "body_failed", "the answer of the backend broke off");
    if (error instanceof BodyTooLargeError) return tooLarge();
    return localAnswer(400, "body_failed", "the body broke off");
  }
  if (got !== "too-large") return got.bytes;
  return of === "request"
    ? tooLarge()
    : localAnswer(502, "answer_too_large", "the answer of the backend is too large to be changed");
}

function tooLarge(): Answer {
  return localAnswer(413, "body_too_large", "the body is too large");
}
