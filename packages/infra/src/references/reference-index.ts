import type { Immutable } from "@gatewright/kube";
import type { IndexFunction } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";
import type { Reference } from "../engine/given.ts";
import { referencesOf } from "./known-kind.ts";
import type { KnownKind } from "./known-kind.ts";

/** Index of objects by what they refer to: `byIndex(BY_REFERENCE, targetOf("Secret", namespace, name))`. */
export const BY_REFERENCE = "aws-references";

/** What a reference leads to, as {@link BY_REFERENCE} files it. */
export function targetOf(kind: string, namespace: string | undefined, name: string | undefined): string {
  return `${kind} ${namespace ?? ""}/${name ?? ""}`;
}

/** The target of a reference in an object's spec: always in the object's own namespace. */
export function targetIn(object: Immutable<Managed>, reference: Reference): string {
  return targetOf(reference.to === "secret" ? "Secret" : reference.kind, object.metadata.namespace, reference.name);
}

const made = new WeakMap<KnownKind, IndexFunction<Managed>>();

/** The index of a kind: the same function for all controllers, which share the cache. */
export function referenceIndex(kind: KnownKind): Readonly<Record<string, IndexFunction<Managed>>> {
  let index = made.get(kind);
  if (index === undefined) {
    index = (object) => [...new Set(referencesOf(kind, object).map((reference) => targetIn(object, reference)))];
    made.set(kind, index);
  }
  return { [BY_REFERENCE]: index };
}
