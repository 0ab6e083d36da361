import type { Immutable, Resource } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import type { Reference } from "../engine/given.ts";

/** What is known of any kind of the room, whatever its objects are: enough to follow references. Every `AwsKind` is one. */
export interface KnownKind {
  readonly resource: Resource;
  readonly references?: (spec: never) => readonly Reference[];
  /** Which field of the status tells an output: `{ arn: "queueARN" }`. */
  readonly outputsInStatus?: Readonly<Record<string, string>>;
}

/** What an object's spec points to. */
export function referencesOf(kind: KnownKind, object: Immutable<Managed>): readonly Reference[] {
  // An object is only ever asked about with its own kind.
  return kind.references?.(object.spec as never) ?? [];
}

/** The kind of a name. Throws where a kind refers to one that is not of this room: a mistake in its `references`. */
export function kindNamed(kinds: readonly KnownKind[], name: string): KnownKind {
  const kind = kinds.find(({ resource }) => resource.kind === name);
  if (kind === undefined) throw new TypeError(`there is no kind ${name} to refer to`);
  return kind;
}
