import {
  StatusError,
  aggregateText,
  deepClone,
  deepEqual,
  formatFieldError,
  getOwn,
  isObject,
  validateAnnotations,
  validateLabels,
} from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { uuid } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import type { WebhookCaller } from "../admission/webhooks/webhook-client.ts";
import { struct, text, texts } from "../resources/object-fields.ts";
import { goType } from "./go-type.ts";

const TIMEOUT_MS = 30_000;

/** Brings objects to an apiVersion other than their own, same count, same order. */
export type Converter = (objects: readonly KubeObject[], apiVersion: string) => Promise<KubeObject[]> | KubeObject[];

/** `None`: the versions differ in nothing but their name. */
export const renamingConverter: Converter = (objects, apiVersion) =>
  objects.map((object) => ({ ...deepClone(object), apiVersion }));

/** `Webhook`: someone else knows how the versions differ. All objects go in one call. */
export function webhookConverter(webhook: JsonObject, call: WebhookCaller, random: Random): Converter {
  const config = struct(webhook, "clientConfig") ?? {};
  const reviewVersion = texts(webhook, "conversionReviewVersions").find((v) => v === "v1" || v === "v1beta1") ?? "v1";
  return async (objects, apiVersion) => {
    const [first] = objects;
    if (!first) return [];
    const subject = `conversion webhook for ${first.apiVersion}, Kind=${first.kind}`;
    const uid = uuid(random);
    const review: JsonObject = {
      kind: "ConversionReview",
      apiVersion: `apiextensions.k8s.io/${reviewVersion}`,
      request: { uid, desiredAPIVersion: apiVersion, objects: [...objects] },
    };
    let converted: readonly Json[];
    try {
      converted = convertedObjects(await call(config, review, { timeoutMs: TIMEOUT_MS }), reviewVersion, uid);
    } catch (error) {
      throw failure(`${subject} failed: ${error instanceof Error ? error.message : String(error)}`, error);
    }
    if (converted.length !== objects.length) {
      throw failure(`${subject} returned ${converted.length} objects, expected ${objects.length}`);
    }
    return objects.map((original, i) => {
      try {
        return accept(original, converted[i], apiVersion);
      } catch (error) {
        if (!(error instanceof Unacceptable)) throw error;
        throw failure(`${subject} returned ${told(error, objects.length === 1, i)}`, error);
      }
    });
  };
}

/** Why a converted object is not taken: it is not the same kind of thing, not the same object, or its metadata is wrong. */
class Unacceptable extends Error {
  readonly stage: "type" | "identity" | "metadata";
  constructor(stage: Unacceptable["stage"], message: string) {
    super(message);
    this.stage = stage;
  }
}

/** An object that was converted by itself is told in other words than one of several. */
function told({ stage, message }: Unacceptable, alone: boolean, index: number): string {
  if (stage === "metadata") return `invalid metadata${alone ? "" : ` in object at index ${index}`}: ${message}`;
  if (!alone) return `invalid converted object at index ${index}: ${message}`;
  return stage === "type" ? `invalid object at index 0: ${message}` : `invalid object: ${message}`;
}

function failure(message: string, cause?: unknown): StatusError {
  return new StatusError({ code: 500, message, cause });
}

function convertedObjects(answer: Json, reviewVersion: string, uid: string): readonly Json[] {
  if (!isObject(answer)) throw new Error("no response provided");
  const response = struct(answer, "response");
  if (reviewVersion === "v1") {
    const [seen, wanted] = [text(answer, "apiVersion"), "apiextensions.k8s.io/v1"];
    if (seen !== wanted || text(answer, "kind") !== "ConversionReview") {
      throw new Error(
        `expected webhook response of ${wanted}, Kind=ConversionReview, got ${seen}, Kind=${text(answer, "kind")}`,
      );
    }
  }
  if (!response) throw new Error("no response provided");
  const answered = text(response, "uid");
  if (reviewVersion === "v1" && answered !== uid) throw new Error(`expected response.uid="${uid}", got "${answered}"`);
  const result = struct(response, "result");
  if (text(result, "status") !== "Success") {
    throw new Error(text(result, "message") || `response.result.status was '${text(result, "status")}', not 'Success'`);
  }
  const objects = response["convertedObjects"];
  return Array.isArray(objects) ? objects : [];
}

/** Takes a converted object, after seeing that it is still the same one. Of its metadata only labels and annotations count. */
function accept(original: KubeObject, converted: Json | undefined, apiVersion: string): KubeObject {
  if (!isObject(converted)) throw new Unacceptable("type", "missing object");
  const seen = text(converted, "apiVersion");
  if (seen !== apiVersion) {
    throw new Unacceptable("type", `invalid groupVersion (expected ${apiVersion}, received ${seen})`);
  }
  const kind = text(converted, "kind");
  if (kind !== original.kind)
    throw new Unacceptable("type", `invalid kind (expected ${original.kind}, received ${kind})`);
  const metadata = struct(converted, "metadata") ?? {};
  for (const [field, name] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const [expected, actual] = [original.metadata[field] ?? "", text(metadata, field)];
    if (expected !== actual) throw new Unacceptable("identity", `must have the same ${name}: ${expected} != ${actual}`);
  }
  const restored = deepClone(original.metadata as JsonObject);
  for (const field of ["labels", "annotations"] as const) {
    const map = getOwn(metadata, field);
    if (map === undefined || map === null) delete restored[field];
    else restored[field] = checkedMap(map, restored[field], field);
  }
  return { ...converted, apiVersion, kind, metadata: restored };
}

function checkedMap(map: Json, original: Json | undefined, field: "labels" | "annotations"): JsonObject {
  const refuse = (why: string): Unacceptable => new Unacceptable("metadata", why);
  if (!isObject(map)) throw refuse(`invalid metadata.${field} of type ${goType(map)} in converted object`);
  for (const [key, value] of Object.entries(map)) {
    if (typeof value === "string") continue;
    throw refuse(`metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`);
  }
  if (deepEqual(map, original)) return map;
  const strings = map as Record<string, string>;
  const errors =
    field === "labels"
      ? validateLabels(strings, "metadata.labels")
      : validateAnnotations(strings, "metadata.annotation");
  if (errors.length > 0) throw refuse(aggregateText(errors.map(formatFieldError)));
  return map;
}
