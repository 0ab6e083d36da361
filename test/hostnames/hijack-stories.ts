import { DomainClaim, GRPCRoute, Gateway, HTTPRoute, HostnameGrant, ListenerSet } from "@gatewright/resources";
import type { Actors } from "./hijack-world.ts";
import { POLICY_SETTINGS, TLSRoute, WIDE, anyKind } from "./hijack-world.ts";

/** One attempt. `refused`: the words it is refused with; without them it is taken. */
export interface Story {
  readonly what: string;
  readonly by: keyof Actors;
  readonly resource: ReturnType<typeof anyKind>;
  readonly namespace?: string;
  readonly name?: string;
  readonly spec: object;
  readonly refused?: RegExp;
}

const edge = POLICY_SETTINGS.edgeNamespace;
const [shop, none, forged] = ["hijack-shop", "hijack-none", "hijack-forged"];
const toPool = { parentRefs: [{ name: "gw-01", namespace: edge }] };
const listener = (hostname?: string) => ({
  name: "https",
  port: 443,
  protocol: "HTTPS",
  tls: { mode: "Terminate", options: { "gateway.opendi.com/acm-managed": "true" } },
  ...(hostname !== undefined && { hostname }),
});
const route = (what: string, hostnames: readonly string[], rest: Partial<Story> = {}): Story => ({
  what,
  by: "tenant",
  resource: anyKind(HTTPRoute),
  namespace: shop,
  spec: { ...toPool, hostnames },
  ...rest,
});

const ASK = /create a GatewayHostnameRequest for it in this namespace/;

export const stories: readonly Story[] = [
  route("a route for a granted hostname", ["shop.example.com"]),
  route("a route for a name below a granted wildcard", ["a.apps.example.com"]),
  route("a route for the granted wildcard itself", ["*.apps.example.com", "shop.example.com"]),
  route("a route without hostnames", [], { spec: toPool, refused: /spec.hostnames is needed/ }),
  route("a route with an empty list of hostnames", [], { refused: /spec.hostnames is needed/ }),
  route("a route for another's hostname", ["bank.example.com"], {
    refused: /hostname bank.example.com is not granted to namespace hijack-shop: create a GatewayHostnameRequest/,
  }),
  route("a route that hides another's hostname behind its own", ["shop.example.com", "bank.example.com"], {
    refused: /hostname bank.example.com is not granted/,
  }),
  route("a route with a wildcard over granted and other names", ["*.example.com"], { refused: ASK }),
  route("a route for two labels below a granted wildcard", ["a.b.apps.example.com"], { refused: ASK }),
  route("a route for the apex of a granted wildcard", ["apps.example.com"], { refused: ASK }),
  route("a route for a name that only ends like a granted one", ["evilshop.example.com"], { refused: ASK }),
  route("a route for another's hostname in capitals", ["BANK.example.com"], { refused: /spec.hostnames\[0\]/ }),
  route("a route for another's hostname with a dot at its end", ["bank.example.com."], {
    refused: /spec.hostnames\[0\]/,
  }),
  route("a route whose parent is named with group and kind", ["bank.example.com"], {
    spec: {
      parentRefs: [
        { name: "other" },
        { group: "gateway.networking.k8s.io", kind: "ListenerSet", name: "gw-01", namespace: edge },
      ],
      hostnames: ["bank.example.com"],
    },
    refused: ASK,
  }),
  route("a route with as many hostnames as it can have, of as many as can be granted", WIDE.slice(-16), {
    namespace: "hijack-wide",
  }),
  route("a route with one hostname too many", [...WIDE.slice(-15), "bank.example.com"], {
    namespace: "hijack-wide",
    refused: /hostname bank.example.com is not granted to namespace hijack-wide/,
  }),
  route("a route of a namespace that has no hostnames", ["shop.example.com"], {
    namespace: none,
    refused: /hostname shop.example.com is not granted to namespace hijack-none, which has none: create a Gateway/,
  }),
  route("a route without hostnames of a namespace that has none", [], {
    namespace: none,
    spec: toPool,
    refused: /a hostname is not granted to namespace hijack-none, which has none/,
  }),
  route("a route of a namespace whose label was forged", ["shop.example.com"], {
    namespace: forged,
    refused: /no params found/,
  }),
  route("a route to a Gateway of its own, of a namespace that has no hostnames", ["bank.example.com"], {
    namespace: none,
    spec: { parentRefs: [{ name: "mine" }], hostnames: ["bank.example.com"] },
  }),
  route("a route of a service mesh", ["bank.example.com"], {
    namespace: none,
    spec: { parentRefs: [{ group: "", kind: "Service", name: "bank", namespace: edge }] },
  }),
  route("a GRPCRoute for another's hostname", ["bank.example.com"], { resource: anyKind(GRPCRoute), refused: ASK }),
  route("a GRPCRoute for a granted hostname", ["shop.example.com"], { resource: anyKind(GRPCRoute) }),
  route("a TLSRoute for another's hostname", [], {
    resource: anyKind(TLSRoute),
    spec: { ...toPool, hostnames: ["bank.example.com"], rules: [{ backendRefs: [{ name: "a", port: 1 }] }] },
    refused: ASK,
  }),
  {
    what: "a ListenerSet for another's hostname",
    by: "tenant",
    resource: anyKind(ListenerSet),
    namespace: shop,
    spec: { parentRef: { name: "gw-01", namespace: edge }, listeners: [listener("bank.example.com")] },
    refused: ASK,
  },
  {
    what: "a ListenerSet for every hostname",
    by: "tenant",
    resource: anyKind(ListenerSet),
    namespace: shop,
    spec: { parentRef: { name: "gw-01", namespace: edge }, listeners: [listener()] },
    refused: /each listener needs a hostname/,
  },
  {
    what: "a ListenerSet for a granted hostname",
    by: "tenant",
    resource: anyKind(ListenerSet),
    namespace: shop,
    spec: { parentRef: { name: "gw-01", namespace: edge }, listeners: [listener("shop.example.com")] },
  },
  {
    what: "a Gateway of another team in the edge namespace",
    by: "tenant",
    resource: anyKind(Gateway),
    namespace: edge,
    spec: { gatewayClassName: "aws-alb", listeners: [listener("bank.example.com")] },
    refused: /are the operator's: make routes in your own namespace/,
  },
  route("a route in the edge namespace", ["bank.example.com"], { namespace: edge, refused: /are the operator's/ }),
  {
    what: "a Gateway of the operator in the edge namespace",
    by: "operator",
    resource: anyKind(Gateway),
    namespace: edge,
    spec: { gatewayClassName: "aws-alb", listeners: [listener("bank.example.com")] },
  },
  route("a route of the operator in the edge namespace", [], {
    by: "operator",
    namespace: edge,
    spec: { parentRefs: [{ name: "gw-01" }] },
  }),
  route("a route for another's hostname that the operator was talked into", ["bank.example.com"], {
    by: "operator",
    refused: ASK,
  }),
  {
    what: "a forged grant",
    by: "tenant",
    resource: anyKind(HostnameGrant),
    namespace: forged,
    name: "hostnames",
    spec: { namespace: forged, hostnames: ["bank.example.com"] },
    refused: /HostnameGrant hostnames is written by the operator alone: create a GatewayHostnameRequest/,
  },
  {
    what: "a grant of another name, which nobody looks at",
    by: "tenant",
    resource: anyKind(HostnameGrant),
    namespace: forged,
    name: "mine",
    spec: { namespace: forged, hostnames: ["bank.example.com"] },
  },
  {
    what: "a forged claim",
    by: "tenant",
    resource: anyKind(DomainClaim),
    name: "bank.example.com",
    spec: {
      zoneId: "A1231313",
      hostname: "bank.example.com",
      ownerRef: { namespace: shop, name: "bank", uid: "1" },
    },
    refused: /DomainClaims are written by the operator alone/,
  },
  {
    what: "a claim of the operator",
    by: "operator",
    resource: anyKind(DomainClaim),
    name: "bank.example.com",
    spec: {
      zoneId: "A1231313",
      hostname: "bank.example.com",
      ownerRef: { namespace: shop, name: "bank", uid: "1" },
    },
  },
];
