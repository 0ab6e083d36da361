import { getPath, isObject, setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

const FORMATS: ReadonlyMap<string, string> = new Map([
  ["json", "application/json"],
  ["xml", "application/xml"],
  ["yaml", "application/yaml"],
]);

/**
 * Brings the shapes that AVAPIGW's own configuration has in three places to those of the kinds, in place: boot files and routes that
 * its operator made from an Ingress have them. What is there in both shapes stays as the kind has it.
 */
export function fromOlderShapes(spec: JsonObject): void {
  for (const side of ["request", "response"]) encodingOf(spec, side);
  const request = getPath(spec, "transform", "request");
  if (isObject(request)) move(request, "bodyTemplate", "template");
  const response = getPath(spec, "transform", "response");
  if (isObject(response) && Array.isArray(response["fieldMappings"])) {
    response["fieldMappings"] = mappingsOf(response["fieldMappings"]);
  }
}

function encodingOf(spec: JsonObject, side: string): void {
  const encoding = spec["encoding"];
  if (!isObject(encoding)) return;
  const name = encoding[`${side}Encoding`];
  if (typeof name !== "string") return;
  delete encoding[`${side}Encoding`];
  if (name !== "" && encoding[side] === undefined) encoding[side] = { contentType: FORMATS.get(name) ?? name };
}

function move(object: JsonObject, from: string, to: string): void {
  const value = object[from];
  if (value === undefined) return;
  delete object[from];
  if (object[to] === undefined) object[to] = value;
}

function mappingsOf(list: readonly Json[]): JsonObject {
  const mappings: JsonObject = {};
  for (const item of list) {
    const [source, target] = [getPath(item, "source"), getPath(item, "target")];
    if (typeof source === "string" && target !== undefined) setOwn(mappings, source, target);
  }
  return mappings;
}
