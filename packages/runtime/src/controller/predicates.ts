import { deepEqual } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Predicate } from "./definition.ts";

/** A predicate for objects of any kind. What appears and what goes always matters to these; they judge changes. */
type AnyPredicate = Predicate<ApiObject>;

function changed(read: (object: Immutable<ApiObject>) => Readonly<Record<string, string>> | undefined): AnyPredicate {
  return (object, previous) =>
    object === undefined || previous === undefined || !deepEqual(read(object) ?? {}, read(previous) ?? {});
}

/** The spec changed, or the deletion began: writes to status and metadata do not matter. Kinds without generations always pass. */
export const generationChanged: AnyPredicate = (object, previous) => {
  const [now, then] = [object?.metadata, previous?.metadata];
  if (now === undefined || then === undefined || now.generation === undefined) return true;
  return now.generation !== then.generation || now.deletionTimestamp !== then.deletionTimestamp;
};

/** Labels changed. */
export const labelsChanged: AnyPredicate = changed((object) => object.metadata.labels);

/** Annotations changed. */
export const annotationsChanged: AnyPredicate = changed((object) => object.metadata.annotations);

/** Matters if it does to every one of these. */
export function allOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (object, previous) => predicates.every((predicate) => predicate(object, previous));
}

/** Matters if it does to one of these. */
export function anyOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (object, previous) => predicates.some((predicate) => predicate(object, previous));
}

/** Matters if it does not to this one. */
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (object, previous) => !predicate(object, previous);
}
