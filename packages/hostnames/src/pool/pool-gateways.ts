import type { Immutable } from "@gatewright/kube";
import type { Gateway, LoadBalancerConfiguration } from "@gatewright/resources";
import { wishOf } from "../claims/claim.ts";
import type { Claim, Wish } from "../claims/claim.ts";
import { olderFirst } from "./claim-view.ts";
import {
  DRAINING_ANNOTATION,
  gatewayNumber,
  POOL_LABEL,
  RETIRING_ANNOTATION,
  VISIBILITY_ANNOTATION,
  WAF_ANNOTATION,
} from "./pool-names.ts";

/** What a Gateway is for, which never changes: another visibility or web ACL is another load balancer. */
export interface GatewayProfile {
  readonly visibility: string;
  readonly gatewayClass: string;
  readonly wafArn: string | undefined;
}

/** A Gateway of the edge namespace as placement sees it. */
export interface PoolGateway extends GatewayProfile {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Whether it takes more hostnames: it is of the pool, and neither draining nor going. */
  readonly open: boolean;
}

/** A Gateway that is there. */
export function poolGateway({ metadata, spec }: Immutable<Gateway>): PoolGateway {
  const { name = "", annotations = {}, labels = {} } = metadata;
  const going = metadata.deletionTimestamp !== undefined || annotations[RETIRING_ANNOTATION] !== undefined;
  return {
    name,
    visibility: annotations[VISIBILITY_ANNOTATION] ?? "",
    gatewayClass: spec.gatewayClassName,
    wafArn: annotations[WAF_ANNOTATION],
    labels,
    open:
      gatewayNumber(name) !== undefined &&
      labels[POOL_LABEL] === "true" &&
      !going &&
      annotations[DRAINING_ANNOTATION] !== "true",
  };
}

/** A Gateway that claims are placed on and that is not there yet: it will be what the oldest of them wishes for. */
export function plannedGateway(name: string, claims: readonly Claim[]): PoolGateway | undefined {
  const [oldest] = claims.filter(({ status }) => status?.gateway === name).toSorted(olderFirst);
  if (oldest === undefined) return undefined;
  const labels = { [POOL_LABEL]: "true", ...labelsFor(claims) };
  return { name, ...profileOf(wishOf(oldest)), labels, open: true };
}

export function profileOf({ visibility, gatewayClass, wafArn }: Wish): GatewayProfile {
  return { visibility, gatewayClass, wafArn };
}

/**
 * What a Gateway is for, as it and its settings say; where they contradict each other somebody has changed one of them, and what the
 * oldest hostname there wishes for decides. A Gateway that is not there yet becomes what that one wishes for.
 */
export function profileFrom(
  gateway: Immutable<Gateway> | undefined,
  configuration: Immutable<LoadBalancerConfiguration> | undefined,
  wished: GatewayProfile | undefined,
): GatewayProfile {
  const { annotations = {} } = gateway?.metadata ?? {};
  const { scheme, wafV2 } = configuration?.spec ?? {};
  if (gateway === undefined) return wished ?? { visibility: "internal", gatewayClass: "", wafArn: undefined };
  const said = annotations[VISIBILITY_ANNOTATION];
  const isSettled = said === scheme || scheme === undefined || wished === undefined;
  const visibility = isSettled ? (scheme ?? said) : wished.visibility;
  const wafArn = configuration === undefined ? annotations[WAF_ANNOTATION] : wafV2?.webACL;
  return {
    visibility: visibility ?? wished?.visibility ?? "internal",
    gatewayClass: gateway.spec.gatewayClassName,
    wafArn: wafArn === annotations[WAF_ANNOTATION] || wished === undefined ? wafArn : wished.wafArn,
  };
}

/**
 * Labels that a Gateway has because hostnames on it ask for them: a new one is made so that the selector finds it, and a label stays
 * for as long as somebody asks for it. Labels of the pool itself cannot be asked for.
 */
export function labelsFor(claims: readonly Claim[]): Readonly<Record<string, string>> {
  return labelsOf(claims.map((claim) => wishOf(claim).gatewaySelector));
}

/** Labels that let these selectors find who has them, as far as that is possible. */
export function labelsOf(selectors: readonly Wish["gatewaySelector"][]): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const selector of selectors) {
    const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
    const asked = [
      ...Object.entries(matchLabels),
      ...matchExpressions.flatMap(({ key, operator, values = [] }): [string, string][] =>
        operator === "In" && values[0] !== undefined ? [[key, values[0]]] : [],
      ),
    ];
    for (const [key, value] of asked) {
      if (!key.startsWith("gateway.opendi.com/") && !labels.has(key)) labels.set(key, value);
    }
  }
  return Object.fromEntries(labels);
}
