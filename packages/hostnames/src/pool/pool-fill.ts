import { isObject } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import type { Claim } from "../claims/claim.ts";
import type { HostnameSettings } from "../settings.ts";
import { MOST_HOSTNAMES } from "./choose-gateway.ts";
import { gatewaysOf } from "./claim-view.ts";
import { gatewayLoad } from "./gateway-load.ts";
import type { Route } from "./gateway-load.ts";
import { LIMITS_ANNOTATION, POOL_LABEL } from "./pool-names.ts";

/** How much of one limit of a load balancer is used. */
export interface LimitFill {
  readonly limit: "certificates" | "rules" | "targetGroups" | "hostnames";
  readonly used: number;
  readonly most: number;
}

/** What a load balancer may have, as its Gateway says it to people: the operator learns it from the account. */
export function limitsText(settings: Pick<HostnameSettings, "limits" | "listeners" | "defaultCertificateArn">): string {
  const { limits, listeners, defaultCertificateArn } = settings;
  const { certificates, rules, targetGroups } = limits;
  return JSON.stringify({
    // A default one has a place of its own; where the platform has none, the hostnames' oldest takes it.
    certificates: defaultCertificateArn === undefined ? certificates + 1 : certificates,
    rules,
    targetGroups,
    ...(listeners === "gateways" && { hostnames: MOST_HOSTNAMES }),
  });
}

/**
 * How full a Gateway of the pool is, counted as placement counts it, by these claims and routes; undefined for other Gateways, and
 * for those whose limits nobody has written yet.
 */
export function poolFill(
  { metadata }: Immutable<Gateway>,
  claims: readonly Claim[],
  routes: readonly Route[],
): readonly LimitFill[] | undefined {
  const { namespace = "", name = "", labels, annotations } = metadata;
  if (labels?.[POOL_LABEL] !== "true") return undefined;
  const limits = readLimits(annotations?.[LIMITS_ANNOTATION]);
  if (limits === undefined) return undefined;
  const here = claims.filter((claim) => gatewaysOf(claim).includes(name));
  const { certificates, rules, targetGroups, hostnames } = gatewayLoad({ namespace, name }, here, routes);
  const used = { certificates: certificates.size, rules, targetGroups, hostnames };
  return (["certificates", "rules", "targetGroups", "hostnames"] as const).flatMap((limit) => {
    const most = limits[limit];
    return typeof most === "number" ? [{ limit, used: used[limit], most }] : [];
  });
}

function readLimits(text: string | undefined): Readonly<Record<string, Json>> | undefined {
  try {
    const value = JSON.parse(text ?? "") as Json;
    return isObject(value) ? value : undefined;
  } catch {
    // Nobody has written them, or somebody else wrote something there.
    return undefined;
  }
}
