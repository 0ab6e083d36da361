import { deepEqual, keyOf, refOf } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import { confirmPresent, done, isMissing, isNamespaceEnding, ownerReference, watching } from "@gatewright/runtime";
import type { Cache, ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { serviceOfSlice, SLICES_BY_SERVICE } from "../network/service-index.ts";
import { endpointPods } from "./endpoint-pods.ts";
import { packSlices, sameEndpoints } from "./pack-slices.ts";
import { hasPods } from "./pod-endpoint.ts";
import { contentOf, portGroups, portsKey } from "./port-groups.ts";
import type { PortGroup } from "./port-groups.ts";
import { BY_LABEL, selectedPods, selectorOfService } from "./selected-pods.ts";
import { isManagedSlice, sliceLabels } from "./slice-labels.ts";
import { sliceName } from "./slice-name.ts";

type Service = Immutable<core.Service>;
type Slice = Immutable<discovery.EndpointSlice>;
type Context = ReconcileContext<core.Service>;

/** As many endpoints as kube-controller-manager puts into one slice. */
const MAX_ENDPOINTS = 100;

/**
 * Keeps the EndpointSlices of Services with a selector as the pods are. Slices go with their Service by garbage collection. `cache` is
 * the manager's: changes of pods lead to Services by it.
 */
export function endpointSlices(cache: Pick<Cache, "informer">): ControllerDefinition<core.Service> {
  return {
    name: "endpointslice-controller",
    for: core.Service,
    indexes: { [BY_LABEL]: selectorOfService },
    watches: [
      endpointPods(cache),
      watching(discovery.EndpointSlice, {
        map: (slice) => (isManagedSlice(slice) ? serviceOfSlice(slice).map((key) => refOf(key)) : []),
        indexes: { [SLICES_BY_SERVICE]: serviceOfSlice },
      }),
    ],
    access: [
      { resource: core.Service, verbs: ["get"] },
      { resource: discovery.EndpointSlice, verbs: ["create", "update", "delete"] },
    ],
    concurrency: 4,
    reconcile: (context) => reconcile(context),
  };
}

async function reconcile(context: Context): Promise<Outcome> {
  const service = context.object;
  if (service === undefined || service.metadata.deletionTimestamp !== undefined || !hasPods(service)) return done();
  const pods = selectedPods(context.cached(core.Pod), service);
  const slices = context.cached(discovery.EndpointSlice).byIndex(SLICES_BY_SERVICE, keyOf(service));
  const { own, foreign } = sortedOut(slices.filter(isManagedSlice), service);
  const families = service.spec?.ipFamilies ?? ["IPv4"];
  try {
    for (const family of families) {
      const existing = own.filter(({ addressType }) => addressType === family);
      await write(context, service, family, existing, portGroups(service, pods, family));
    }
  } catch (error) {
    if (!isNamespaceEnding(error)) throw error;
    return done();
  }
  const unwanted = own.filter(({ addressType }) => !families.includes(addressType));
  for (const slice of [...foreign, ...unwanted]) await remove(context, slice);
  return done();
}

/** Slices of a former Service of the same name are not changed any more, so that nobody takes them for the new one's. */
function sortedOut(
  slices: readonly Slice[],
  { metadata }: Service,
): { own: readonly Slice[]; foreign: readonly Slice[] } {
  const isOwn = (slice: Slice): boolean =>
    slice.metadata.ownerReferences?.some(({ uid, kind }) => kind === "Service" && uid === metadata.uid) ?? false;
  const standing = slices.filter((slice) => slice.metadata.deletionTimestamp === undefined);
  return { own: standing.filter(isOwn), foreign: standing.filter((slice) => !isOwn(slice)) };
}

/** New and changed slices first: an endpoint that moves is never in none. */
async function write(
  context: Context,
  service: Service,
  addressType: string,
  existing: readonly Slice[],
  groups: readonly PortGroup[],
): Promise<void> {
  const { client, signal } = context;
  const { kept, added, removed } = packSlices(existing, groups, MAX_ENDPOINTS);
  const labels = sliceLabels(service);
  const slices = client.for(discovery.EndpointSlice);
  if (added.length > 0) await confirmPresent(client, core.Service, service, { signal });
  const taken = new Set(existing.map(({ metadata }) => metadata.name ?? ""));
  for (const content of added) {
    const { namespace = "", name = "" } = service.metadata;
    const ownerReferences = [ownerReference(service, core.Service)];
    const own = { namespace, name: sliceName(service, addressType, taken), generateName: `${name}-` };
    await slices.create({ metadata: { ...own, labels, ownerReferences }, addressType, ...content }, { signal });
    taken.add(own.name);
  }
  for (const { slice, content } of kept) {
    if (holds(slice, content) && deepEqual(slice.metadata.labels ?? {}, labels)) continue;
    await slices.update({ ...slice, ...content, metadata: { ...slice.metadata, labels } }, { signal });
  }
  for (const slice of removed) await remove(context, slice);
}

function holds(slice: Slice, { ports, endpoints }: PortGroup): boolean {
  const held = contentOf(slice);
  return portsKey(held.ports) === portsKey(ports) && sameEndpoints(held.endpoints, endpoints);
}

async function remove({ client, signal }: Context, { metadata }: Slice): Promise<void> {
  const { namespace = "", name = "", uid } = metadata;
  if (uid === undefined) return;
  try {
    await client.for(discovery.EndpointSlice).delete({ namespace, name }, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isMissing(error, discovery.EndpointSlice, { namespace, name })) throw error;
  }
}
