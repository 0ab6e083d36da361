import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { createMetrics } from "@gatewright/telemetry";
import { DEFAULT_SETTINGS } from "./testing/default-settings.ts";
import { Gateway } from "../gateway.ts";
import { get } from "../run/testing/run-world.ts";
import { serveAdmin } from "./admin.ts";
import type { Admin } from "./admin.ts";

suite("the admin endpoint", () => {
  let admin: Admin;
  let withoutMetrics: Admin;
  let withFault: Admin;
  const faults: unknown[] = [];
  let why: string | undefined = "waits for its first configuration";
  const gateway = new Gateway(DEFAULT_SETTINGS, {
    clock: new ManualClock(),
    random: seededRandom(1),
    observer: { started() {}, ended() {}, fault() {} },
    fault() {},
  });
  before(async () => {
    const metrics = createMetrics();
    metrics.gauge({ name: "things", help: "Things." }).set(2);
    const parts = {
      gateway,
      findings: () => gateway.findings(),
      workers: () => [],
      notReady: () => why,
      fault: (error: unknown) => void faults.push(error),
    };
    admin = await serveAdmin("127.0.0.1", 0, { ...parts, exposition: async (accept) => metrics.exposition(accept) });
    withoutMetrics = await serveAdmin("127.0.0.1", 0, { ...parts, exposition: undefined });
    withFault = await serveAdmin("127.0.0.1", 0, {
      ...parts,
      exposition: () => Promise.reject(new Error("a thread is gone")),
    });
    const route = { kind: "APIRoute", namespace: "default", version: "1" } as const;
    gateway.replace([
      {
        ...route,
        name: "a",
        spec: { match: [{ uri: { prefix: "/a" } }], directResponse: { status: 200, body: "hush" } },
      },
      { ...route, name: "bad", spec: { match: [{ uri: { prefix: "b" } }], directResponse: { status: 200 } } },
    ]);
  });
  after(async () => {
    admin.close();
    withoutMetrics.close();
    withFault.close();
    await gateway.close(0, new AbortController().signal);
  });
  const look = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    get(admin.port, path, { headers, method });

  test("tells that it lives, and that it is ready once it is", async () => {
    assert.deepEqual([(await look("/healthz")).status, (await look("/readyz")).status], [200, 503]);
    assert.equal((await look("/readyz")).text, "waits for its first configuration\n");
    why = undefined;
    assert.equal((await look("/readyz")).status, 200);
  });

  test("shows metrics in the format that is preferred, unless they are turned off", async () => {
    assert.match((await look("/metrics")).text, /^things 2$/m);
    const open = await look("/metrics", { accept: "application/openmetrics-text" });
    assert.match(String(open.headers["content-type"]), /openmetrics/);
    assert.equal((await get(withoutMetrics.port, "/metrics")).status, 404);
  });

  test("shows objects with what is wrong with them, and not what is in them", async () => {
    const { text } = await look("/objects");
    const objects = JSON.parse(text) as { name: string; findings: { severity: string; field: string }[] }[];
    assert.deepEqual(
      objects.map(({ name, findings }) => [name, findings.map(({ severity }) => severity)]),
      [
        ["a", []],
        ["bad", ["error"]],
      ],
    );
    assert.doesNotMatch(text, /hush/);
  });

  test("shows backends and listeners", async () => {
    assert.deepEqual(JSON.parse((await look("/backends")).text), []);
    assert.deepEqual(JSON.parse((await look("/listeners")).text), { listeners: [], activeRequests: 0, workers: [] });
  });

  test("says where a request would go, to people and to programs", async () => {
    const { text } = await look("/match?path=/a/b&host=Shop.example.com:80&header=x-a:+1");
    assert.match(text, /^GET shop\.example\.com:80\/a\/b goes to APIRoute default\/a/);
    const json = JSON.parse((await look("/match?path=/a&format=json")).text) as { winner: { route: string } };
    assert.equal(json.winner.route, "APIRoute default/a");
    assert.match((await look("/match?path=/c")).text, /goes nowhere/);
    assert.match((await look("/match?path=/a/caf%C3%A9")).text, /^GET localhost\/a\/caf%C3%A9 goes to /);
    assert.match((await look("/match?path=/a%252f")).text, /not one that is served: the path has an escaped slash/);
    for (const query of ["host=a%20b", "path=nothing", "header=x"])
      assert.equal((await look(`/match?${query}`)).status, 400, query);
  });

  test("changes nothing, and is for no page of a browser", async () => {
    assert.equal((await look("/healthz", {}, "POST")).status, 405);
    assert.equal((await look("/healthz", { origin: "https://a.example.com" })).status, 403);
    assert.equal((await look("/healthz", { "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal((await look("/healthz", { "sec-fetch-site": "none" })).status, 200);
    assert.equal((await look("/healthz", { host: "rebound.example.com" })).status, 403);
    assert.equal((await look("/healthz", { host: "localhost:1" })).status, 200);
    assert.equal((await look("/nothing")).status, 404);
  });

  test("a target that is no URL is refused, and nothing ends by it", async () => {
    assert.equal((await look("//")).status, 400);
    assert.equal((await look("http://:x")).status, 400);
    assert.equal((await look("/healthz")).status, 200);
  });

  test("metrics that cannot be gathered are a fault that is told, and nothing ends by it", async () => {
    assert.equal((await get(withFault.port, "/metrics")).status, 500);
    assert.equal(String(faults[0]), "Error: a thread is gone");
    assert.equal((await get(withFault.port, "/healthz")).status, 200);
  });
});
