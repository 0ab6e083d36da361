import assert from "node:assert/strict";
import { test } from "node:test";
import { gatewrightWith, refusing } from "../testing/answering.ts";
import type { Answering } from "../testing/answering.ts";

const EXPIRED: Answering = () => refusing(401, "Unauthorized", "Unauthorized");
const LIST = { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1" }, items: [] };
const ROUTE = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: web }
spec: { hostnames: [a.example.com] }
`;

test("a token that is not taken is the cause that every command tells, and nothing is found out by it", async () => {
  const asked = await gatewrightWith(EXPIRED, ["why", "test.opendi.com"]);
  assert.equal(asked.code, 3, asked.stderr);
  assert.match(asked.stderr, /^gatewright why: could not list .*: Unauthorized\n$/);
  const file = await gatewrightWith(EXPIRED, ["why", "-f", "-"], ROUTE);
  assert.deepEqual(file, { code: 3, stdout: "", stderr: "gatewright why: Unauthorized\n" });
  const watched = await gatewrightWith(EXPIRED, ["watch", "--timeout", "20s"]);
  assert.deepEqual(watched, { code: 3, stdout: "", stderr: "gatewright watch: Unauthorized\n" });
});

test("a token that ends while something is watched ends the watch: it is told once", async () => {
  let asked = 0;
  const ending: Answering = (method, path) => (asked++ === 0 ? [200, LIST] : EXPIRED(method, path));
  const { code, stderr } = await gatewrightWith(ending, ["watch", "--timeout", "20s"]);
  assert.equal(code, 3, stderr);
  assert.equal(stderr, "Watching all namespaces.\ngatewright watch: Unauthorized\n");
});

test("a kind that the API server does not have is no verdict on its objects", async () => {
  const message = "the server could not find the requested resource";
  const without: Answering = () => refusing(404, "NotFound", message);
  const { code, stdout, stderr } = await gatewrightWith(without, ["why", "-f", "-"], ROUTE);
  assert.deepEqual([code, stdout], [3, ""]);
  assert.match(stderr, /^HTTPRoute web: the API server has no such kind \(the server could not find .*\); skipped\n/);
});

test("files of kinds that nobody knows are not called fine", async () => {
  const nothing: Answering = () => refusing(500, "InternalError", "not asked");
  const manifest = "apiVersion: example.com/v1\nkind: Thing\nmetadata: { name: a }\n";
  const { code, stderr } = await gatewrightWith(nothing, ["why", "-f", "-"], manifest);
  assert.equal(code, 3, stderr);
  assert.match(stderr, /^Thing a: of a kind that why does not know; skipped\n/);
});

test("status keeps what it may read of all namespaces, and says of what it read only one", async () => {
  const request = {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "GatewayHostnameRequest",
    metadata: { namespace: "rival", name: "web" },
    spec: { zoneId: "Z1", hostname: "a.example.com" },
  };
  const answer: Answering = (_, path) => {
    if (/v1\/applications/.test(path)) return refusing(403, "Forbidden", "you may not list applications");
    return [200, path.includes("gatewayhostnamerequests") ? { ...LIST, items: [request] } : LIST];
  };
  const { stdout, stderr } = await gatewrightWith(answer, ["status"]);
  assert.match(stdout, / rival\/web /);
  assert.equal(stderr, "Only namespace shop of applications.cloudnative.elide.dev.\n");
  const all = await gatewrightWith(answer, ["status", "-A"]);
  assert.equal(all.stderr, "", "-A is never fewer");
  assert.match(all.stdout, /could not list applications.* in all namespaces/);
});

test("progress of --wait cannot move the terminal", async () => {
  const application = {
    apiVersion: "cloudnative.elide.dev/v1",
    kind: "Application",
    metadata: { namespace: "shop", name: "web", generation: 1 },
    spec: { image: "a" },
    status: {
      conditions: [{ type: "Ready", status: "False", reason: "Odd\u001b[2J", message: "bad\u001b[2Jwords" }],
    },
  };
  const answer: Answering = (_, path) => {
    if (/\/applications\/web/.test(path)) return [200, application];
    return /\/[a-z]+(?:\?|$)/.test(path) && !/\/(?:services|deployments|jobs)\//.test(path)
      ? [200, LIST]
      : refusing(404, "NotFound", "not there");
  };
  const args = ["why", "application/web", "--wait", "--timeout", "1s", "--no-probes"];
  const { stdout, stderr } = await gatewrightWith(answer, args);
  assert.match(stderr, /bad \[2Jwords/);
  assert.ok(!`${stdout}${stderr}`.includes("\u001b"));
});
