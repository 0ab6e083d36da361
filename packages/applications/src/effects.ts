import { keyOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import { apps } from "@gatewright/kube/api";
import { Application } from "@gatewright/resources";
import { isMissing } from "@gatewright/runtime";
import type { Owned, ReconcileContext } from "@gatewright/runtime";
import { homeOf } from "./children/names.ts";
import type { Effect } from "./decide.ts";

/** Owns the number of replicas of an autoscaled Deployment until an autoscaler writes another. */
const HAND_OVER_MANAGER = "applications-autoscaling";

/** The cache shows an older spec than the server has. Once it has caught up there is another run. */
export class OutdatedError extends Error {
  constructor(ref: ObjectRef) {
    super(`Application ${keyOf(ref)} was changed or deleted, and the cache does not show it yet`);
    this.name = "OutdatedError";
  }
}

/** Does one effect. Each is safe to repeat: a crash in between costs nothing but the repetition. */
export async function perform(
  context: ReconcileContext<Application>,
  children: Owned<Application>,
  app: Immutable<Application>,
  effect: Effect,
): Promise<void> {
  // Each time anew, and as late as can be: between two effects the spec may have become another.
  const confirm = (): Promise<void> => confirmCurrent(context, app);
  switch (effect.type) {
    case "apply":
      // What an older spec asked for would be made once more, and a Job would run what nobody wants any more.
      await children.apply(context, app, effect.resource, effect.fields, { confirm });
      break;
    case "remove":
      await confirm();
      await remove(context, effect);
      break;
    case "handOver":
      await handOver(context, effect);
  }
}

/** Before what cannot be undone: a process that has just become leader may decide by what was wanted a while ago. */
async function confirmCurrent(
  { client, signal }: ReconcileContext<Application>,
  app: Immutable<Application>,
): Promise<void> {
  const { uid, generation } = app.metadata;
  const live = await client.for(Application).find(homeOf(app), { signal });
  const isGone = live?.metadata.uid !== uid || live?.metadata.deletionTimestamp !== undefined;
  if (isGone || live?.metadata.generation !== generation) throw new OutdatedError(homeOf(app));
}

/** Only this very object: one that took its name meanwhile stays. */
async function remove(
  { client, signal }: ReconcileContext<Application>,
  { resource, object, propagation }: Extract<Effect, { type: "remove" }>,
): Promise<void> {
  const { namespace = "", name = "", uid } = object.metadata;
  if (uid === undefined) return;
  try {
    await client.for(resource).delete({ namespace, name }, { preconditions: { uid }, propagation, signal });
  } catch (error) {
    if (!isMissing(error, resource, { namespace, name })) throw error;
  }
}

async function handOver(
  { client, signal }: ReconcileContext<Application>,
  { deployment, replicas }: Extract<Effect, { type: "handOver" }>,
): Promise<void> {
  const { namespace = "", name = "", uid = "" } = deployment.metadata;
  await client
    .with({ fieldManager: HAND_OVER_MANAGER })
    .for(apps.Deployment)
    .apply({ metadata: { namespace, name, uid }, spec: { replicas } }, { signal });
}
