import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { Application } from "./application.ts";

const PATH = "/apis/cloudnative.elide.dev/v1/namespaces/default/applications";

suite("Applications on an API server", () => {
  let server: ApiServer;
  before(async () => {
    server = await createApiServer();
    await ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crdOf(Application));
    while ((await ask("GET", PATH)).status !== 200) await new Promise(setImmediate);
  });
  after(() => server.close());

  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: JsonObject }> {
    const response = await server.transport()({
      method,
      path,
      headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: response.status, body: text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {} };
  }

  let made = 0;
  const create = (spec: object, name = `app-${++made}`) =>
    ask("POST", `${PATH}?fieldValidation=Strict`, {
      apiVersion: "cloudnative.elide.dev/v1",
      kind: "Application",
      metadata: { name },
      spec,
    });

  const refused = async (why: RegExp, spec: object, name?: string): Promise<void> => {
    const { status, body } = await create(spec, name);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(String(body["message"]), why);
  };

  test("the manifests of the showcase are taken as they were printed", async () => {
    const printed = [
      { replicas: 3, image: "myorg/myapp:v1.0.0", strategy: "RollingUpdate", config: { key: "value" } },
      { replicas: 3, image: "nginx:latest", strategy: "RollingUpdate" },
      { replicas: 5, image: "nginx:latest", strategy: "RollingUpdate" },
      { replicas: 1, image: "test:latest", strategy: "RollingUpdate" },
    ];
    for (const spec of printed) assert.equal((await create(spec)).status, 201);
  });

  test("what is exposed has a port, a hostname that is one, and paths that lead to its ports", async () => {
    const expose = { hostname: "Shop.example.com", zoneId: "Z0123456789ABC" };
    const ports = [{ port: 80 }, { name: "admin", port: 81 }, { name: "dns", port: 53, protocol: "UDP" }];
    const paths = [{ path: "/" }, { path: "/admin", type: "Exact", port: "admin" }, { path: "/also", port: 81 }];
    const { status, body } = await create({ image: "a", ports, expose: { ...expose, paths } });
    assert.equal(status, 201, JSON.stringify(body));
    await refused(/expose needs a port that speaks TCP/, { image: "a", expose });
    await refused(/expose needs a port that speaks TCP/, { image: "a", ports: [ports[2]], expose });
    await refused(/write the hostname alone/, { image: "a", ports, expose: { ...expose, hostname: "https://a.b" } });
    for (const port of ["dns", "none", 53, 82]) {
      const spec = { image: "a", ports, expose: { ...expose, paths: [{ path: "/", port }] } };
      await refused(/each port of expose.paths/, spec);
    }
    const wildcard = { ...expose, hostname: "*.example.com" };
    await refused(/expose.www: .*covers www already/, { image: "a", ports, expose: { ...wildcard, www: true } });
    assert.equal((await create({ image: "a", ports, expose: { ...wildcard, www: false } })).status, 201);
    await refused(/not exposed/, { image: "a", runToCompletion: true, ports, expose });
  });

  test("paths are such that routes and load balancers take them as they are written", async () => {
    const ports = [{ port: 80 }];
    const at = (path: string) => ({
      image: "a",
      ports,
      expose: { hostname: "shop.example.com", zoneId: "Z1", paths: [{ path }] },
    });
    for (const path of ["/", "/a.b/..c", "/a%20b", `/${"a".repeat(125)}`])
      assert.equal((await create(at(path))).status, 201, path);
    for (const path of ["/a//b", "/a/./b", "/a/../b", "/a/.", "/a/.."]) await refused(/without \/\//, at(path));
    for (const path of ["/%zz", "/a%2", "/a%2Fb", "/a%2fb"]) await refused(/two hexadecimal digits/, at(path));
    for (const path of ["/*", "/a/*/b"]) await refused(/leave \* out/, at(path));
    await refused(/126 characters at most/, at(`/${"a".repeat(126)}`));
  });

  test("ports have names that pods take, and probes ask at ports that there are", async () => {
    for (const name of ["80", "a--b"]) await refused(/the name of a port/, { image: "a", ports: [{ name, port: 80 }] });
    const asking = (probe: string, handler: string, port: number | string) => ({
      image: "a",
      ports: [{ name: "web", port: 80 }],
      probes: { [probe]: { [handler]: { port } } },
    });
    for (const probe of ["startup", "readiness", "liveness"]) {
      for (const handler of ["httpGet", "tcpSocket"]) {
        for (const port of ["web", 80, 9090]) assert.equal((await create(asking(probe, handler, port))).status, 201);
        for (const port of ["http", "80", 0, 65_536])
          await refused(/number from 1 to 65535 or the name/, asking(probe, handler, port));
      }
    }
    await refused(/number from 1 to 65535 or the name/, {
      image: "a",
      probes: asking("liveness", "httpGet", "web").probes,
    });
  });

  test("what is exposed is asked at a path that load balancers take, too", async () => {
    const asked = (path: string, expose?: object) => ({
      image: "a",
      ports: [{ port: 80 }],
      probes: { readiness: { httpGet: { port: 80, path } } },
      ...(expose && { expose }),
    });
    const expose = { hostname: "shop.example.com", zoneId: "Z1" };
    for (const path of ["", "healthz", "/healthz?deep=1"])
      assert.equal((await create(asked(path, expose))).status, 201);
    for (const path of ["/a b", "/ä", `/${"a".repeat(1023)}`]) {
      assert.equal((await create(asked(path))).status, 201);
      await refused(/asked by its load balancer, too/, asked(path, expose));
    }
  });

  test("an image is enough: one replica, rolling updates, no ports", async () => {
    const { status, body } = await create({ image: "nginx" });
    assert.equal(status, 201);
    assert.deepEqual(body["spec"], { image: "nginx", replicas: 1, strategy: "RollingUpdate" });
  });

  test("a port needs its number alone; two without a name are one too many", async () => {
    const { body } = await create({ image: "nginx", ports: [{ port: 80 }] });
    assert.deepEqual(isObject(body["spec"]) && body["spec"]["ports"], [{ name: "http", port: 80, protocol: "TCP" }]);
    await refused(/Duplicate value/, { image: "nginx", ports: [{ port: 80 }, { port: 81 }] });
    const twice = [{ port: 80 }, { name: "other", port: 80 }];
    await refused(/no two ports/, { image: "nginx", ports: twice });
  });

  test("fields that exclude each other are refused, with the reason", async () => {
    const once = { image: "migrate", runToCompletion: true };
    await refused(/no autoscaling/, { ...once, autoscaling: { maxReplicas: 3 } });
    await refused(/no ports/, { ...once, ports: [{ port: 80 }] });
    await refused(/no readiness probe/, { ...once, probes: { readiness: { tcpSocket: { port: 80 } } } });
    await refused(/minReplicas must not be above/, { image: "a", autoscaling: { minReplicas: 4, maxReplicas: 3 } });
    await refused(/exactly one of httpGet/, {
      image: "a",
      probes: { liveness: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
    });
    await refused(/at most one of value/, {
      image: "a",
      env: [{ name: "A", value: "b", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
    });
    await refused(/exactly one of secretRef/, { image: "a", envFrom: [{}] });
    assert.equal((await create({ ...once, runToCompletion: false, ports: [{ port: 80 }] })).status, 201);
  });

  test("keys of config are names of files, and names of Applications are names of Services", async () => {
    assert.equal((await create({ image: "a", config: { "log.level": "debug", A_B: "c", "-": "" } })).status, 201);
    for (const key of ["a/b", "..", "..a", ".", "a b", ""])
      await refused(/keys are letters/, { image: "a", config: { [key]: "" } });
    await refused(/becomes that of a Service/, { image: "a" }, "1st");
    await refused(/becomes that of a Service/, { image: "a" }, "a.b");
    await refused(/becomes that of a Service/, { image: "a" }, "a".repeat(64));
  });

  test("it is scaled as Deployments are", async () => {
    await create({ image: "a" }, "scaled");
    const scaled = await ask("PATCH", `${PATH}/scaled/scale`, { spec: { replicas: 4 } });
    assert.equal(scaled.status, 200);
    const { body } = await ask("GET", `${PATH}/scaled`);
    assert.equal(isObject(body["spec"]) && body["spec"]["replicas"], 4);
  });
});
