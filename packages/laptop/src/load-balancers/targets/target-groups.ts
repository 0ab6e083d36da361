import { isAbsent } from "@gatewright/aws";
import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import { done, watching } from "@gatewright/runtime";
import type { ControllerDefinition, ReconcileContext } from "@gatewright/runtime";
import type { TargetBinding } from "../model/model.ts";
import type { TargetBook } from "./target-book.ts";
import type { TargetRegister } from "./target-register.ts";
import { wantedTargets } from "./wanted-targets.ts";
import type { Target } from "./wanted-targets.ts";

const SERVICE_NAME = "kubernetes.io/service-name";
const BY_SERVICE = "load-balancers/service";

/** Keeps the targets of a Service's target groups: its pods or nodes come and go, and nothing else is looked at. */
export function targetGroups(book: TargetBook, register: TargetRegister): ControllerDefinition<core.Service> {
  return {
    name: "target-groups",
    for: core.Service,
    watches: [endpointSlices, nodesOf(book)],
    sources: [book.source],
    concurrency: 8,
    async reconcile({ ref, cached, signal }) {
      for (const { arn, binding } of book.of(ref)) {
        try {
          await register.set(arn, targetsNow(cached, binding), signal);
        } catch (error) {
          // A group that went goes from the book as well.
          if (!isAbsent(error)) throw error;
        }
      }
      return done();
    },
  };
}

/** What a controller must watch to ask for {@link targetsNow}. */
export function targetWatches() {
  return [{ ...endpointSlices, map: () => [] }, watching(core.Node, { when: () => false, map: () => [] })];
}

/** The targets that a group should have by what the cache says now. */
export function targetsNow(
  cached: ReconcileContext<core.Service>["cached"],
  binding: TargetBinding,
): readonly Target[] {
  return wantedTargets(binding, {
    service: cached(core.Service).get(binding.service),
    slices: cached(discovery.EndpointSlice).byIndex(BY_SERVICE, keyOf(binding.service)),
    nodes: binding.targetType === "instance" ? cached(core.Node).list() : [],
  });
}

const serviceOf = ({ metadata }: Immutable<discovery.EndpointSlice>): readonly ObjectRef[] => {
  const name = metadata.labels?.[SERVICE_NAME];
  return name === undefined ? [] : [{ namespace: metadata.namespace ?? "", name }];
};

const endpointSlices = watching(discovery.EndpointSlice, {
  map: serviceOf,
  indexes: { [BY_SERVICE]: (slice) => serviceOf(slice).map(keyOf) },
});

/** Heartbeats of nodes do not matter. */
function nodesOf(book: TargetBook) {
  const facts = (node: Immutable<core.Node> | undefined): string =>
    JSON.stringify([
      node?.spec?.providerID,
      node?.metadata.labels,
      node?.status?.conditions?.find(({ type }) => type === "Ready")?.status,
    ]);
  return watching(core.Node, {
    when: (node, previous) => facts(node) !== facts(previous),
    map: () => book.servicesOnNodes(),
  });
}
