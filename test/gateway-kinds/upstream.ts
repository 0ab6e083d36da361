import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { apiextensions } from "@gatewright/kube/api";
import { parseAllDocuments } from "yaml";

const DATA = join(import.meta.dirname, "..", "..", "..", "shared", "data");

/** Why upstream's manifests cannot be compared with, if so. */
export const missing = existsSync(DATA) ? false : "../shared/data is not here";

/** Files with upstream's manifests of the kinds. */
export const files = (): string[] =>
  globSync(join(DATA, "{gateway-api-1.6.1,aws-load-balancer-controller}/*.yaml")).sort();

/** Upstream's manifests, by name. */
export function upstreamDefinitions(): Map<string, apiextensions.CustomResourceDefinition> {
  const documents = files().flatMap((file) => parseAllDocuments(readFileSync(file, "utf8"), { version: "1.1" }));
  const objects = documents.map((document) => document.toJS() as Json);
  const definitions = objects.filter(
    (object) => isObject(object) && object["kind"] === "CustomResourceDefinition",
  ) as unknown as apiextensions.CustomResourceDefinition[];
  return new Map(definitions.map((definition) => [definition.metadata?.name ?? "", definition]));
}
