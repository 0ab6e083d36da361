import type { Immutable } from "@gatewright/kube";
import { Gateway } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { isOfHostname } from "./listeners.ts";
import type { Listener } from "./listeners.ts";
import type { PoolEffect } from "./pool-effects.ts";
import { POOL_CONTROLLER } from "./pool-names.ts";
import type { PoolContext } from "./pool-objects.ts";

/**
 * Takes listeners off a Gateway that an apply would leave there: whoever has applied a copy of the Gateway owns its listeners too, and
 * what two own stays when one lets go.
 */
export async function dropListeners({ client, cached, signal }: PoolContext, desired: Applied<Gateway>): Promise<void> {
  const { namespace = "", name } = desired.metadata;
  const wanted = namesIn(desired);
  if (extraListeners(cached(Gateway).get({ namespace, name }), wanted).length === 0) return;
  // The cache has no managers; only a Gateway whose listeners have others than the pool needs more than an apply.
  const live = await client.for(Gateway).get({ namespace, name }, { signal });
  const others = (live.metadata.managedFields ?? []).some(
    ({ manager, subresource, fieldsV1 }) =>
      manager !== POOL_CONTROLLER &&
      subresource !== "status" &&
      JSON.stringify(fieldsV1 ?? {}).includes('"f:listeners"'),
  );
  if (!others) return;
  const extra = extraListeners(live, wanted);
  const listeners = live.spec.listeners.filter((each) => !extra.includes(each));
  const { resourceVersion } = live.metadata;
  await client
    .for(Gateway)
    .patch({ namespace, name }, { merge: { metadata: { resourceVersion }, spec: { listeners } } }, { signal });
}

/** Whether an effect would have a Gateway lose listeners of hostnames: it is to be done, though what it asks for is there already. */
export function leavesListeners({ cached }: Pick<PoolContext, "cached">, effect: PoolEffect): boolean {
  if (effect.type !== "apply" || effect.resource.kind !== Gateway.kind) return false;
  return extraListeners(cached(Gateway).get(effect.desired.metadata), namesIn(effect.desired)).length > 0;
}

function namesIn({ spec }: Applied<Gateway>): ReadonlySet<string | undefined> {
  return new Set((spec?.listeners ?? []).map(({ name }) => name));
}

function extraListeners(
  gateway: Immutable<Gateway> | undefined,
  wanted: ReadonlySet<string | undefined>,
): readonly Listener[] {
  return (gateway?.spec.listeners ?? []).filter((each) => isOfHostname(each) && !wanted.has(each.name));
}
