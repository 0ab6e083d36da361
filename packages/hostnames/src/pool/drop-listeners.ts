import { Gateway } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { isOfHostname } from "./listeners.ts";
import { POOL_CONTROLLER } from "./pool-names.ts";
import type { PoolContext } from "./pool-objects.ts";

/**
 * Takes listeners off a Gateway that an apply would leave there: whoever has applied a copy of the Gateway owns its listeners too, and
 * what two own stays when one lets go.
 */
export async function dropListeners({ client, cached, signal }: PoolContext, desired: Applied<Gateway>): Promise<void> {
  const { namespace = "", name } = desired.metadata;
  const known = cached(Gateway).get({ namespace, name });
  const wanted = new Set((desired.spec?.listeners ?? []).map((each) => each.name));
  const leaves = known?.spec.listeners.some((each) => isOfHostname(each) && !wanted.has(each.name)) === true;
  if (known === undefined || !leaves) return;
  // The cache has no managers; only a Gateway whose listeners have others than the pool needs more than an apply.
  const live = await client.for(Gateway).get({ namespace, name }, { signal });
  const others = (live.metadata.managedFields ?? []).some(
    ({ manager, subresource, fieldsV1 }) =>
      manager !== POOL_CONTROLLER &&
      subresource !== "status" &&
      JSON.stringify(fieldsV1 ?? {}).includes('"f:listeners"'),
  );
  if (!others) return;
  const listeners = live.spec.listeners.filter((each) => !isOfHostname(each) || wanted.has(each.name));
  const { resourceVersion } = live.metadata;
  await client
    .for(Gateway)
    .patch({ namespace, name }, { merge: { metadata: { resourceVersion }, spec: { listeners } } }, { signal });
}
