import type { Json, JsonObject } from "@gatewright/kube";
import { Gateway, GatewayClass, ListenerSet } from "@gatewright/resources";
import { casesOf, statusCasesOf, times } from "./case.ts";
import type { Case, Line } from "./case.ts";

const http = { name: "http", port: 80, protocol: "HTTP" };
const https = { name: "https", port: 443, protocol: "HTTPS" };
const gateway = (fields: JsonObject): JsonObject => ({ gatewayClassName: "alb", listeners: [http], ...fields });
const listeners = (...list: Json[]): JsonObject => gateway({ listeners: list });
const secret = { certificateRefs: [{ name: "cert" }] };
const addresses = (...list: Json[]): JsonObject => gateway({ addresses: list });
const first = "spec.listeners[0]";

/** Lines about listeners, which Gateways and ListenerSets share. */
const listenerLines = (spec: (...list: Json[]) => JsonObject): Line[] => [
  ["a listener", spec(http)],
  ["HTTPS without tls", spec(https)],
  ["HTTPS with a certificate", spec({ ...https, tls: secret })],
  ["HTTPS with options", spec({ ...https, tls: { options: { "example.com/a": "b" } } })],
  ["HTTPS with an empty tls", spec({ ...https, tls: {} }), `${first}.tls`],
  [
    "HTTPS with empty certificates and options",
    spec({ ...https, tls: { certificateRefs: [], options: {} } }),
    `${first}.tls`,
  ],
  ["HTTPS that passes through", spec({ ...https, tls: { mode: "Passthrough" } }), "spec.listeners"],
  ["TLS that passes through", spec({ ...https, protocol: "TLS", tls: { mode: "Passthrough" } })],
  ["TLS without tls", spec({ ...https, protocol: "TLS" }), "spec.listeners"],
  ["an unknown mode", spec({ ...https, tls: { mode: "Off" } }), `${first}.tls.mode`],
  ["HTTP with tls", spec({ ...http, tls: secret }), "spec.listeners"],
  ["TCP with tls", spec({ ...http, protocol: "TCP", tls: secret }), "spec.listeners"],
  ["TCP with a hostname", spec({ ...http, protocol: "TCP", hostname: "a.com" }), "spec.listeners"],
  ["a protocol with a domain", spec({ ...http, protocol: "example.com/bar" })],
  ["a protocol with a space", spec({ ...http, protocol: "a b" }), `${first}.protocol`],
  ["no protocol", spec({ name: "a", port: 1 }), `${first}.protocol`],
  ["no port", spec({ name: "a", protocol: "HTTP" }), `${first}.port`],
  ["port 0", spec({ ...http, port: 0 }), `${first}.port`],
  ["a port as text", spec({ ...http, port: "80" }), `${first}.port`],
  [
    "two names on a port, by hostname",
    spec({ ...https, hostname: "a.com" }, { ...https, name: "b", hostname: "b.com" }),
  ],
  ["one with a hostname and one without", spec(https, { ...https, name: "b", hostname: "b.com" })],
  [
    "the same port and hostname",
    spec(...times(2, (n) => ({ ...https, name: `l${n}`, hostname: "a.com" }))),
    "spec.listeners",
  ],
  ["the same port without hostname", spec(http, { ...http, name: "b" }), "spec.listeners"],
  ["the same port with another protocol", spec(http, { ...http, name: "b", protocol: "UDP" })],
  ["a name twice", spec(http, { ...https, name: "http" }), "spec.listeners[1]"],
  ["a name in capitals", spec({ ...http, name: "Http" }), `${first}.name`],
  ["a wildcard", spec({ ...https, hostname: "*.example.com" })],
  ["a hostname that is an empty text", spec({ ...https, hostname: "" }), `${first}.hostname`],
  ["no listeners", spec(), "spec.listeners"],
  ["64 listeners", spec(...times(64, (n) => ({ ...http, name: `l${n}`, port: n + 1 })))],
  ["65 listeners", spec(...times(65, (n) => ({ ...http, name: `l${n}`, port: n + 1 }))), "spec.listeners"],
  [
    "routes of namespaces by label",
    spec({ ...http, allowedRoutes: { namespaces: { from: "Selector", selector: { matchLabels: { a: "b" } } } } }),
  ],
  [
    "a selector with an operator of its own",
    spec({
      ...http,
      allowedRoutes: { namespaces: { selector: { matchExpressions: [{ key: "a", operator: "Like" }] } } },
    }),
  ],
  [
    "a selector without key",
    spec({ ...http, allowedRoutes: { namespaces: { selector: { matchExpressions: [{ operator: "In" }] } } } }),
    `${first}.allowedRoutes.namespaces.selector.matchExpressions[0].key`,
  ],
  [
    "routes of nowhere",
    spec({ ...http, allowedRoutes: { namespaces: { from: "None" } } }),
    `${first}.allowedRoutes.namespaces.from`,
  ],
  [
    "kinds of routes",
    spec({ ...http, allowedRoutes: { kinds: [{ kind: "HTTPRoute" }, { group: "", kind: "Thing" }] } }),
  ],
  [
    "9 kinds of routes",
    spec({ ...http, allowedRoutes: { kinds: times(9, (n) => ({ kind: `K${n}` })) } }),
    `${first}.allowedRoutes.kinds`,
  ],
];

const gatewayLines: Line[] = [
  ["no class", { listeners: [http] }, "spec.gatewayClassName"],
  ["an empty class", gateway({ gatewayClassName: "" }), "spec.gatewayClassName"],
  ["no listeners at all", { gatewayClassName: "alb" }, "spec.listeners"],
  ["an IPv4 address", addresses({ value: "10.0.0.1" })],
  ["an IPv6 address", addresses({ value: "2001:db8::1" })],
  ["an IPv4 address inside of IPv6", addresses({ value: "::ffff:10.0.0.1" })],
  ["no address in particular", addresses({ type: "IPAddress" })],
  ["an address that is none", addresses({ value: "10.0.0.256" }), "spec.addresses[0].value"],
  ["a hostname as address", addresses({ type: "Hostname", value: "a.example.com" })],
  ["a hostname that is none", addresses({ type: "Hostname", value: "a b" }), "spec.addresses[0]"],
  ["any hostname", addresses({ type: "Hostname" })],
  ["a named address", addresses({ type: "example.com/pool", value: "blue" })],
  ["an unknown type", addresses({ type: "Street", value: "a" }), "spec.addresses[0].type"],
  ["an address twice", addresses({ value: "10.0.0.1" }, { value: "10.0.0.1" }), "spec.addresses"],
  ["a hostname twice", addresses(...times(2, () => ({ type: "Hostname", value: "a.com" }))), "spec.addresses"],
  ["any address twice", addresses({}, {})],
  ["17 addresses", addresses(...times(17, (n) => ({ value: `10.0.0.${n}` }))), "spec.addresses"],
  [
    "infrastructure",
    gateway({
      infrastructure: {
        labels: { "a.b/c": "d" },
        annotations: { e: "f g" },
        parametersRef: { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: "edge" },
      },
    }),
  ],
  [
    "parameters in another namespace, which is dropped",
    gateway({ infrastructure: { parametersRef: { group: "a.b", kind: "C", name: "d", namespace: "e" } } }),
  ],
  ["a label key with a space", gateway({ infrastructure: { labels: { "a b": "c" } } }), "spec.infrastructure.labels"],
  [
    "a label key that is too long",
    gateway({ infrastructure: { labels: { ["a".repeat(64)]: "c" } } }),
    "spec.infrastructure.labels",
  ],
  [
    "a domain of a key that is too long",
    gateway({ infrastructure: { annotations: { [`${"a".repeat(253)}/b`]: "c" } } }),
    "spec.infrastructure.annotations",
  ],
  ["a label value with a space", gateway({ infrastructure: { labels: { a: "b c" } } }), "spec.infrastructure.labels.a"],
  [
    "9 labels",
    gateway({ infrastructure: { labels: Object.fromEntries(times(9, (n) => [`l${n}`, ""])) } }),
    "spec.infrastructure.labels",
  ],
  ["listeners from everywhere", gateway({ allowedListeners: { namespaces: { from: "All" } } })],
  [
    "listeners from anywhere else",
    gateway({ allowedListeners: { namespaces: { from: "Elsewhere" } } }),
    "spec.allowedListeners.namespaces.from",
  ],
  ["listeners by the default", gateway({ allowedListeners: {} })],
  [
    "client certificates",
    gateway({
      tls: {
        frontend: { default: { validation: { caCertificateRefs: [{ group: "", kind: "ConfigMap", name: "ca" }] } } },
      },
    }),
  ],
  [
    "client certificates of no authority",
    gateway({ tls: { frontend: { default: { validation: { caCertificateRefs: [] } } } } }),
    "spec.tls.frontend.default.validation.caCertificateRefs",
  ],
  ["client certificates without default", gateway({ tls: { frontend: {} } }), "spec.tls.frontend.default"],
  [
    "client certificates of a port twice",
    gateway({ tls: { frontend: { default: {}, perPort: times(2, () => ({ port: 443, tls: {} })) } } }),
    "spec.tls.frontend.perPort[1]",
  ],
  ["a certificate for backends", gateway({ tls: { backend: { clientCertificateRef: { name: "a" } } } })],
  ["a field that nobody knows", gateway({ colour: "red" })],
];

const set = (...list: Json[]): JsonObject => ({ parentRef: { name: "edge" }, listeners: list });

const setLines: Line[] = [
  ["no parent", { listeners: [http] }, "spec.parentRef"],
  [
    "a parent elsewhere",
    { parentRef: { name: "edge", namespace: "edge", group: "gateway.networking.k8s.io" }, listeners: [http] },
  ],
  ["a parent without name", { parentRef: {}, listeners: [http] }, "spec.parentRef.name"],
];

const classLines: Line[] = [
  ["a controller", { controllerName: "gateway.k8s.aws/alb" }],
  ["a controller without path", { controllerName: "gateway.k8s.aws" }, "spec.controllerName"],
  ["no controller", {}, "spec.controllerName"],
  [
    "parameters",
    {
      controllerName: "a.b/c",
      parametersRef: { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: "a", namespace: "b" },
    },
  ],
  [
    "parameters without kind",
    { controllerName: "a.b/c", parametersRef: { group: "a.b", name: "a" } },
    "spec.parametersRef.kind",
  ],
  ["a long description", { controllerName: "a.b/c", description: "d".repeat(65) }, "spec.description"],
];

const condition = {
  type: "Accepted",
  status: "True",
  reason: "Accepted",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

const statusLines: Line[] = [
  [
    "an address and a listener",
    {
      addresses: [{ type: "Hostname", value: "a.elb.amazonaws.com" }],
      listeners: [{ name: "http", attachedRoutes: 1, conditions: [condition] }],
    },
  ],
  [
    "a hostname in capitals",
    { addresses: [{ type: "Hostname", value: "A.elb.amazonaws.com" }] },
    "status.addresses[0]",
  ],
  ["an address without value", { addresses: [{ type: "Hostname" }] }, "status.addresses[0].value"],
  ["a hostname that says it is an address", { addresses: [{ value: "a.com" }] }, "status.addresses[0].value"],
  ["a listener without count", { listeners: [{ name: "http", conditions: [] }] }, "status.listeners[0].attachedRoutes"],
  ["a condition twice", { conditions: [condition, condition] }, "status.conditions[1]"],
  ["9 conditions", { conditions: times(9, (n) => ({ ...condition, type: `T${n}` })) }, "status.conditions"],
  ["a status that is none", { conditions: [{ ...condition, status: "Maybe" }] }, "status.conditions[0].status"],
  ["a reason of two words", { conditions: [{ ...condition, reason: "Not yet" }] }, "status.conditions[0].reason"],
  [
    "a time in words",
    { conditions: [{ ...condition, lastTransitionTime: "now" }] },
    "status.conditions[0].lastTransitionTime",
  ],
  ["listener sets", { attachedListenerSets: 2 }],
];

export const gatewayCases: readonly Case[] = [
  ...casesOf(Gateway, [...listenerLines(listeners), ...gatewayLines]),
  ...casesOf(ListenerSet, [...listenerLines(set), ...setLines]),
  ...casesOf(GatewayClass, classLines),
  ...statusCasesOf(Gateway, listeners(http), statusLines),
];
