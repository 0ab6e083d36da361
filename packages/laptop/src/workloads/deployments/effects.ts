import type { Immutable } from "@gatewright/kube";
import { apps } from "@gatewright/kube/api";
import { controllerOf, isAlreadyExists, isMissing, ownerReference } from "@gatewright/runtime";
import type { New, ReconcileContext } from "@gatewright/runtime";
import { staleCache } from "../ownership/confirm-current.ts";
import type { Effect } from "./decide.ts";
import { hashedTemplate, isOfTemplate, replicaSetName, TEMPLATE_HASH, templateHash } from "./template-hash.ts";

type Context = Pick<ReconcileContext<apps.Deployment>, "client" | "events" | "signal">;
type Deployment = Immutable<apps.Deployment>;

/** The name that a new ReplicaSet should get is another's: it needs a hash with one more collision counted. */
export class NameTakenError extends Error {
  constructor(name: string) {
    super(`the name ${name} of a new ReplicaSet is taken`);
    this.name = "NameTakenError";
  }
}

/** Does one write. Rejects with a conflict when it was decided by something older than what the server has. */
export async function perform(context: Context, deployment: Deployment, effect: Effect): Promise<void> {
  switch (effect.kind) {
    case "create":
      return create(context, deployment, effect);
    case "update":
      return update(context, deployment, effect);
    case "delete":
      return remove(context, effect);
  }
}

/** The ReplicaSet that is made for a Deployment's template. */
export function newReplicaSet(
  deployment: Deployment,
  { replicas, annotations }: Extract<Effect, { kind: "create" }>,
): New<apps.ReplicaSet> & { readonly metadata: { readonly name: string } } {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec?.template ?? {}, status?.collisionCount);
  const template = hashedTemplate(spec?.template ?? {}, hash);
  const { namespace = "", name = "" } = metadata;
  const matchLabels = { ...spec?.selector.matchLabels, [TEMPLATE_HASH]: hash };
  return {
    metadata: {
      namespace,
      name: replicaSetName(name, hash),
      labels: template.metadata?.labels ?? {},
      annotations,
      ownerReferences: [ownerReference(deployment, apps.Deployment)],
    },
    spec: {
      replicas,
      ...(spec?.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: { ...spec?.selector, matchLabels },
      template,
    },
  };
}

async function create(
  { client, events, signal }: Context,
  deployment: Deployment,
  effect: Extract<Effect, { kind: "create" }>,
): Promise<void> {
  const made = newReplicaSet(deployment, effect);
  const { namespace = "" } = deployment.metadata;
  const { name } = made.metadata;
  try {
    await client.for(apps.ReplicaSet).create(made, { signal });
    if (effect.replicas > 0) noteScaling(events, deployment, name, 0, effect.replicas);
    return;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const there = await client.for(apps.ReplicaSet).find({ namespace, name }, { signal });
  if (there === undefined) throw staleCache(apps.ReplicaSet, name);
  const isOurs = controllerOf(there)?.uid === deployment.metadata.uid;
  if (isOurs && isOfTemplate(there, deployment.spec?.template ?? {})) throw staleCache(apps.ReplicaSet, name);
  throw new NameTakenError(name);
}

async function update(
  { client, events, signal }: Context,
  deployment: Deployment,
  { replicaSet, replicas, minReadySeconds, annotations }: Extract<Effect, { kind: "update" }>,
): Promise<void> {
  const { metadata, spec } = replicaSet;
  const before = spec?.replicas ?? 1;
  const changed = { ...(spec ?? { selector: {} }), replicas, ...(minReadySeconds > 0 && { minReadySeconds }) };
  if (minReadySeconds === 0) delete changed.minReadySeconds;
  const next = { ...replicaSet, metadata: { ...metadata, annotations }, spec: changed };
  await client.for(apps.ReplicaSet).update(next, { signal });
  if (before !== replicas) noteScaling(events, deployment, metadata.name ?? "", before, replicas);
}

async function remove({ client, signal }: Context, { replicaSet }: Extract<Effect, { kind: "delete" }>): Promise<void> {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = replicaSet.metadata;
  const ref = { namespace, name };
  try {
    await client.for(apps.ReplicaSet).delete(ref, { preconditions: { uid, resourceVersion }, signal });
  } catch (error) {
    if (!isMissing(error, apps.ReplicaSet, ref)) throw error;
  }
}

function noteScaling(events: Context["events"], deployment: Deployment, name: string, from: number, to: number): void {
  const note = `Scaled ${to > from ? "up" : "down"} replica set ${name} from ${from} to ${to}`;
  events.record(deployment, { type: "Normal", reason: "ScalingReplicaSet", note });
}
