import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatewayHostnameRequest } from "@gatewright/resources";
import { appOf } from "../testing/objects.ts";
import { configMap } from "./config-map.ts";
import { deployment } from "./deployment.ts";
import { hostnameRequest } from "./hostname-request.ts";
import { httpRoute } from "./http-route.ts";
import { job } from "./job.ts";
import { podTemplate } from "./pod-template.ts";
import { clusterUrl, service } from "./service.ts";
import { targetGroupConfiguration } from "./target-group-configuration.ts";

const port = (name: string, number: number, more: object = {}) => ({
  name,
  port: number,
  protocol: "TCP" as const,
  ...more,
});
const containerOf = (spec: Parameters<typeof appOf>[0]) => podTemplate(appOf(spec)).spec.containers[0];

const expose = { hostname: "shop.example.com", zoneId: "Z1" };
const requestWith = (status: GatewayHostnameRequest["status"]) =>
  ({ metadata: { name: "web" }, status }) as GatewayHostnameRequest;

test("the request for a hostname says what the Application says, and leaves the rest to defaults", () => {
  assert.deepEqual(hostnameRequest(appOf({ expose }))?.spec, { zoneId: "Z1", hostname: "shop.example.com" });
  const full = { ...expose, www: true, visibility: "internal", certificate: { strategy: "Single" } } as const;
  assert.deepEqual(hostnameRequest(appOf({ expose: full }))?.spec, {
    zoneId: "Z1",
    hostname: "shop.example.com",
    visibility: "internal",
    dns: { www: true },
    certificate: { strategy: "Single" },
  });
  assert.equal(hostnameRequest(appOf()), undefined);
});

test("the route is on all hostnames and Gateways that the request names, with a rule for each path", () => {
  const ports = [port("dns", 53, { protocol: "UDP" }), port("http", 80), port("admin", 81, { targetPort: 9000 })];
  const parents = ["gw-01", "gw-02"].map((name) => ({ kind: "Gateway" as const, namespace: "edge", name }));
  const request = requestWith({ hostnames: ["new.example.com", "shop.example.com"], parents });
  const all = httpRoute(appOf({ ports, expose }), request)?.spec;
  assert.deepEqual(all?.hostnames, ["new.example.com", "shop.example.com"]);
  assert.deepEqual(
    all?.parentRefs?.map((each) => [each?.namespace, each?.name]),
    [
      ["edge", "gw-01"],
      ["edge", "gw-02"],
    ],
  );
  assert.deepEqual(all?.rules, [
    { matches: [{ path: { type: "PathPrefix", value: "/" } }], backendRefs: [{ name: "web", port: 80 }] },
  ]);
  const paths = [
    { path: "/", type: "Prefix" as const },
    { path: "/admin", type: "Exact" as const, port: "admin" },
    { path: "/numbered", type: "Prefix" as const, port: 81 },
  ];
  const rules = httpRoute(appOf({ ports, expose: { ...expose, paths } }), request)?.spec?.rules;
  assert.deepEqual(
    rules?.map((rule) => [rule?.matches?.[0]?.path?.type, rule?.backendRefs?.[0]?.port]),
    [
      ["PathPrefix", 80],
      ["Exact", 81],
      ["PathPrefix", 81],
    ],
  );
  assert.equal(httpRoute(appOf({ ports, expose }), requestWith({ hostnames: ["shop.example.com"] })), undefined);
});

test("pods are targets themselves, and are asked as their readiness probe asks", () => {
  const settings = (spec: Parameters<typeof appOf>[0]) =>
    targetGroupConfiguration(appOf(spec))?.spec?.defaultConfiguration;
  assert.equal(settings({ expose })?.targetType, "ip");
  assert.equal(settings({ expose })?.healthCheckConfig?.matcher?.httpCode, "200-499");
  const ports = [port("http", 80), port("admin", 81, { targetPort: 9000 })];
  const asked = (path: string, at: number | string, scheme: "HTTP" | "HTTPS" = "HTTP") => {
    const probes = { readiness: { httpGet: { path, port: at, scheme } } };
    const { healthCheckConfig: check } = settings({ expose, ports, probes }) ?? {};
    assert.equal(check?.matcher?.httpCode, "200-399");
    return `${check?.healthCheckProtocol} ${check?.healthCheckPort} ${check?.healthCheckPath}`;
  };
  assert.equal(asked("/healthz", "http"), "HTTP traffic-port /healthz");
  assert.equal(asked("/healthz", "admin", "HTTPS"), "HTTPS 9000 /healthz");
  assert.equal(asked("healthz", 9001), "HTTP 9001 /healthz");
  assert.equal(asked("", 80), "HTTP traffic-port /");
});

test("pods are spoken to over TLS when all ports that expose leads to are https, and asked so unless their probe says how", () => {
  const told = (spec: Parameters<typeof appOf>[0]) => {
    const settings = targetGroupConfiguration(appOf(spec))?.spec?.defaultConfiguration;
    return [settings?.protocol, settings?.healthCheckConfig?.healthCheckProtocol];
  };
  const ports = [
    port("https", 443, { appProtocol: "https" }),
    port("admin", 81),
    port("also", 444, { appProtocol: "https" }),
  ];
  const to = (...names: string[]) => ({
    ...expose,
    paths: names.map((name) => ({ path: `/${name}`, type: "Prefix" as const, port: name })),
  });
  assert.deepEqual(told({ ports, expose }), ["HTTPS", "HTTPS"]);
  assert.deepEqual(told({ ports, expose: to("https", "also") }), ["HTTPS", "HTTPS"]);
  const probes = { readiness: { httpGet: { path: "/", port: "admin", scheme: "HTTP" as const } } };
  assert.deepEqual(told({ ports, expose, probes }), ["HTTPS", "HTTP"]);
  assert.deepEqual(told({ ports, expose: to("https", "admin") }), [undefined, undefined]);
  assert.deepEqual(told({ ports: [port("http", 80)], expose }), [undefined, undefined]);
});

test("what is exposed pauses before it stops, within a grace period that is as much longer", () => {
  const { spec } = podTemplate(appOf({ expose }));
  assert.deepEqual(spec.containers[0]?.lifecycle, { preStop: { sleep: { seconds: 20 } } });
  assert.equal(spec.terminationGracePeriodSeconds, 50);
  assert.equal(podTemplate(appOf()).spec.terminationGracePeriodSeconds, undefined);
});

test("the name of the ConfigMap tells its content, whatever the order of keys", () => {
  const name = (config: Record<string, string>) => configMap(appOf({ config }))?.metadata.name;
  assert.equal(name({ a: "1", b: "2" }), name({ b: "2", a: "1" }));
  assert.notEqual(name({ a: "1" }), name({ a: "2" }));
  assert.match(name({ a: "1" }) ?? "", /^web-config-[0-9a-f]{10}$/);
  assert.equal(name({}), undefined);
});

test("a key of config that means something to JavaScript is a key like others", () => {
  const config = JSON.parse('{ "__proto__": "x", "constructor": "y" }') as Record<string, string>;
  const data = configMap(appOf({ config }))?.data ?? {};
  assert.deepEqual(Object.keys(data).sort(), ["__proto__", "constructor"]);
});

test("config is the first source of the environment and a folder of files", () => {
  const config = { key: "value" };
  const name = configMap(appOf({ config }))?.metadata.name;
  const seen = containerOf({ config, envFrom: [{ secretRef: { name: "queue" } }], configPath: "/settings" });
  assert.deepEqual(seen?.envFrom, [{ configMapRef: { name } }, { secretRef: { name: "queue" } }]);
  assert.deepEqual(seen?.volumeMounts, [{ name: "config", mountPath: "/settings", readOnly: true }]);
  assert.equal(containerOf({ config })?.volumeMounts?.[0]?.mountPath, "/etc/config");
});

test("a port of the container is told once, and probes find it by any of its names", () => {
  const ports = [
    port("http", 80, { targetPort: 8080 }),
    port("also", 81, { targetPort: 8080 }),
    port("dns", 53, { protocol: "UDP" }),
  ];
  const seen = containerOf({
    ports,
    probes: {
      readiness: { httpGet: { path: "/", port: "also", scheme: "HTTP" } },
      liveness: { tcpSocket: { port: 9 } },
    },
  });
  assert.deepEqual(seen?.ports, [
    { name: "http", containerPort: 8080, protocol: "TCP" },
    { name: "dns", containerPort: 53, protocol: "UDP" },
  ]);
  assert.equal(seen?.readinessProbe?.httpGet?.port, 8080);
  assert.equal(seen?.livenessProbe?.tcpSocket?.port, 9);
});

test("amounts are texts", () => {
  const { resources } = containerOf({ resources: { requests: { cpu: 1, memory: "64Mi" } } }) ?? {};
  assert.deepEqual(resources, { requests: { cpu: "1", memory: "64Mi" } });
});

test("there is a Service when there are ports", () => {
  assert.equal(service(appOf()), undefined);
  assert.equal(service(appOf({ ports: [] })), undefined);
  const made = service(appOf({ ports: [port("grpc", 50051, { appProtocol: "kubernetes.io/h2c" })] }));
  assert.deepEqual(made?.spec?.ports, [
    { name: "grpc", port: 50051, targetPort: 50051, protocol: "TCP", appProtocol: "kubernetes.io/h2c" },
  ]);
});

test("the url is that of the first port called http or https", () => {
  const url = (...ports: ReturnType<typeof port>[]) => clusterUrl(appOf({ ports }));
  assert.equal(url(port("http", 80)), "http://web.shop.svc");
  assert.equal(url(port("metrics", 9090), port("http-api", 8080)), "http://web.shop.svc:8080");
  assert.equal(url(port("https", 443)), "https://web.shop.svc");
  assert.equal(url(port("https", 8443)), "https://web.shop.svc:8443");
  assert.equal(url(port("postgres", 5432)), undefined);
  assert.equal(url(), undefined);
});

test("a Deployment says how many replicas unless an autoscaler does", () => {
  assert.equal(deployment(appOf()).spec?.replicas, 2);
  const autoscaling = { minReplicas: 1, maxReplicas: 3, targetCPUUtilization: 80 };
  assert.equal(deployment(appOf({ autoscaling })).spec?.replicas, undefined);
  assert.deepEqual(deployment(appOf({ strategy: "Recreate" })).spec?.strategy, { type: "Recreate" });
});

test("a Job needs as many successes as there are replicas, and its pods are not started again", () => {
  const { spec } = job(appOf({ runToCompletion: true, replicas: 3 }));
  assert.deepEqual([spec?.completions, spec?.parallelism, spec?.template?.spec?.restartPolicy], [3, 3, "Never"]);
});
