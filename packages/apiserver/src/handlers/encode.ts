import { StatusError } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { Representation } from "./negotiate.ts";

export const JSON_TYPE = "application/json";
const NEWLINE = Buffer.from("\n");

/** An answer with a body that is already encoded JSON. */
export function jsonBytes(status: number, bytes: Buffer): ApiResponse {
  return { status, headers: { "content-type": JSON_TYPE }, body: [bytes, NEWLINE] };
}

/** As Kubernetes writes YAML: keys in order, lists not indented, strings quoted where YAML 1.1 would misread them. */
const YAML_STYLE = {
  aliasDuplicateObjects: false,
  indentSeq: false,
  lineWidth: 0,
  sortMapEntries: true,
  version: "1.1",
} as const;

/** An answer in the media type that was negotiated. */
export async function encoded(status: number, value: Json, representation?: Representation): Promise<ApiResponse> {
  if (representation?.media === "yaml") {
    const { stringify } = await import("yaml");
    const text = stringify(value, YAML_STYLE);
    return { status, headers: { "content-type": "application/yaml" }, body: Buffer.from(text) };
  }
  const text = representation?.pretty === true ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
  return { status, headers: { "content-type": JSON_TYPE }, body: Buffer.from(text) };
}

export function plainText(status: number, text: string): ApiResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: Buffer.from(text) };
}

/** What the real server says of a resource that a built-in group does not have. */
export function unknownResource(): StatusError {
  const message = "the server could not find the requested resource";
  return new StatusError({ code: 404, reason: "NotFound", message, details: {} });
}

/** What the real server says of a path that nothing serves. It is not a Status. */
export function pageNotFound(): ApiResponse {
  return plainText(404, "404 page not found\n");
}

/** The order in which Kubernetes writes metadata. */
const METADATA_ORDER = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
] as const;

/**
 * A copy of the object with kind, apiVersion and metadata first, and with metadata in Kubernetes' order. Lists of built-in
 * kinds leave out the first two, which {@link typePrefix} relies on.
 */
export function inWireOrder(object: KubeObject, resourceVersion = object.metadata.resourceVersion): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  const given: JsonObject = { ...metadata, ...(resourceVersion !== undefined && { resourceVersion }) };
  const ordered: JsonObject = {};
  for (const field of METADATA_ORDER) if (Object.hasOwn(given, field)) ordered[field] = given[field]!;
  return { kind, apiVersion, metadata: { ...ordered, ...given }, ...rest } as KubeObject;
}

/** The bytes with which every stored object of a kind begins. */
export function typePrefix(kind: string, apiVersion: string): Buffer {
  return Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
}

/** A built-in object as it stands in a list: without kind and apiVersion. */
export function asListItem(object: KubeObject): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return rest;
}
