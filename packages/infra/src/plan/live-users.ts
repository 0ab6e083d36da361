import { StatusError } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { isForbidden } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import { referencesOf } from "../references/known-kind.ts";
import { targetIn, targetOf } from "../references/reference-index.ts";

/** Objects that refer to one that goes and do not go with it, as far as they may be seen. */
export async function liveUsersOf(
  client: Client,
  kinds: readonly AnyKind[],
  kind: AnyKind,
  { metadata: { namespace = "", name } }: Immutable<Managed>,
  together: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const target = targetOf(kind.resource.kind, namespace, name);
  const users: string[] = [];
  for (const other of kinds.filter(({ references }) => references !== undefined)) {
    const { items } = await client
      .for(other.resource)
      .list({ namespace, signal })
      .catch((error: unknown) => {
        // Who may delete an object need not see all others; of a kind that is not installed there are none.
        if (isForbidden(error) || (error instanceof StatusError && error.code === 404)) return { items: [] };
        throw error;
      });
    for (const item of items) {
      if (together.has(targetOf(other.resource.kind, namespace, item.metadata.name))) continue;
      const refers = referencesOf(other, item).some((reference) => targetIn(item, reference) === target);
      if (refers) users.push(`${other.resource.kind} ${item.metadata.name ?? ""}`);
    }
  }
  return users;
}
