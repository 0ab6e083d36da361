import { AwsCallError } from "@gatewright/aws";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import { Gateway, ListenerSet, LoadBalancerConfiguration } from "@gatewright/resources";
import { after, done, generationChanged, updateStatus, withFinalizer } from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { cachedView, watchesOfView } from "./cluster/cached-view.ts";
import type { ClusterView } from "./cluster/cluster-view.ts";
import { ConfigurationError } from "./cluster/configuration.ts";
import { Dependents } from "./cluster/dependents.ts";
import { gatewayIndexes } from "./cluster/indexes.ts";
import { CONTROLLER_NAME, FINALIZERS } from "./controller-names.ts";
import type { Deployer } from "./deployer.ts";
import { buildModel } from "./model/build-model.ts";
import type { ModelOptions } from "./model/build-model.ts";
import { ModelError } from "./model/model.ts";
import type { GatewayModel } from "./model/model.ts";
import { outlineOf } from "./model/outline.ts";
import type { GatewayOutline } from "./model/outline.ts";
import {
  failedGatewayStatus,
  gatewayStatus,
  listenerSetStatus,
  refusedListenerSetStatus,
} from "./status/gateway-status.ts";
import type { Balancer } from "./status/gateway-status.ts";
import { targetsNow, targetWatches } from "./targets/target-groups.ts";

type Context = ReconcileContext<Gateway>;

export interface GatewaysOptions extends ModelOptions {
  readonly deployer: Deployer;
  /** How long until a load balancer that is being made is looked at again. */
  readonly provisioningMs: number;
  /** How long until a Gateway that AWS refused, or that lacks a certificate, is tried again. */
  readonly refusedMs: number;
}

const SEE_EVENTS = "Check Gateway Events for more information.";

/**
 * Makes a load balancer for each Gateway of our classes, with listeners, certificates, rules and target groups as its routes ask for.
 * All or nothing: what cannot be made keeps the whole Gateway as it is.
 */
export function gateways(options: GatewaysOptions): ControllerDefinition<Gateway> {
  const dependents = new Dependents();
  return {
    name: "gateways",
    for: Gateway,
    when: generationChanged,
    indexes: gatewayIndexes,
    watches: [...watchesOfView(dependents), ...targetWatches()],
    access: [
      { resource: Gateway, verbs: ["patch"] },
      { resource: Gateway, verbs: ["patch"], subresource: "status" },
      { resource: ListenerSet, verbs: ["patch"], subresource: "status" },
      { resource: LoadBalancerConfiguration, verbs: ["patch"], subresource: "status" },
    ],
    concurrency: 3,
    async reconcile(context) {
      const { key, ref, object, cached, signal } = context;
      if (object === undefined) {
        dependents.forget(key);
        return done();
      }
      const view = cachedView(dependents.reads(key, cached));
      const gatewayClass = view.gatewayClass(object.spec.gatewayClassName);
      const deleted = object.metadata.deletionTimestamp !== undefined;
      if (!deleted && gatewayClass?.spec.controllerName !== CONTROLLER_NAME) return done();
      return withFinalizer(context, {
        resource: Gateway,
        finalizer: FINALIZERS.gateway,
        reconcile: (gateway) => make(options, context, view, gateway),
        async cleanup() {
          await options.deployer.remove(stackOf(ref), signal);
          return done();
        },
      });
    },
  };
}

function stackOf({ namespace = "", name }: ObjectRef): string {
  return `${namespace}/${name}`;
}

async function make(
  options: GatewaysOptions,
  context: Context,
  view: ClusterView,
  gateway: Immutable<Gateway>,
): Promise<Outcome> {
  const { deployer } = options;
  const { cached, events, signal } = context;
  let reason = "FailedBuildModel";
  try {
    const { outline, model } = await modelOf(options, view, gateway, signal);
    reason = "FailedDeployModel";
    const { balancer, steps } = await deployer.deploy(model, (binding) => targetsNow(cached, binding), signal);
    if (steps > 0)
      events.record(gateway, { type: "Normal", reason: "SuccessfullyReconciled", note: "Successfully reconciled" });
    await tell(context, outline, balancer);
    return balancer.active ? done() : after(options.provisioningMs);
  } catch (error) {
    const told = explain(error);
    if (told === undefined) throw error;
    await deployer.recall(stackOf(context.ref), signal);
    const doing = reason === "FailedBuildModel" ? "build" : "deploy";
    events.record(gateway, { type: "Warning", reason, note: `Failed ${doing} model due to ${told.note}` });
    await updateStatus(
      context.client,
      Gateway,
      gateway,
      failedGatewayStatus(gateway, told.message, context.clock.now()),
      {
        signal,
      },
    );
    return told.changesLead ? done() : after(options.refusedMs);
  }
}

/** Whatever is read of the cluster is noted as it is read, so a change while AWS is asked leads to another look. */
async function modelOf(
  options: GatewaysOptions,
  view: ClusterView,
  gateway: Immutable<Gateway>,
  signal: AbortSignal,
): Promise<{ readonly outline: GatewayOutline; readonly model: GatewayModel }> {
  const gatewayClass = view.gatewayClass(gateway.spec.gatewayClassName);
  if (gatewayClass === undefined) throw new ConfigurationError("the class of the Gateway does not exist");
  const outline = outlineOf(view, gateway, gatewayClass);
  const discovers = outline.ports.some(({ certificates }) => certificates?.kind === "discovered");
  const known = discovers ? await options.deployer.certificates(signal) : [];
  return { outline, model: buildModel(view, outline, known, options) };
}

/** What users are told of a failure that they can do something about. Trouble that passes is only tried again. */
function explain(
  error: unknown,
): { readonly message: string; readonly note: string; readonly changesLead: boolean } | undefined {
  if (error instanceof ConfigurationError) {
    return { message: error.message, note: error.message, changesLead: true };
  }
  if (error instanceof ModelError) return { message: SEE_EVENTS, note: error.message, changesLead: false };
  const lasting = error instanceof AwsCallError && (error.kind === "terminal" || error.kind === "absent");
  return lasting ? { message: SEE_EVENTS, note: error.message, changesLead: false } : undefined;
}

async function tell(context: Context, outline: GatewayOutline, balancer: Balancer): Promise<void> {
  const { client, clock, signal } = context;
  const { gateway, listeners, configuration } = outline;
  const now = clock.now();
  await updateStatus(client, Gateway, gateway, gatewayStatus(outline, balancer, now), { signal });
  for (const set of listeners.sets) {
    const status = listenerSetStatus(outline, set, balancer.active, now);
    await updateStatus(client, ListenerSet, set, status, { signal });
  }
  for (const { set, message } of listeners.refused) {
    await updateStatus(client, ListenerSet, set, refusedListenerSetStatus(set, message, now), { signal });
  }
  const { ofGateway, ofClass } = configuration;
  if (ofGateway !== undefined) {
    const status = { observedGatewayConfigurationGeneration: ofGateway.metadata.generation ?? 0 };
    await updateStatus(client, LoadBalancerConfiguration, ofGateway, { ...ofGateway.status, ...status }, { signal });
  }
  if (ofClass !== undefined) {
    const status = { observedGatewayClassConfigurationGeneration: ofClass.metadata.generation ?? 0 };
    await updateStatus(client, LoadBalancerConfiguration, ofClass, { ...ofClass.status, ...status }, { signal });
  }
}
