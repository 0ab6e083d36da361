import { getOwn, isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { badRequest } from "../status.ts";
import { withoutNulls } from "./without-nulls.ts";

/**
 * Applies a JSON merge patch (RFC 7396) to an object. As in kube-apiserver a patch that is an array becomes the document,
 * and any other value is refused with 400. Neither argument is changed; the result shares what the patch left alone.
 */
export function applyMergePatch(document: JsonObject, patch: Json): Json {
  if (Array.isArray(patch)) return withoutNulls(patch);
  if (!isObject(patch)) throw badRequest("Invalid JSON Patch");
  return mergeObject(document, patch);
}

function mergeObject(document: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...document };
  for (const key of Object.keys(patch)) {
    const wanted = patch[key]!;
    if (wanted === null) {
      delete result[key];
      continue;
    }
    const current = getOwn(document, key);
    if (!isObject(current)) setOwn(result, key, withoutNulls(wanted));
    else setOwn(result, key, isObject(wanted) ? mergeObject(current, wanted) : wanted);
  }
  return result;
}
