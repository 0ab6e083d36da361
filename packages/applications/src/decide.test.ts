import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { autoscaling, core } from "@gatewright/kube/api";
import { TargetGroupConfiguration } from "@gatewright/resources";
import type { Application, GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import { configMap } from "./children/config-map.ts";
import { AUTOSCALED } from "./children/deployment.ts";
import { podTemplate } from "./children/pod-template.ts";
import { decide, leftovers } from "./decide.ts";
import type { Effect } from "./decide.ts";
import type { Exposure, Observation } from "./observation.ts";
import { appOf, deploymentOf, jobOf, seeing } from "./testing/objects.ts";

/** Effects in a few words. */
function told(effects: readonly Effect[]): readonly string[] {
  return effects.map((effect) => {
    switch (effect.type) {
      case "apply":
        return `apply ${effect.resource.kind}`;
      case "remove":
        return `remove ${effect.resource.kind}${effect.propagation === "Foreground" ? " and wait" : ""}`;
      case "handOver":
        return `hand over ${effect.replicas}`;
    }
  });
}

const object = (kind: string, name = "web") => ({
  apiVersion: "v1",
  kind,
  metadata: { namespace: "shop", name, uid: `${kind}-uid` },
});
const service = object("Service") as core.Service;
const hpa = object("HorizontalPodAutoscaler") as autoscaling.HorizontalPodAutoscaler;
const ports: Application["spec"]["ports"] = [{ name: "http", port: 80, protocol: "TCP" }];
const bounds = { minReplicas: 3, maxReplicas: 5, targetCPUUtilization: 80 };
const handedOver = (replicas: number) =>
  deploymentOf({}, { replicas, metadata: { annotations: { [AUTOSCALED]: "true" } } });
const expose = { hostname: "shop.example.com", zoneId: "Z1" };
const request = (status: GatewayHostnameRequest["status"] = {}) =>
  ({ ...object("GatewayHostnameRequest"), status }) as GatewayHostnameRequest;
const exposure = (seen: Partial<Exposure> = {}): Exposure => ({
  request: undefined,
  route: undefined,
  targets: undefined,
  targetKind: TargetGroupConfiguration,
  ...seen,
});
const route = object("HTTPRoute") as HTTPRoute;
const targets = object("TargetGroupConfiguration") as TargetGroupConfiguration;
const placed = {
  hostnames: ["shop.example.com"],
  parents: [{ kind: "Gateway" as const, namespace: "edge", name: "gw-01" }],
};
const once = { runToCompletion: true };
const succeeded: Application["status"] = { phase: "Succeeded", observedGeneration: 3 };

suite("what an Application needs next", () => {
  const cases: readonly [string, Observation, readonly string[]][] = [
    ["an image needs a Deployment", seeing(appOf()), ["apply Deployment"]],
    [
      "config and ports come before the Deployment that uses them",
      seeing(appOf({ config: { a: "b" }, ports })),
      ["apply ConfigMap", "apply Service", "apply Deployment"],
    ],
    [
      "an exposed one asks for its hostname, after all that answers there",
      seeing(appOf({ ports, expose }), { exposure: exposure() }),
      ["apply Service", "apply Deployment", "apply TargetGroupConfiguration", "apply GatewayHostnameRequest"],
    ],
    [
      "it gets a route when it is known where the hostname is served",
      seeing(appOf({ ports, expose }), { exposure: exposure({ request: request(placed) }) }),
      [
        "apply Service",
        "apply Deployment",
        "apply TargetGroupConfiguration",
        "apply GatewayHostnameRequest",
        "apply HTTPRoute",
      ],
    ],
    [
      "where hostnames are not looked after nothing of it is made",
      seeing(appOf({ ports, expose })),
      ["apply Service", "apply Deployment"],
    ],
    [
      "no longer exposed, its hostname goes first",
      seeing(appOf({ ports }), { exposure: exposure({ request: request(placed), route, targets }) }),
      ["apply Service", "apply Deployment", "remove GatewayHostnameRequest"],
    ],
    [
      "and its route when the hostname has gone",
      seeing(appOf({ ports }), { exposure: exposure({ route, targets }) }),
      ["apply Service", "apply Deployment", "remove HTTPRoute", "remove TargetGroupConfiguration"],
    ],
    ["a Service without ports goes", seeing(appOf(), { service }), ["remove Service", "apply Deployment"]],
    [
      "what is going already is not deleted again",
      seeing(appOf(), { service: { ...service, metadata: { ...service.metadata, deletionTimestamp: "now" } } }),
      ["apply Deployment"],
    ],
    [
      "an autoscaler comes after the Deployment that it scales",
      seeing(appOf({ autoscaling: bounds })),
      ["apply Deployment", "apply HorizontalPodAutoscaler"],
    ],
    [
      "replicas are handed over, within bounds, before they are no longer applied",
      seeing(appOf({ autoscaling: bounds }), { deployment: deploymentOf({}, { replicas: 4 }) }),
      ["hand over 4", "apply Deployment", "apply HorizontalPodAutoscaler"],
    ],
    [
      "replicas below the bounds are raised",
      seeing(appOf({ autoscaling: bounds }), { deployment: handedOver(1) }),
      ["hand over 3", "apply Deployment", "apply HorizontalPodAutoscaler"],
    ],
    [
      "replicas within the bounds are the autoscaler's",
      seeing(appOf({ autoscaling: bounds }), { deployment: handedOver(5) }),
      ["apply Deployment", "apply HorizontalPodAutoscaler"],
    ],
    [
      "an autoscaler goes before the Deployment has its own number again",
      seeing(appOf(), { autoscaler: hpa, deployment: handedOver(5) }),
      ["remove HorizontalPodAutoscaler", "apply Deployment"],
    ],
    ["what runs to completion needs a Job", seeing(appOf(once)), ["apply Job"]],
    [
      "a Job that is there is left alone, and keeps its config",
      seeing(appOf({ ...once, config: { a: "b" } }), { job: jobOf() }),
      ["apply ConfigMap"],
    ],
    [
      "a Job of another spec goes first, with its pods",
      seeing(appOf(once), { job: jobOf({}, { annotations: {} }) }),
      ["remove Job and wait"],
    ],
    [
      "while it is going nothing starts",
      seeing(appOf(once), { job: jobOf({}, { annotations: {}, deletionTimestamp: "now" }) }),
      [],
    ],
    ["what has succeeded does not run again", seeing(appOf(once, { status: succeeded })), []],
    [
      "what has succeeded with an older spec does",
      seeing(appOf(once, { status: { ...succeeded, observedGeneration: 2 } })),
      ["apply Job"],
    ],
    [
      "a Deployment that becomes a Job goes, with its Service and autoscaler",
      seeing(appOf(once), { deployment: deploymentOf(), service, autoscaler: hpa }),
      ["remove HorizontalPodAutoscaler", "remove Deployment", "remove Service", "apply Job"],
    ],
    ["a Job that becomes a Deployment goes", seeing(appOf(), { job: jobOf() }), ["remove Job", "apply Deployment"]],
  ];
  for (const [name, seen, expected] of cases) test(name, () => assert.deepEqual(told(decide(seen)), expected));
});

suite("what is left over", () => {
  const app = appOf({ config: { level: "2" } });
  const old = object("ConfigMap", "web-config-old") as core.ConfigMap;
  const current = object("ConfigMap", configMap(app)?.metadata.name) as core.ConfigMap;
  const configMaps = [current, old];
  const names = (effects: readonly Effect[]) =>
    effects.map((effect) => effect.type === "remove" && effect.object.metadata.name);

  test("the config of pods that are gone", () => {
    assert.deepEqual(names(leftovers(seeing(app, { deployment: deploymentOf(), configMaps }))), ["web-config-old"]);
    const done = seeing(appOf({ ...app.spec, ...once }), { job: jobOf(), configMaps });
    assert.deepEqual(names(leftovers(done)), ["web-config-old"]);
  });

  test("nothing while pods of an older spec may need theirs", () => {
    const rolling = [
      deploymentOf({ observedGeneration: 4 }),
      deploymentOf({ updatedReplicas: 1 }),
      deploymentOf({ replicas: 3 }),
    ];
    for (const deployment of rolling) assert.deepEqual(leftovers(seeing(app, { deployment, configMaps })), []);
    assert.deepEqual(leftovers(seeing(app, { configMaps })), []);
    const older = jobOf({}, { annotations: {} });
    assert.deepEqual(leftovers(seeing(appOf(once), { job: older, configMaps })), []);
  });
});

test("target groups are asked for in the version that is served", () => {
  const targetKind = { ...TargetGroupConfiguration, version: "v1beta1" };
  const versions = (effects: readonly Effect[]): readonly string[] =>
    effects.flatMap((effect) =>
      "resource" in effect && effect.resource.kind === targetKind.kind ? [effect.resource.version] : [],
    );
  const shown = seeing(appOf({ ports, expose }), { exposure: exposure({ targetKind }) });
  const hidden = seeing(appOf({ ports }), { exposure: exposure({ targetKind, targets }) });
  assert.deepEqual([versions(decide(shown)), versions(decide(hidden))], [["v1beta1"], ["v1beta1"]]);
});

test("another targetPort leaves old pods their own: the Service names the port, in the same step as the pods change", () => {
  const to = (targetPort: number) => appOf({ ports: [{ name: "http", port: 80, targetPort, protocol: "TCP" }] });
  const deployment = { ...deploymentOf(), spec: { selector: {}, template: podTemplate(to(8080)) } };
  const led = (app: Application): readonly unknown[] =>
    decide(seeing(app, { deployment })).flatMap((effect) =>
      effect.type === "apply" && effect.resource.kind === "Service"
        ? ((effect.fields as core.Service).spec?.ports ?? []).map(({ targetPort }) => targetPort)
        : [],
    );
  assert.deepEqual([led(to(8080)), led(to(9090))], [[8080], ["http"]]);
});
