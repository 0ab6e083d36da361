import { formatGroupVersion, getOwn, parseGroupVersion } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { compileSchema } from "@gatewright/kube/schema";
import type { ResourceCall } from "./resource-call.ts";

/** Declares nothing: all but metadata is unknown to it. */
const NO_SCHEMA = compileSchema({ type: "object" });

/**
 * The unknown fields of a custom object that says to be of another version than the request's, or undefined where it does
 * not. Fields are judged by the version that the object names, before it is refused for naming it: one that is not served
 * knows no fields, and objects of other groups and kinds are not judged. The object is left as it is.
 */
export function foreignProblems({ resource, version }: ResourceCall, object: JsonObject): string[] | undefined {
  const { group } = resource;
  const apiVersion = getOwn(object, "apiVersion");
  if (!resource.custom || apiVersion === formatGroupVersion({ group, version: version.version })) return undefined;
  const named = typeof apiVersion === "string" ? parseGroupVersion(apiVersion) : undefined;
  if (named?.group !== group || getOwn(object, "kind") !== resource.kind) return [];
  const served = resource.versions.find((other) => other.version === named.version);
  const copy = structuredClone(object);
  if (served) return [...served.decode(copy).problems];
  return NO_SCHEMA.prune(copy, { dropInvalid: true }).map((path) => `unknown field "${path}"`);
}
