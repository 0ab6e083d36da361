import type { Immutable } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import { wishOf } from "../claims/claim.ts";
import type { Claim } from "../claims/claim.ts";
import { HTTP_LISTENER, HTTPS_LISTENER } from "./pool-names.ts";

export type Listener = Immutable<Gateway>["spec"]["listeners"][number];

const GROUP = "gateway.networking.k8s.io";
const KINDS = ["HTTPRoute", "GRPCRoute"] as const;
/** The one label of namespaces that nobody can forge: the API server sets it. */
const NAMESPACE_NAME = "kubernetes.io/metadata.name";
const MANAGED = "gateway.opendi.com/acm-managed";

/** Load balancers take certificates from their configuration; the option is there since TLS needs certificates or an option. */
const TLS = { mode: "Terminate", options: { [MANAGED]: "true" } } as const;

const forOwnRoutes = {
  namespaces: { from: "Same" },
  kinds: [{ group: GROUP, kind: "HTTPRoute" }],
} as const;

/** Port 80, where everybody is sent to HTTPS. */
export const httpListener: Listener = { name: HTTP_LISTENER, port: 80, protocol: "HTTP", allowedRoutes: forOwnRoutes };

/** Port 443 for names that nobody has. */
export const httpsListener: Listener = {
  name: HTTPS_LISTENER,
  port: 443,
  protocol: "HTTPS",
  tls: TLS,
  allowedRoutes: forOwnRoutes,
};

/** The listener of a hostname: routes of the claim's namespaces may attach, and no others. */
export function hostnameListener(claim: Claim, edgeNamespace: string): Listener {
  const { namespaces, kinds = KINDS, redirectTo } = wishOf(claim);
  const allowed = redirectTo === undefined ? namespaces : [edgeNamespace];
  const values = [...new Set(allowed)].toSorted();
  const expression =
    values.length === 0
      ? { key: NAMESPACE_NAME, operator: "DoesNotExist" }
      : { key: NAMESPACE_NAME, operator: "In", values };
  return {
    name: claim.metadata.name ?? "",
    hostname: claim.spec.hostname,
    port: 443,
    protocol: "HTTPS",
    tls: TLS,
    allowedRoutes: {
      namespaces: { from: "Selector", selector: { matchExpressions: [expression] } },
      kinds: KINDS.filter((kind) => kinds.includes(kind)).map((kind) => ({ group: GROUP, kind })),
    },
  };
}

/** Whether a listener is one that the pool made for a hostname. */
export function isOfHostname({ name, tls }: Listener): boolean {
  return name !== HTTPS_LISTENER && tls?.options?.[MANAGED] === "true";
}
