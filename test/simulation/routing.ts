import type { JsonObject, KubeObject } from "@gatewright/kube";
import { core, discovery } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { APIRoute, Backend, ReferenceGrant, allResources } from "@gatewright/resources";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { Actor, GroupVersionObject, Part, Program, Scenario, Step } from "@gatewright/runtime/simulation";
import { addCore } from "../../packages/routing/src/add-core.ts";
import { pushing } from "../../packages/routing/src/push/push-to-gateways.ts";
import { DEFAULT_ROUTING_SETTINGS } from "../../packages/routing/src/routing-settings.ts";
import { localStandings } from "../../packages/routing/src/status/gateway-standing.ts";
import { objectStatuses } from "../../packages/routing/src/status/object-statuses.ts";
import { routingLaws } from "./routing-laws.ts";
import { UNLIKED, gatewayCalls, gatewaysSystem, restarted } from "./gateways-system.ts";

const LEASE = { namespace: "platform", name: "gatewright", retryMs: 5_000 };
const HOME = "shop";
const GATEWAYS = ["public", "inner"];

/** All of routing but the doors that gateways dial in at, and what replicas tell each other of those. */
const program: Program = ({ transport, clock, random, log, identity, probe, system }) => {
  const manager = createManager({ name: "gatewright", transport, clock, random, log, lease: { ...LEASE, identity } });
  const settings = { ...DEFAULT_ROUTING_SETTINGS, ingress: undefined };
  const core = addCore(manager, { clock, log, settings });
  const { feed, catalogue } = core;
  for (const controller of objectStatuses({ feed, catalogue, gateways: localStandings(core.connections), clock })) {
    addProbed(probe, manager, controller);
  }
  const port = system("gateways");
  const gateways = { current: GATEWAYS.map((address) => ({ address })), subscribe: () => () => {} };
  manager.addRunnable(
    pushing({
      ...core,
      gateways,
      clock,
      random,
      log,
      dial: async ({ address }) => gatewayCalls(port, address),
      gate: () => manager.gate.check(),
    }),
  );
  return manager;
};

const object = (kind: string, name: string, spec: JsonObject, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: "avapigw.io/v1alpha1",
  kind,
  metadata: { namespace: HOME, name, labels },
  spec,
});
const to = (host: string, port = 8080): JsonObject[] => [{ destination: { host, port } }];
const matching = (prefix: string): JsonObject[] => [{ uri: { prefix } }];
const route = (name: string, host: string, more: JsonObject = {}, labels?: Record<string, string>): KubeObject =>
  object("APIRoute", name, { match: matching(`/${name}`), route: to(host), ...more }, labels);
const backend = (name: string, ...addresses: readonly string[]): KubeObject =>
  object("Backend", name, { hosts: addresses.map((address) => ({ address, port: 8080 })) });
const at = (
  { group, version, plural, namespaced }: Omit<GroupVersionObject, "name">,
  name: string,
): GroupVersionObject => ({ group, version, plural, namespaced, namespace: HOME, name });
const part = (name: string, ...steps: readonly Step[]): Part => ({ name, steps });

const service: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace: HOME, name: "pods" },
  spec: { ports: [{ port: 8080 }], clusterIP: "None", selector: { app: "pods" } },
};
const slice = (...addresses: readonly string[]): JsonObject => ({
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
});
const endpoints: KubeObject = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { namespace: HOME, name: "pods-1", labels: { "kubernetes.io/service-name": "pods" } },
  addressType: "IPv4",
  ports: [{ name: "", port: 8080, protocol: "TCP" }],
  ...slice("10.1.0.1"),
};
const secret: KubeObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: HOME, name: "login" },
  data: { secret: "b25l" },
};
const loginBy = (secretName: string): JsonObject => ({
  authentication: {
    enabled: true,
    oidc: {
      enabled: true,
      providers: [
        {
          name: "idp",
          issuerUrl: "https://idp.example.com",
          clientId: "a",
          clientSecretRef: { name: secretName, key: "secret" },
        },
      ],
    },
  },
});

const parts: readonly Part[] = [
  part(
    "web",
    { at: 2_000, create: backend("web", "10.0.0.1") },
    { at: 2_500, create: route("web", "web") },
    { at: 12_000, patch: at(APIRoute, "web"), with: { spec: { timeout: "5s" } } },
    { at: 12_200, patch: at(Backend, "web"), with: { spec: { hosts: [{ address: "10.0.0.2", port: 8080 }] } } },
    { at: 30_000, patch: at(APIRoute, "web"), with: { spec: { timeout: "9s" } } },
  ),
  part("early", { at: 3_000, create: route("early", "early") }, { at: 14_000, create: backend("early", "10.0.0.3") }),
  part(
    "moved",
    { at: 3_500, create: backend("old", "10.0.0.4") },
    { at: 4_000, create: route("moved", "old") },
    { at: 18_000, create: backend("new", "10.0.0.5") },
    { at: 18_100, patch: at(APIRoute, "moved"), with: { spec: { route: to("new") } } },
    { at: 18_200, delete: at(Backend, "old") },
  ),
  part(
    "service",
    { at: 4_500, create: service },
    { at: 4_600, create: endpoints },
    { at: 5_000, create: route("pods", "pods") },
    { at: 20_000, patch: at(discovery.EndpointSlice, "pods-1"), with: slice("10.1.0.1", "10.1.0.2") },
    { at: 33_000, patch: at(discovery.EndpointSlice, "pods-1"), with: slice("10.1.0.2") },
  ),
  part(
    "secret",
    { at: 5_500, create: route("login", "10.0.0.6", loginBy("login")) },
    { at: 8_000, create: secret },
    { at: 22_000, patch: at(core.Secret, "login"), with: { data: { secret: "dHdv" } } },
  ),
  // What was good serves on, also when nobody who leads has ever known it: that takes a while.
  {
    ...part(
      "broken",
      { at: 4_500, create: service },
      { at: 4_600, create: endpoints },
      { at: 8_500, create: route("broken", "pods") },
      { at: 13_000, patch: at(APIRoute, "broken"), with: { spec: loginBy("nobody") } },
      { at: 80_000, patch: at(APIRoute, "broken"), with: { spec: { authentication: null } } },
    ),
    longestWaitMs: 70_000,
  },
  // The younger one has what the older one leaves.
  part(
    "rivals",
    { at: 6_000, create: route("first", "10.0.0.7", { match: matching("/same") }) },
    { at: 9_000, create: route("second", "10.0.0.8", { match: matching("/same") }) },
    { at: 24_000, delete: at(APIRoute, "first") },
  ),
  part(
    "labelled",
    { at: 6_500, create: route("mine", "10.0.0.9", {}, { "avapigw.io/gateway": "public" }) },
    { at: 26_000, patch: at(APIRoute, "mine"), with: { metadata: { labels: { "avapigw.io/gateway": "inner" } } } },
  ),
  part(
    "refused",
    { at: 7_000, create: route("refused", "10.0.0.10") },
    { at: 21_000, patch: at(APIRoute, "refused"), with: { spec: { match: matching(UNLIKED) } } },
    { at: 35_000, patch: at(APIRoute, "refused"), with: { spec: { match: matching("/liked") } } },
  ),
  part(
    "restarted",
    { at: 7_500, create: route("kept", "10.0.0.11") },
    { at: 25_000, create: object("APIRoute", "unplug", { match: matching("/unplug"), route: to("10.0.0.12") }) },
  ),
  part(
    "brief",
    { at: 10_000, create: route("brief", "10.0.0.13") },
    { at: 16_000, delete: at(APIRoute, "brief") },
    { at: 16_500, create: route("brief", "10.0.0.14") },
    { at: 28_000, delete: at(APIRoute, "brief") },
  ),
];

/** Pulls a gateway's plug, once: it is back at once, and has nothing. */
const unplugging: Actor = {
  name: "unplugging",
  watches: { group: APIRoute.group, resource: APIRoute.plural },
  afterMs: 2_000,
  async act({ metadata: { name, uid, annotations = {} } }, { system, take }) {
    if (name !== "unplug" || annotations["done"] !== undefined) return;
    await restarted(system("gateways"), "inner", new AbortController().signal);
    await take({ patch: at(APIRoute, "unplug"), with: { metadata: { uid, annotations: { done: "yes" } } } });
  },
};

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
const kinds = [...allResources.filter(({ group }) => group === "avapigw.io"), ReferenceGrant];

/** Routes and backends come, change, move, meet and go, and gateways lose what they have; two processes of which one leads. */
export const routingScenario: Scenario = {
  name: "routing",
  about: "routes and backends with a standby, pushed to two gateways: references, rivals, refusals, labels, restarts",
  before: [...kinds.map((kind) => crdOf(kind) as unknown as KubeObject), namespace(HOME), namespace(LEASE.namespace)],
  steps: [],
  parts,
  longestWaitMs: 12_000,
  actors: [unplugging],
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
  systems: [gatewaysSystem(GATEWAYS)],
  // What is deleted and made again between two looks is changed, or goes and comes; how often the gateway that begins anew is given
  // something depends on when that is.
  recurring: /^gateways inner |shop\/brief$/,
  law: routingLaws("public", /shop\/(?:mine|first|second)$/),
};
