import { BodySyntaxError, getOwn, isObject, parseJson } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { MalformedReviewError } from "./malformed-review-error.ts";

/** What every review asks: its `request`, whose uid the answer repeats. */
export interface ReviewRequest {
  readonly uid: string;
  readonly request: JsonObject;
}

/** Reads the request of a review of this kind. Throws {@link MalformedReviewError}. */
export function readReview(body: Uint8Array, apiVersion: string, kind: string): ReviewRequest {
  let review: Json;
  try {
    review = parseJson(body).value;
  } catch (error) {
    throw error instanceof BodySyntaxError ? new MalformedReviewError(`the body is no JSON: ${error.message}`) : error;
  }
  if (!isObject(review) || getOwn(review, "apiVersion") !== apiVersion || getOwn(review, "kind") !== kind) {
    throw new MalformedReviewError(`the body is no ${kind} of ${apiVersion}`);
  }
  const request = getOwn(review, "request");
  const uid = isObject(request) ? getOwn(request, "uid") : undefined;
  if (!isObject(request) || typeof uid !== "string" || uid === "") {
    throw new MalformedReviewError(`the ${kind} has no request with a uid`);
  }
  return { uid, request };
}
