import { createHash } from "node:crypto";
import type { Json } from "@gatewright/kube";
import type { Deliverable } from "./deliverable.ts";

/** What gateways see of a deliverable: what its version is made of. */
export type Content = Pick<Deliverable, "kind" | "namespace" | "name" | "spec" | "createdAt">;

/**
 * The version of a deliverable: a hash of its content, whatever the order of its keys. The same on every replica and after every
 * restart. Labels are no part of it: gateways do not see them.
 */
export function contentVersion({ kind, namespace, name, spec, createdAt }: Content): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([kind, namespace, name, createdAt]));
  hash.update(canonicalJson(spec));
  return hash.digest("hex").slice(0, 32);
}

/** JSON with the keys of every object in order and nothing between: equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.keys(value)
    .toSorted()
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${fields.join(",")}}`;
}
