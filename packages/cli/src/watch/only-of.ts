import type { Moment } from "@gatewright/explain";
import { UsageError } from "../usage-error.ts";
import { askedObject } from "../why/asked-object.ts";

/** Whether a moment is of the object that was asked for. */
export function onlyOf(words: readonly string[]): (moment: Moment) => boolean {
  const asked = askedObject(words);
  if ("hostname" in asked) throw new UsageError("watch takes KIND/NAME");
  const kinds = new Set(asked.kinds.map(({ resource }) => resource.kind));
  const { name, namespace } = asked;
  return ({ subject }) =>
    kinds.has(subject.kind) &&
    subject.name === name &&
    (namespace === undefined || subject.namespace === undefined || subject.namespace === namespace);
}
