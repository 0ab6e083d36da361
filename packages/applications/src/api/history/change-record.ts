import { formatGroupKind, formatGroupVersion, parseGroupVersion } from "@gatewright/kube";
import type { ApiObject, GroupKind, Immutable, Resource } from "@gatewright/kube";

export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** A change of an object as it was seen: for DELETED the last state. */
export interface ObservedChange {
  readonly type: ChangeType;
  readonly object: Immutable<ApiObject>;
}

/** A change as clients get it, and as it is kept. */
export interface ChangeRecord {
  /** Where the history stands after it; absent on the objects of a present state. */
  readonly id?: string;
  readonly type: ChangeType;
  /** When it was recorded. */
  readonly time?: string;
  /** True when the object was there before anybody looked: not news, but part of what is. */
  readonly initial?: true;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly object: Immutable<ApiObject>;
}

/** What a record is found by, without reading it. */
export type RecordLabels = {
  /** {@link kindKey} of its kind. */
  readonly kind: string;
  readonly type: ChangeType;
  readonly namespace: string;
  readonly name: string;
  readonly initial: "true" | "";
};

/** A kind's name that no other kind has: `Application.cloudnative.elide.dev`. */
export function kindKey(kind: GroupKind): string {
  return formatGroupKind(kind);
}

export function labelsOf({ apiVersion, kind, type, namespace = "", name, initial }: ChangeRecord): RecordLabels {
  const group = parseGroupVersion(apiVersion)?.group ?? "";
  return { kind: kindKey({ group, kind }), type, namespace, name, initial: initial ? "true" : "" };
}

/** An object as it leaves the process: who owns which field is nobody's news. */
export function publicForm(object: Immutable<ApiObject>): Immutable<ApiObject> {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function recordOf(
  resource: Resource,
  { type, object }: ObservedChange,
  facts: Pick<ChangeRecord, "id" | "time" | "initial">,
): ChangeRecord {
  const { name = "", namespace } = object.metadata;
  return {
    type,
    ...facts,
    apiVersion: formatGroupVersion(resource),
    kind: resource.kind,
    ...(namespace !== undefined && { namespace }),
    name,
    object,
  };
}
