import type { Immutable, Resource } from "@gatewright/kube";
import { keyOf } from "@gatewright/kube";
import { apps, autoscaling, batch, core } from "@gatewright/kube/api";
import { Application, GatewayHostnameRequest, HTTPRoute, TargetGroupConfiguration } from "@gatewright/resources";
import {
  after,
  done,
  isNamespaceEnding,
  NotOwnedError,
  ObjectGoneError,
  ownedBy,
  retry,
  watching,
} from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, Owned, ReconcileContext } from "@gatewright/runtime";
import { APPLICATION_LABEL, applicationOf } from "./children/names.ts";
import { decide, leftovers } from "./decide.ts";
import { OutdatedError, perform } from "./effects.ts";
import { BY_APPLICATION, observe } from "./observation.ts";
import { obstacleOf } from "./obstacle.ts";
import { judge } from "./status/judge.ts";
import type { Trouble } from "./status/verdict.ts";
import { writeStatus } from "./status/write-status.ts";

/** How often it is looked whether a name that was taken is free: objects of others are not watched. */
const LOOK_AGAIN_MS = 30_000;

const CHILDREN = [
  apps.Deployment,
  batch.Job,
  core.Service,
  core.ConfigMap,
  autoscaling.HorizontalPodAutoscaler,
] as const;

export interface ApplicationsOptions {
  /** Shares the watches of a process that follows all Deployments, Services and pods anyway. Default: false. */
  readonly watchAll?: boolean;
  /**
   * Whether Applications can have hostnames. Needs the kinds GatewayHostnameRequest, HTTPRoute and TargetGroupConfiguration in the
   * cluster: where one is missing the controller waits for it. Default: false.
   */
  readonly expose?: boolean;
  /** In which version the AWS Load Balancer Controller serves TargetGroupConfigurations. Default: the newest. */
  readonly gatewayAwsVersion?: "v1" | "v1beta1";
}

/**
 * Runs each Application as a Deployment, or as a Job, with its Service, ConfigMap and autoscaler, and says in its status how that
 * goes. Children go with their owner. Only objects that carry the Application's label are watched, so the cache stays as small as
 * what is run.
 */
export function applications({
  watchAll = false,
  expose = false,
  gatewayAwsVersion: version = "v1",
}: ApplicationsOptions = {}): ControllerDefinition<Application> {
  const children = ownedBy(Application);
  const scope = watchAll ? {} : { labelSelector: APPLICATION_LABEL };
  const targetKind = expose ? { ...TargetGroupConfiguration, version } : undefined;
  const kinds =
    targetKind === undefined ? CHILDREN : [...CHILDREN, GatewayHostnameRequest, HTTPRoute, targetKind as Resource];
  const indexes = { [BY_APPLICATION]: keysOfApplication };
  return {
    name: "applications",
    for: Application,
    watches: [...kinds, core.Pod].map((resource) => watching(resource, { map: applicationOf, scope, indexes })),
    access: [
      ...kinds.map((resource) => ({ resource, verbs: ["create", "patch", "delete"] as const })),
      { resource: Application, verbs: ["patch"], subresource: "status" },
      // Clusters that enforce who may block a deletion ask for it.
      { resource: Application, verbs: ["update"], subresource: "finalizers" },
    ],
    concurrency: 8,
    async reconcile(context) {
      const { object: app } = context;
      if (app === undefined || app.metadata.deletionTimestamp !== undefined) return done();
      try {
        return await reconcile(context, children, app, { targetKind });
      } catch (error) {
        // The cache is behind; when it has caught up there is another run, or nothing left to do.
        if (error instanceof ObjectGoneError || error instanceof OutdatedError) return done();
        throw error;
      }
    },
  };
}

async function reconcile(
  context: ReconcileContext<Application>,
  children: Owned<Application>,
  app: Immutable<Application>,
  options: Parameters<typeof observe>[2],
): Promise<Outcome> {
  let [obstacle, outcome]: [Trouble | undefined, Outcome] = [undefined, done()];
  try {
    for (const effect of decide(observe(context, app, options))) await perform(context, children, app, effect);
    for (const effect of leftovers(observe(context, app, options))) await perform(context, children, app, effect);
  } catch (error) {
    // All of it goes, and the Application with it: nothing is wrong, and nothing is left to be made.
    if (!isNamespaceEnding(error)) {
      obstacle = obstacleOf(error, app, context.cached);
      if (obstacle === undefined) throw error;
      outcome = error instanceof NotOwnedError ? after(LOOK_AGAIN_MS) : retry(error);
    }
  }
  await writeStatus(context, app, judge(observe(context, app, options), obstacle));
  return outcome;
}

function keysOfApplication(object: Parameters<typeof applicationOf>[0]): readonly string[] {
  return applicationOf(object).map(keyOf);
}
