import { deepFreeze, getOwn, isObject, quote } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, JsonObject } from "@gatewright/kube";
import { MalformedReviewError } from "../malformed-review-error.ts";
import type { ReviewRequest } from "../read-review.ts";
import { convertObject } from "./convert-object.ts";
import type { HubConversion } from "./hub-conversion.ts";

export const CONVERSION_VERSION = "apiextensions.k8s.io/v1";

/** A ConversionReview's answer, and the fault that kept objects from being converted. */
export interface ConversionOutcome {
  readonly review: JsonObject;
  readonly fault: unknown;
}

/** Converts all objects of a review, or none: one that cannot be converted is told by name, and why. */
export function conversionResponse(conversion: HubConversion, { uid, request }: ReviewRequest): ConversionOutcome {
  const [desired, objects] = [getOwn(request, "desiredAPIVersion"), getOwn(request, "objects")];
  if (typeof desired !== "string" || !Array.isArray(objects)) {
    throw new MalformedReviewError("the request has no desiredAPIVersion, or no objects");
  }
  const converted: Json[] = [];
  for (const object of objects) {
    if (!isApiObject(object)) throw new MalformedReviewError("what should be an object to convert is none");
    try {
      converted.push(
        convertObject(conversion, deepFreeze(object) as unknown as Immutable<ApiObject>, desired) as unknown as Json,
      );
    } catch (fault) {
      return { review: answer(uid, { result: failure(object, desired, fault) }), fault };
    }
  }
  return { review: answer(uid, { convertedObjects: converted, result: { status: "Success" } }), fault: undefined };
}

function isApiObject(value: Json): value is JsonObject {
  if (!isObject(value) || !isObject(getOwn(value, "metadata"))) return false;
  return typeof getOwn(value, "apiVersion") === "string" && typeof getOwn(value, "kind") === "string";
}

function answer(uid: string, response: JsonObject): JsonObject {
  return { apiVersion: CONVERSION_VERSION, kind: "ConversionReview", response: { uid, ...response } };
}

function failure(object: JsonObject, desired: string, fault: unknown): JsonObject {
  const { metadata } = object as unknown as ApiObject;
  const who = [metadata.namespace, metadata.name].filter((part) => part !== undefined && part !== "").join("/");
  const why = fault instanceof Error ? fault.message : String(fault);
  return { status: "Failure", message: `${quote(who)} cannot be converted to ${desired}: ${why}` };
}
