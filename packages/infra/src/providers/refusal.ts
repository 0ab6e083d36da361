import { isIP } from "node:net";
import { REASONS } from "../reasons.ts";
import type { Reason } from "../reasons.ts";
import { mayUse } from "./allowed-roles.ts";
import { isRefusedAddress } from "./refused-address.ts";
import type { ProviderSettings } from "./settings.ts";
import type { Way } from "./way.ts";

/** Why a provider is not as it should be. */
export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
}

/** Whether an endpoint is one that the platform named, and so is not held to what those of tenants are. */
export function isTrusted(endpoint: string, trusted: readonly string[]): boolean {
  const origin = URL.parse(endpoint)?.origin;
  return origin !== undefined && trusted.some((each) => URL.parse(each)?.origin === origin);
}

/** What of a way the platform does not allow, before anybody is asked. Pure. */
export function refusalOf(
  way: Way,
  namespace: string,
  settings: ProviderSettings,
  ownEndpoint: string | undefined,
): Refusal | undefined {
  return endpointRefusal(way, settings, ownEndpoint) ?? roleRefusal(way, namespace, settings);
}

function endpointRefusal(
  { endpoint, identity }: Way,
  { trustedEndpoints, tenantEndpoints, loopbackEndpoints: loopback }: ProviderSettings,
  ownEndpoint: string | undefined,
): Refusal | undefined {
  if (endpoint === undefined) return undefined;
  const refused = (message: string): Refusal => ({ reason: REASONS.EndpointNotAllowed, message });
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol)) return refused("The endpoint is no URL of HTTP.");
  if (url.username !== "" || url.password !== "") return refused("The endpoint has a user in it.");
  if (isTrusted(endpoint, [...trustedEndpoints, ...(ownEndpoint === undefined ? [] : [ownEndpoint])])) return undefined;
  if (!tenantEndpoints) return refused("The endpoint is not one that the platform trusts.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0 && isRefusedAddress(host, { loopback })) {
    return refused(`The endpoint is at ${host}, where no provider may go.`);
  }
  return identity.from === "secret"
    ? undefined
    : refused("The endpoint would be shown the operator's own identity, and is not one that the platform trusts.");
}

function roleRefusal(
  { identity, assume }: Way,
  namespace: string,
  { allowedRoles }: ProviderSettings,
): Refusal | undefined {
  if (identity.from === "secret") return undefined;
  const refused = (what: string): Refusal => ({
    reason: REASONS.RoleNotAllowed,
    message: `Namespace ${namespace} may not ${what}.`,
  });
  if (identity.from === "role" && !mayUse(allowedRoles, namespace, { role: identity.roleArn })) {
    return refused(`use the role ${identity.roleArn}`);
  }
  if (assume !== undefined && !mayUse(allowedRoles, namespace, { role: assume.roleArn })) {
    return refused(`use the role ${assume.roleArn}`);
  }
  const actsAsOperator = identity.from === "own" && assume === undefined;
  return actsAsOperator && !mayUse(allowedRoles, namespace, "own") ? refused("act as the operator itself") : undefined;
}
