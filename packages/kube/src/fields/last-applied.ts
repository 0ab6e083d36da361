import { deepClone } from "../json/clone.ts";
import { getPath, isObject } from "../json/json.ts";
import type { JsonObject } from "../json/json.ts";
import { parseJson } from "../json/strict-parse.ts";
import type { KubeObject } from "../object.ts";
import type { ObjectType } from "../type-node.ts";
import { applyErrors } from "./apply-errors.ts";
import { canonicalJson } from "./canonical-json.ts";
import { compare } from "./compare.ts";
import { difference, emptySet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";

/** Where `kubectl apply` without --server-side keeps what it applied. */
const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

/** The server helps this manager, and no other, to take over from client-side apply. */
export const KUBECTL = "kubectl";

/** What all annotations of an object may weigh. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Fields that client-side apply set and that still have its values: kubectl may take them from whoever owns them. */
export function fieldsOfLastApplied(live: KubeObject, apiVersion: string, type: ObjectType): FieldSet {
  const text = getPath(live, "metadata", "annotations", ANNOTATION);
  if (typeof text !== "string" || text === "") return emptySet;
  const last = parseObject(text);
  if (last === undefined || last["apiVersion"] !== apiVersion || applyErrors(last, type).length > 0) return emptySet;
  const { added, modified, removed } = compare(last, live, type);
  return difference(difference(difference(fieldsOf(last, type), modified), added), removed);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const { value } = parseJson(new TextEncoder().encode(text));
    return isObject(value) ? value : undefined;
  } catch {
    // A user may have written anything here; it is then as if it were not there.
    return undefined;
  }
}

/** Keeps the annotation in step with what kubectl applies on the server's side, where an object has it. */
export function syncLastApplied(object: KubeObject, applied: KubeObject): KubeObject {
  const annotations = object.metadata?.annotations;
  if (!isObject(annotations) || !Object.hasOwn(annotations, ANNOTATION) || annotations[ANNOTATION] === "")
    return object;
  const kept = deepClone(applied as JsonObject) as KubeObject;
  if (isObject(kept.metadata?.annotations)) delete kept.metadata.annotations[ANNOTATION];
  const synced = { ...annotations, [ANNOTATION]: `${canonicalJson(kept)}\n` };
  const bytes = Object.entries(synced).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > MAX_ANNOTATION_BYTES) delete (synced as Record<string, string>)[ANNOTATION];
  return { ...object, metadata: { ...object.metadata, annotations: synced } };
}
