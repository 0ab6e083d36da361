import { forbidden, formatGroupResource } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import type { Caller } from "@gatewright/runtime/serving";
import type { Selection } from "../selection.ts";

/** `watch` for the stream, `list` for the history: the rights by which the objects could be had from the API server itself. */
export type ReadVerb = "list" | "watch";

/** Says what a caller may read. */
export interface Access {
  /** An empty namespace means all of them. Rejects with a StatusError when it cannot be found out: then nothing is shown. */
  may(caller: Caller, verb: ReadVerb, resource: Resource, namespace: string): Promise<boolean>;
}

/**
 * The part of a selection that the caller may read. Kinds that were named must all be allowed, in every namespace that was named;
 * where none was named, those that are not allowed are left out. Rejects with 403 when nothing is left.
 */
export async function permitted(
  access: Access,
  caller: Caller,
  verb: ReadVerb,
  { kinds, namespaces, named }: Selection & { readonly named: boolean },
): Promise<Selection> {
  const verdicts = await Promise.all(
    kinds.map(async (resource) => {
      const where = resource.namespaced ? (namespaces ?? [""]) : [""];
      const each = await Promise.all(where.map((namespace) => access.may(caller, verb, resource, namespace)));
      return { resource, refused: where.find((_namespace, index) => each[index] !== true) };
    }),
  );
  const refused = verdicts.find((verdict) => verdict.refused !== undefined);
  const allowed = verdicts.filter((verdict) => verdict.refused === undefined).map(({ resource }) => resource);
  if (refused && (named || allowed.length === 0)) {
    throw refusal(caller, verb, refused.resource, refused.refused ?? "");
  }
  return { kinds: allowed, namespaces };
}

function refusal(caller: Caller, verb: ReadVerb, { group, plural }: Resource, namespace: string): Error {
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const gr = { group, resource: plural };
  const who = JSON.stringify(caller.username);
  return forbidden(gr, "", `User ${who} cannot ${verb} ${formatGroupResource(gr)} ${where}`);
}
