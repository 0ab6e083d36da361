import type { Immutable } from "@gatewright/kube";
import type { Gateway, ListenerSet, LoadBalancerConfiguration } from "@gatewright/resources";
import { isTrue } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import { canonicalZoneOf } from "./canonical-zone.ts";
import type { Claim } from "../claims/claim.ts";
import { namedBy } from "./certificates-on.ts";
import { configurationName, listenerSetName, ZONE_ANNOTATION } from "./pool-names.ts";

/** The objects that tell how a claim fares on a Gateway, as the cache has them. */
export interface GatewayObjects {
  readonly gateway: Immutable<Gateway> | undefined;
  readonly configuration: Immutable<LoadBalancerConfiguration> | undefined;
  /** That of the claim; undefined where listeners are on Gateways. */
  readonly listenerSet?: Immutable<ListenerSet> | undefined;
}

export interface LoadBalancerView {
  readonly dnsName: string;
  /** Undefined while it is not known; the pool asks AWS for it where the name does not tell, and notes it on the Gateway. */
  readonly zoneId: string | undefined;
  readonly dualStack: boolean;
  /** As the load balancer controller tells it; undefined when it does not. */
  readonly arn: string | undefined;
}

/** What a claim needs to know of a Gateway. */
export interface GatewayState {
  /** The hostname's listener is programmed, as it was last written, and its certificate is in force there. */
  readonly attached: boolean;
  readonly loadBalancer: LoadBalancerView | undefined;
  readonly reason: string;
  readonly message: string;
}

type Listeners = Pick<Immutable<Gateway>, "metadata" | "status"> & {
  readonly spec: Pick<Immutable<Gateway>["spec"], "listeners">;
};

/** What {@link gatewayState} and {@link stillServes} look at: names of a claim's objects on a Gateway. */
export function objectNames(gateway: string, claim: Claim) {
  return {
    configuration: configurationName(gateway),
    listenerSet: listenerSetName(gateway, claim.metadata.name ?? ""),
  };
}

/** How a claim fares on a Gateway. Pure, and nothing but what statuses say of the newest generations. */
export function gatewayState(claim: Claim, objects: GatewayObjects): GatewayState {
  const { gateway, configuration } = objects;
  const loadBalancer = gateway && loadBalancerOf(gateway, configuration);
  const state = (attached: boolean, reason: string, message: string): GatewayState => ({
    attached,
    loadBalancer,
    reason,
    message,
  });
  const arn = claim.status?.certificate?.arn;
  const waiting = REASONS.WaitingForGateway.reason;
  if (gateway === undefined || gateway.metadata.deletionTimestamp !== undefined) {
    return state(false, waiting, "The Gateway is not there yet.");
  }
  const name = gateway.metadata.name ?? "";
  if (arn === undefined || !namedBy(configuration).includes(arn)) {
    return state(false, waiting, `The certificate is not on Gateway ${name} yet.`);
  }
  const holder: Listeners | undefined = [gateway, objects.listenerSet].find((each) => listenerIn(each, claim));
  if (holder === undefined) return state(false, waiting, `Gateway ${name} has no listener for the hostname yet.`);
  const problem = problemOf(gateway, holder, claim);
  if (problem !== undefined) return state(false, problem.reason, problem.message);
  if (!isInForce(configuration)) {
    return state(false, waiting, `The load balancer of Gateway ${name} does not have the newest certificates yet.`);
  }
  if (loadBalancer === undefined) return state(false, waiting, `Gateway ${name} has no address yet.`);
  return state(true, REASONS.Attached.reason, `Gateway ${name} serves the hostname.`);
}

/**
 * Whether a Gateway may still serve the hostname of a claim that is leaving it. False only when it is certain: the Gateway is gone, or
 * it is programmed without the listener.
 */
export function stillServes(claim: Claim, { gateway, listenerSet }: GatewayObjects): boolean {
  if (gateway === undefined) return false;
  if (listenerIn(gateway, claim) || listenerSet !== undefined) return true;
  if (gateway.status?.listeners?.some(({ name }) => name === claim.metadata.name) === true) return true;
  return !isTrue(gateway.status?.conditions, "Programmed", gateway.metadata.generation);
}

function listenerIn(holder: Listeners | undefined, { metadata, spec }: Claim): boolean {
  return (
    holder?.spec.listeners.some(({ name, hostname }) => name === metadata.name && hostname === spec.hostname) === true
  );
}

/** What the Gateway API has controllers say while they are at it. */
const PENDING = "Pending";

/** Why the listener is not programmed: nobody has said so yet, or somebody says no. Undefined when it is. */
function problemOf(
  gateway: Immutable<Gateway>,
  holder: Listeners,
  claim: Claim,
): Pick<GatewayState, "reason" | "message"> | undefined {
  const listener = holder.status?.listeners?.find(({ name }) => name === claim.metadata.name);
  for (const [type, what, conditions, { generation }] of [
    ["Accepted", "Gateway", gateway.status?.conditions, gateway.metadata],
    ["Programmed", "Gateway", gateway.status?.conditions, gateway.metadata],
    ["Accepted", "listener", listener?.conditions, holder.metadata],
    ["Programmed", "listener", listener?.conditions, holder.metadata],
  ] as const) {
    if (isTrue(conditions, type, generation)) continue;
    const condition = conditions?.find((each) => each.type === type);
    const name = gateway.metadata.name ?? "";
    const whose = what === "Gateway" ? `Gateway ${name}` : `The listener on Gateway ${name}`;
    const saysNo = condition?.status === "False" && condition.observedGeneration === generation;
    if (!saysNo || condition.reason === PENDING) {
      return { reason: REASONS.WaitingForGateway.reason, message: `${whose} is not ${type} yet.` };
    }
    const why = `${condition.reason}${condition.message === "" ? "" : `: ${condition.message}`}`;
    return { reason: REASONS.GatewayNotProgrammed.reason, message: `${whose} is not ${type}: ${why}` };
  }
  return undefined;
}

/** Older controllers do not tell which settings are in force; then the Gateway's own status has to do. */
function isInForce(configuration: Immutable<LoadBalancerConfiguration> | undefined): boolean {
  const observed = configuration?.status?.observedGatewayConfigurationGeneration;
  return observed === undefined || observed === configuration?.metadata.generation;
}

const ARN = /^arn:[^:]+:elasticloadbalancing:\S+$/;

function loadBalancerOf(
  { metadata, status }: Immutable<Gateway>,
  configuration: Immutable<LoadBalancerConfiguration> | undefined,
): LoadBalancerView | undefined {
  const dnsName = status?.addresses?.find(({ type }) => type === "Hostname")?.value;
  if (dnsName === undefined) return undefined;
  const message = status?.conditions.find(({ type }) => type === "Programmed")?.message ?? "";
  return {
    dnsName,
    zoneId: canonicalZoneOf(dnsName) ?? metadata.annotations?.[ZONE_ANNOTATION],
    dualStack: configuration?.spec?.ipAddressType?.startsWith("dualstack") === true,
    arn: ARN.test(message) ? message : undefined,
  };
}
