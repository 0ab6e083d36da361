import { isDeepStrictEqual } from "node:util";
import { deepEqual } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { confirmPresent, done, isMissing, isNamespaceEnding, watching } from "@gatewright/runtime";
import type { Cache, ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { endpointSubsets } from "./endpoint-subsets.ts";
import { endpointPods } from "./endpoint-pods.ts";
import { hasPods, isHeadless } from "./pod-endpoint.ts";
import { BY_LABEL, selectedPods, selectorOfService } from "./selected-pods.ts";
import { HEADLESS } from "./slice-labels.ts";

type Context = ReconcileContext<core.Service>;

/** As many addresses as kube-controller-manager puts into one Endpoints object. */
const MAX_ADDRESSES = 1000;

const MANAGED_BY = "endpoints.kubernetes.io/managed-by";
const MANAGER = "endpoint-controller";
const OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
/** Endpoints that old leader elections use as a lock: they have no Service and stay. */
const LOCK = "control-plane.alpha.kubernetes.io/leader";

/**
 * Keeps the Endpoints object of each Service with a selector as the pods are, for clients that do not know EndpointSlices, and removes
 * it with the Service. `cache` is the manager's: changes of pods lead to Services by it.
 */
export function endpoints(cache: Pick<Cache, "informer">): ControllerDefinition<core.Service> {
  return {
    name: "endpoint-controller",
    for: core.Service,
    indexes: { [BY_LABEL]: selectorOfService },
    watches: [
      endpointPods(cache),
      watching(core.Endpoints, {
        map: ({ metadata: { namespace = "", name = "", labels } }) =>
          labels?.[MANAGED_BY] === MANAGER ? [{ namespace, name }] : [],
      }),
    ],
    access: [
      { resource: core.Service, verbs: ["get"] },
      { resource: core.Endpoints, verbs: ["create", "update", "delete"] },
    ],
    concurrency: 4,
    async reconcile(context) {
      const service = context.object;
      if (service === undefined) return remove(context);
      if (service.metadata.deletionTimestamp !== undefined || !hasPods(service)) return done();
      try {
        await write(context, service);
      } catch (error) {
        if (!isNamespaceEnding(error)) throw error;
      }
      return done();
    },
  };
}

async function write({ cached, client, ref, signal }: Context, service: Immutable<core.Service>): Promise<void> {
  const { subsets, truncated } = endpointSubsets(service, selectedPods(cached(core.Pod), service), MAX_ADDRESSES);
  const { [HEADLESS]: _reserved, ...labels } = service.metadata.labels ?? {};
  const wanted = { ...labels, ...(isHeadless(service) && { [HEADLESS]: "" }), [MANAGED_BY]: MANAGER };
  const known = cached(core.Endpoints).get(ref);
  const { [OVER_CAPACITY]: over, ...annotations } = known?.metadata.annotations ?? {};
  if (
    known !== undefined &&
    isDeepStrictEqual(known.subsets ?? [], subsets) &&
    deepEqual(known.metadata.labels ?? {}, wanted) &&
    (over === "truncated") === truncated
  ) {
    return;
  }
  const metadata = {
    ...known?.metadata,
    ...ref,
    labels: wanted,
    annotations: { ...annotations, ...(truncated && { [OVER_CAPACITY]: "truncated" }) },
  };
  const objects = client.for(core.Endpoints);
  if (known !== undefined) {
    await objects.update({ ...known, metadata, subsets }, { signal });
    return;
  }
  await confirmPresent(client, core.Service, service, { signal });
  await objects.create({ metadata, subsets }, { signal });
}

/** Asks the server itself whether the Service is gone: what a cache does not show yet may be new. */
async function remove({ cached, client, ref, signal }: Context): Promise<Outcome> {
  const left = cached(core.Endpoints).get(ref);
  const uid = left?.metadata.uid;
  if (uid === undefined || left?.metadata.annotations?.[LOCK] !== undefined) return done();
  if ((await client.for(core.Service).find(ref, { signal })) !== undefined) return done();
  try {
    await client.for(core.Endpoints).delete(ref, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isMissing(error, core.Endpoints, ref)) throw error;
  }
  return done();
}
