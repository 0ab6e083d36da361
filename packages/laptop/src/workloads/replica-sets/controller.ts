import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json, ObjectRef } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { after, controllerOf, done, isNamespaceEnding, retry, watching } from "@gatewright/runtime";
import type { CacheReader, ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { BY_CONTROLLER, BY_ORPHAN, BY_SELECTOR, byController, byOrphan, selectorAnchor } from "../ownership/anchors.ts";
import { claimersOf, claimsOf, settleClaims } from "../ownership/claims.ts";
import type { Claimer } from "../ownership/claims.ts";
import { confirmCurrent } from "../ownership/confirm-current.ts";
import { deletePods } from "../pods/delete-pods.ts";
import { podFromTemplate } from "../pods/pod-from-template.ts";
import { createPodMaker } from "../pods/pod-maker.ts";
import type { PodMaker, PodOwner, Wanted } from "../pods/pod-maker.ts";
import { podMatters } from "../pods/pod-matters.ts";
import { isActive } from "../pods/pod-state.ts";
import { isRefusal } from "../refusal.ts";
import { writeStatus } from "../write-status.ts";
import { decide } from "./decide.ts";
import { nextAvailableMs, statusOf } from "./status.ts";
import type { Failure } from "./status.ts";

type Context = ReconcileContext<apps.ReplicaSet>;
type ReplicaSet = Immutable<apps.ReplicaSet>;
type Pods = readonly Immutable<core.Pod>[];
type Maker = PodMaker<apps.ReplicaSet>;

/**
 * Keeps as many pods of each ReplicaSet as it asks for, as kube-controller-manager does. Never more, whatever was lost on the way:
 * pods are made under names that depend on their number, and by what the server itself confirms.
 */
export function replicaSets(): ControllerDefinition<apps.ReplicaSet> {
  const maker = createPodMaker<apps.ReplicaSet>((pod) => (isActive(pod) ? "active" : undefined));
  // Until the first run every ReplicaSet waits in the queue anyway, so no orphan needs to lead to one.
  let known: CacheReader<apps.ReplicaSet> | undefined;
  const ownersOf = (pod: Immutable<core.Pod>): readonly ObjectRef[] => {
    const owner = controllerOf(pod);
    if (owner === undefined) return known === undefined ? [] : claimersOf(pod, known, selectorIn);
    if (owner.kind !== "ReplicaSet" || !owner.apiVersion.startsWith("apps/")) return [];
    return [{ namespace: pod.metadata.namespace ?? "", name: owner.name }];
  };
  return {
    name: "replicasets",
    for: apps.ReplicaSet,
    indexes: { [BY_CONTROLLER]: byController, [BY_ORPHAN]: byOrphan, [BY_SELECTOR]: replicaSetsBySelector },
    watches: [
      watching(core.Pod, {
        map: ownersOf,
        when: podMatters,
        indexes: { [BY_CONTROLLER]: byController, [BY_ORPHAN]: byOrphan },
      }),
    ],
    sources: [async () => maker.newTerm()],
    access: [
      { resource: core.Pod, verbs: ["create", "patch", "delete"] },
      { resource: apps.ReplicaSet, verbs: ["update"], subresource: "status" },
    ],
    concurrency: 8,
    async reconcile(context) {
      known ??= context.cached(apps.ReplicaSet);
      if (context.object !== undefined) return reconcile(context, context.object, maker);
      maker.forget(context.key);
      return done();
    },
  };
}

async function reconcile(context: Context, replicaSet: ReplicaSet, maker: Maker): Promise<Outcome> {
  const { client, clock, signal } = context;
  const claimer: Claimer<apps.ReplicaSet> = {
    owner: replicaSet,
    resource: apps.ReplicaSet,
    selector: selectorIn(replicaSet) ?? {},
  };
  const pods = (): Pods => claimsOf(claimer, context.cached(core.Pod)).kept;
  const { adopted, released } = claimsOf(claimer, context.cached(core.Pod));
  await settleClaims(context, claimer, core.Pod, {
    adopted: adopted.filter(isActive),
    released: released.filter(isActive),
  });

  const owner: PodOwner<apps.ReplicaSet> = {
    ...claimer,
    isKnown: replicaSet.status?.observedGeneration !== undefined,
  };
  const refusal =
    replicaSet.metadata.deletionTimestamp === undefined ? await correct(context, owner, pods(), maker) : undefined;
  const status = statusOf(replicaSet, pods(), refusal, clock.now());
  const isNews = !deepEqual(status as unknown as Json, replicaSet.status as unknown as Json);
  if (isNews || maker.isInDoubt(owner)) await maker.trust(context, owner, pods());
  await writeStatus(client, apps.ReplicaSet, replicaSet, status, { signal });
  if (refusal !== undefined) return retry(refusal.error);
  const ms = nextAvailableMs(replicaSet, pods(), clock.now());
  return ms === undefined ? done() : after(ms);
}

/** Makes or deletes pods. Gives what the server refused; what went wrong otherwise is thrown, to be tried again. */
async function correct(
  context: Context,
  owner: PodOwner<apps.ReplicaSet>,
  pods: Pods,
  maker: Maker,
): Promise<(Failure & { readonly error: unknown }) | undefined> {
  const replicaSet = owner.owner;
  const correction = decide(replicaSet.spec?.replicas ?? 1, pods.filter(isActive));
  if (correction.kind === "none") return undefined;
  // One that nobody has worked on must really be so: then the first pods are made without asking for others.
  const { client, signal } = context;
  await confirmCurrent(client, apps.ReplicaSet, replicaSet, { signal, exact: !owner.isKnown });
  await maker.trust(context, owner, pods);
  const create = correction.kind === "create";
  try {
    if (create) await maker.make(context, owner, pods, wanted(replicaSet, correction.count));
    else await deletePods(context, replicaSet, correction.pods);
    return undefined;
  } catch (error) {
    if (isNamespaceEnding(error)) return undefined;
    if (!isRefusal(error)) throw error;
    const { message } = error;
    const reason = create ? "FailedCreate" : "FailedDelete";
    context.events.record(replicaSet, {
      type: "Warning",
      reason,
      note: `Error ${create ? "creating" : "deleting"}: ${message}`,
    });
    return { reason, message, error };
  }
}

/** So many pods, all alike. */
function wanted(replicaSet: ReplicaSet, count: number): readonly Wanted[] {
  const { name: owner = "", uid = "" } = replicaSet.metadata;
  const template = replicaSet.spec?.template ?? {};
  const prefix = `${owner}-`;
  const build = (name: string) => podFromTemplate(replicaSet, apps.ReplicaSet, { template, prefix, name });
  return Array.from({ length: count }, () => ({ prefix, series: uid, build }));
}

function selectorIn({ spec }: ReplicaSet): Immutable<apps.ReplicaSetSpec>["selector"] | undefined {
  return spec?.selector;
}

function replicaSetsBySelector(replicaSet: ReplicaSet): readonly string[] {
  const selector = selectorIn(replicaSet);
  return selector === undefined ? [] : [selectorAnchor(replicaSet.metadata.namespace ?? "", selector)];
}
