import type { Immutable, ObjectRef } from "@gatewright/kube";
import { apps } from "@gatewright/kube/api";
import { after, controllerOf, done, isNamespaceEnding, retry, watching } from "@gatewright/runtime";
import type { CacheReader, ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { BY_CONTROLLER, BY_ORPHAN, BY_SELECTOR, byController, byOrphan, selectorAnchor } from "../ownership/anchors.ts";
import { claimersOf, claimsOf, settleClaims } from "../ownership/claims.ts";
import type { Claimer } from "../ownership/claims.ts";
import { isRefusal } from "../refusal.ts";
import { writeStatus } from "../write-status.ts";
import { told } from "./conditions.ts";
import { decide, observe } from "./decide.ts";
import type { Observation } from "./decide.ts";
import { NameTakenError, newReplicaSet, perform } from "./effects.ts";
import { progressCheckMs, progressDeadline } from "./progress.ts";
import { ReplicaSetTrust } from "./replica-set-trust.ts";
import { REVISION } from "./revisions.ts";
import { statusOf } from "./status.ts";

type Context = ReconcileContext<apps.Deployment>;
type Deployment = Immutable<apps.Deployment>;

/** Rolls Deployments out by ReplicaSets, one for each template, as kube-controller-manager does. */
export function deployments(): ControllerDefinition<apps.Deployment> {
  // Until the first run every Deployment waits in the queue anyway, so no orphan needs to lead to one.
  let known: CacheReader<apps.Deployment> | undefined;
  const trust = new ReplicaSetTrust();
  const ownersOf = (replicaSet: Immutable<apps.ReplicaSet>): readonly ObjectRef[] => {
    const owner = controllerOf(replicaSet);
    if (owner === undefined) return known === undefined ? [] : claimersOf(replicaSet, known, selectorIn);
    if (owner.kind !== "Deployment" || !owner.apiVersion.startsWith("apps/")) return [];
    return [{ namespace: replicaSet.metadata.namespace ?? "", name: owner.name }];
  };
  return {
    name: "deployments",
    for: apps.Deployment,
    indexes: { [BY_SELECTOR]: deploymentsBySelector },
    watches: [
      watching(apps.ReplicaSet, {
        map: ownersOf,
        indexes: { [BY_CONTROLLER]: byController, [BY_ORPHAN]: byOrphan },
      }),
    ],
    sources: [async () => trust.newTerm()],
    access: [
      { resource: apps.ReplicaSet, verbs: ["create", "update", "patch", "delete"] },
      { resource: apps.Deployment, verbs: ["update"], subresource: "status" },
    ],
    concurrency: 8,
    async reconcile(context) {
      known ??= context.cached(apps.Deployment);
      if (context.object !== undefined) return reconcile(context, context.object, trust);
      trust.forget(context.key);
      return done();
    },
  };
}

async function reconcile(context: Context, deployment: Deployment, trust: ReplicaSetTrust): Promise<Outcome> {
  const { client, clock, signal } = context;
  const claimer: Claimer<apps.Deployment> = {
    owner: deployment,
    resource: apps.Deployment,
    selector: selectorIn(deployment) ?? {},
  };
  const claims = () => claimsOf(claimer, context.cached(apps.ReplicaSet));
  await settleClaims(context, claimer, apps.ReplicaSet, claims());

  const seen = observe(deployment, claims().kept);
  const { effects, rollingOut } = decide(seen);
  if (effects.length > 0) await trust.confirm(context, deployment, claims().kept);
  try {
    for (const effect of effects) await perform(context, deployment, effect);
  } catch (error) {
    if (!isRefusal(error)) trust.doubt(deployment);
    return failed(context, seen, error);
  }

  const now = observe(deployment, claims().kept);
  const created = effects.some(({ kind }) => kind === "create");
  const status = statusOf({ ...now, rollingOut, created, now: clock.now() });
  const written = await writeStatus(client, apps.Deployment, deployment, status, {
    signal,
    annotations: revised(now),
  });
  const ms = rollingOut ? progressCheckMs(written, status, clock.now()) : undefined;
  return ms === undefined ? done() : after(ms);
}

/** The Deployment's annotations with the revision of its ReplicaSet among them. */
function revised({ deployment, current }: Observation): Readonly<Record<string, string>> | undefined {
  const revision = current?.metadata.annotations?.[REVISION];
  const { annotations } = deployment.metadata;
  return revision === undefined ? annotations : { ...annotations, [REVISION]: revision };
}

/** Tells in the status why no ReplicaSet could be made. All else is decided anew. */
async function failed(context: Context, { deployment, current }: Observation, error: unknown): Promise<Outcome> {
  const { client, clock, events, signal } = context;
  const { status } = deployment;
  if (error instanceof NameTakenError) {
    const collisionCount = (status?.collisionCount ?? 0) + 1;
    await writeStatus(client, apps.Deployment, deployment, { ...status, collisionCount }, { signal });
    return retry(error);
  }
  if (current !== undefined || !isRefusal(error) || isNamespaceEnding(error)) throw error;
  const { name } = newReplicaSet(deployment, { kind: "create", replicas: 0, annotations: {} }).metadata;
  const message = `Failed to create new replica set "${name}": ${error.message}`;
  events.record(deployment, { type: "Warning", reason: "ReplicaSetCreateError", note: message });
  if (progressDeadline(deployment) !== undefined) {
    const fact = { type: "Progressing", status: "False", reason: "ReplicaSetCreateError", message } as const;
    const conditions = told(status?.conditions ?? [], fact, clock.now());
    await writeStatus(client, apps.Deployment, deployment, { ...status, conditions }, { signal });
  }
  return retry(error);
}

function selectorIn({ spec }: Deployment): Immutable<apps.DeploymentSpec>["selector"] | undefined {
  return spec?.selector;
}

function deploymentsBySelector(deployment: Deployment): readonly string[] {
  const selector = selectorIn(deployment);
  return selector === undefined ? [] : [selectorAnchor(deployment.metadata.namespace ?? "", selector)];
}
