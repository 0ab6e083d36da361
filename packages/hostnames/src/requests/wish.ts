import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import type { WantedName } from "./wanted-names.ts";

/** On a request: the Gateway that its hostname is to be moved to. */
const MOVE_TO = "gateway.opendi.com/move-to";

export type Wish = NonNullable<Immutable<DomainClaim>["spec"]["wish"]>;

/** What a request asks for a hostname, as its claim holds it. Pure. Says all that the server would fill in, so that equal is equal. */
export function wishOf({ metadata, spec }: Immutable<GatewayHostnameRequest>, { redirectTo }: WantedName): Wish {
  const { environment, visibility, gatewayClass, routePolicy, certificate, wafArn, gatewaySelector } = spec;
  const { www: _www, ...dns } = spec.dns ?? {};
  const moveTo = metadata.annotations?.[MOVE_TO];
  return {
    ...(environment !== undefined && { environment }),
    visibility,
    gatewayClass,
    namespaces: allowedNamespaces(metadata.namespace ?? "", routePolicy),
    ...(routePolicy?.kinds !== undefined && { kinds: routePolicy.kinds }),
    ...(spec.dns !== undefined && { dns: { evaluateTargetHealth: true, ...dns } }),
    ...(certificate !== undefined && { certificate }),
    ...(wafArn !== undefined && { wafArn }),
    ...(gatewaySelector !== undefined && { gatewaySelector }),
    deletionPolicy: spec.deletionPolicy,
    ...(redirectTo !== undefined && { redirectTo }),
    ...(moveTo !== undefined && moveTo !== "" && { moveTo }),
  };
}

function allowedNamespaces(
  own: string,
  policy: Immutable<GatewayHostnameRequest>["spec"]["routePolicy"],
): readonly string[] {
  const further = policy?.namespaces ?? [];
  return policy?.autoAllow === false ? further : [own, ...further.filter((each) => each !== own)];
}

/** Whether a claim says what is wished for, and nothing else. */
export function isAsWished({ spec }: Immutable<DomainClaim>, wish: Wish): boolean {
  // Both are plain JSON; optional fields keep the compiler from seeing it.
  return deepEqual(spec.wish as Json | undefined, wish as unknown as Json);
}
