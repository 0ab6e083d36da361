import { hostnames } from "@gatewright/hostnames";
import { isObject } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { DomainClaim, GatewayHostnameRequest, HostnameGrant, gatewayResources } from "@gatewright/resources";
import { createManager } from "@gatewright/runtime";
import { addProbed } from "@gatewright/runtime/simulation";
import type { GroupVersionObject, Program, Scenario, Step } from "@gatewright/runtime/simulation";
import { awsSystem, simulatedAws } from "./aws-system.ts";
import { hostnameLaws } from "./hostname-laws.ts";
import { loadBalancerController } from "./load-balancer-controller.ts";

/** Renewed less often than by default: renewals are a quarter of all that happens. */
const LEASE = { namespace: "edge", name: "gatewright", retryMs: 5_000 };
const ZONE = { id: "Z0123456789ABC", name: "example.com" };

/** A few times as fast as AWS: what is slow is waited for, and waiting costs renewals of leases. */
const PACE = 0.25;

const program: Program = ({ transport, clock, random, log, identity, probe, system }) => {
  const manager = createManager({ name: "gatewright", transport, clock, random, log, lease: { ...LEASE, identity } });
  const aws = simulatedAws({ port: system("aws"), clock, random, gate: () => manager.gate.check() });
  const settings = { cluster: "simulated", drainMs: 15_000, removeEmptyAfterMs: 20_000 };
  const { requests, claims, pool, grants, runnables } = hostnames({ aws, clock, random, log, settings });
  addProbed(probe, manager, requests);
  addProbed(probe, manager, claims);
  addProbed(probe, manager, pool);
  addProbed(probe, manager, grants);
  for (const runnable of runnables) manager.addRunnable(runnable);
  return manager;
};

const DRAWN = ["token", "defaultCertificate", "certificates"];

const namespace = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** Which names share a certificate depends on who came when. Where each has its own, all runs end alike. */
const SINGLE = { certificate: { strategy: "Single" } };

const wants = (home: string, name: string, hostname: string, spec: JsonObject = SINGLE): KubeObject => ({
  apiVersion: "gateway.opendi.com/v1alpha1",
  kind: "GatewayHostnameRequest",
  metadata: { name, namespace: home },
  spec: { zoneId: ZONE.id, hostname, ...spec },
});

const at = (home: string, name: string): GroupVersionObject => ({ ...GatewayHostnameRequest, namespace: home, name });

const definitions = [...gatewayResources, GatewayHostnameRequest, DomainClaim, HostnameGrant].map(
  (resource) => crdOf(resource) as unknown as KubeObject,
);

const first: Step = { at: 1_000, create: wants("shop", "web", "Shop.Example.com.") };
const CALM_MS = 40_000;

/** Hostnames come, change, are fought for and go; two processes of which one leads. */
export const hostnamesScenario: Scenario = {
  name: "hostnames",
  about: "hostnames with a standby, on AWS: claims, certificates, records and load balancers",
  before: [...definitions, namespace("edge"), namespace("shop"), namespace("blog")],
  // A namespace that gives one hostname up and asks for another may have none in between.
  recurring: /^hostnamegrants\.gateway\.opendi\.com /,
  // Until the first hostname is served: then the first Gateway is that of the public ones in every run.
  calmMs: CALM_MS,
  steps: [],
  parts: [
    {
      name: "rival",
      steps: [first, { at: 50_000, create: wants("blog", "greedy", "shop.example.com") }],
      // Until the first has its claim: who is kept from making one is not the first that comes.
      calmMs: 6_000,
    },
    {
      name: "moved",
      steps: [
        { at: 45_000, create: wants("blog", "web", "blog.example.com") },
        { at: 110_000, patch: at("blog", "web"), with: { spec: { hostname: "news.example.com" } } },
      ],
    },
    {
      name: "internal",
      steps: [
        { at: 55_000, create: wants("shop", "any", "*.apps.example.com") },
        { at: 140_000, patch: at("shop", "any"), with: { spec: { visibility: "internal" } } },
      ],
      // Until it is served: nobody else has the Gateway of the public ones made before.
      calmMs: 60_000,
      longestWaitMs: 80_000,
    },
    {
      name: "heir",
      steps: [
        // Without another hostname the Gateway would be empty for a while, and go or not.
        first,
        { at: 60_000, create: wants("blog", "late", "old.example.com") },
        { at: 170_000, delete: at("blog", "late") },
        { at: 175_000, create: wants("shop", "heir", "old.example.com") },
      ],
      calmMs: CALM_MS,
    },
  ],
  longestWaitMs: 45_000,
  actors: [loadBalancerController],
  processes: [
    { name: "a", program },
    { name: "b", program },
  ],
  lease: LEASE,
  systems: [awsSystem({ zones: [ZONE], durations: PACE })],
  law: hostnameLaws,
  drawn: DRAWN,
  quietMs: 2 * 60_000,
};

/**
 * The same with certificates that are shared: which names are on which depends on who came when. What is judged is what is left in the
 * end, who writes when, and what must never be.
 */
export const sharedScenario: Scenario = {
  ...hostnamesScenario,
  name: "shared",
  about: "hostnames that share certificates",
  parts: (hostnamesScenario.parts ?? []).map((part) => ({ ...part, steps: part.steps.map(sharing) })),
  judgesOwnership: false,
  unjudged: /^aws (?:certificate|listener|record _)/,
  drawn: [...DRAWN, "certificate", "certificateArn", "records", "message"],
};

function sharing(step: Step): Step {
  if (!("create" in step)) return step;
  const { spec } = step.create;
  const { certificate: _, ...rest } = isObject(spec) ? spec : {};
  return { ...step, create: { ...step.create, spec: rest } };
}
