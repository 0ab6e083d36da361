import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AddressInfo } from "node:net";
import { core } from "@gatewright/kube/api";
import { systemClock, systemRandom } from "@gatewright/ports";
import { consoleWorld, ROOT, streamEvents } from "../testing/console-world.ts";
import { createConsoleServer } from "./create-console-server.ts";

/** The process that serves the console could do anything itself. */
const OWN = { text: "root-token" };

describe("the console beside an API server", () => {
  let world: Awaited<ReturnType<typeof consoleWorld>>;
  let url = "";
  const stopping = new AbortController();
  let running: Promise<void>;
  before(async () => {
    world = await consoleWorld();
    await world.grant("shop", "namespaced", {
      apiGroups: [""],
      resources: ["configmaps", "pods"],
      verbs: ["get", "list", "watch", "create"],
    });
    const { promise, resolve } = Promise.withResolvers<AddressInfo>();
    const server = createConsoleServer({
      clock: systemClock,
      random: systemRandom,
      root: ROOT,
      cluster: { server: world.url, token: OWN, impersonate: { user: "root" }, namespace: "default", origin: "test" },
      hosts: ["127.0.0.1", "console.example.com"],
      host: "127.0.0.1",
      port: 0,
      listening: resolve,
    });
    running = server.run(stopping.signal);
    url = `http://127.0.0.1:${(await promise).port}`;
  });
  after(async () => {
    stopping.abort();
    await running;
    await world[Symbol.asyncDispose]();
  });

  const ask = (path: string, token?: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url + path, {
      redirect: "manual",
      ...init,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers },
    });

  test("shows the page to anybody, and nothing else to those who show no token", async () => {
    assert.equal((await ask("/")).headers.get("location"), "/console/");
    assert.equal((await ask("/console")).headers.get("location"), "/console/");
    assert.equal((await ask("/console/hostnames")).status, 200);
    for (const path of [
      "/console/api/session",
      "/api/v1/namespaces",
      "/apis",
      "/openapi/v3",
      "/version",
      "/apis/apps/v1/deployments",
    ]) {
      const answer = await ask(path);
      assert.equal(answer.status, 401, path);
      assert.equal(answer.headers.get("www-authenticate"), "Bearer");
    }
    assert.equal(
      (await ask("/api/v1/namespaces", undefined, { headers: { authorization: "Basic cm9vdDpyb290" } })).status,
      401,
    );
    for (const path of ["/metrics", "/healthz", "/apix", "/consoles"])
      assert.equal((await ask(path, "root-token")).status, 404, path);
  });

  test("asks the API server in the caller's name alone, never in its own", async () => {
    const session = (await (await ask("/console/api/session", "alice-token")).json()) as { user: { username: string } };
    assert.equal(session.user.username, "alice");
    assert.equal((await ask("/api/v1/namespaces", "alice-token")).status, 403);
    assert.equal((await ask("/api/v1/namespaces", "root-token")).status, 200);
    assert.equal((await ask("/api/v1/namespaces", "nobody's")).status, 401);
    const asRoot = { headers: { "impersonate-user": "root", "x-remote-user": "root" } };
    assert.equal(
      (await ask("/api/v1/namespaces", "alice-token", asRoot)).status,
      403,
      "nobody becomes somebody else here",
    );
  });

  test("writes what the caller may write, and tells what the API server says of the rest", async () => {
    const write = (namespace: string, token: string) =>
      ask(`/api/v1/namespaces/${namespace}/configmaps`, token, {
        method: "POST",
        headers: { "content-type": "application/yaml" },
        body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-the-page}\n",
      });
    assert.equal((await write("shop", "alice-token")).status, 201);
    const refused = await write("default", "alice-token");
    assert.equal(refused.status, 403);
    assert.match(((await refused.json()) as { message: string }).message, /"alice" cannot create/);
    assert.equal(
      await world.admin.for(core.ConfigMap).find({ namespace: "default", name: "from-the-page" }),
      undefined,
    );
  });

  test("pages of other sites, and names that are not the console's, are refused though somebody in front adds credentials", async () => {
    const evil = { headers: { origin: "https://evil.example" } };
    for (const path of [
      "/api/v1/namespaces",
      "/console/api/session",
      "/console/api/stream?kind=namespaces",
      "/console/",
    ]) {
      assert.equal((await ask(path, "root-token", evil)).status, 403, path);
      const crossing = { headers: { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" } };
      assert.equal((await ask(path, "root-token", crossing)).status, 403, path);
    }
    assert.equal((await ask("/api/v1/namespaces", "root-token", { method: "POST", ...evil, body: "{}" })).status, 403);
    const rebound = { headers: { host: "evil.example" } };
    assert.equal(
      (await rawStatus("/console/api/session", { ...rebound.headers, authorization: "Bearer root-token" })).valueOf(),
      403,
    );
    assert.equal(await rawStatus("/console/", { host: "CONSOLE.example.com:443" }), 200);
  });

  test("what pods say is not passed on, and what is passed on cannot run", async () => {
    for (const path of [
      "/api/v1/namespaces/shop/pods/web/proxy/",
      "/api/v1/namespaces/shop/services/web/proxy",
      "/api/v1/nodes/laptop/proxy/x",
      "/api/v1/namespaces/shop/pods/web/exec?command=sh",
      "/api/v1/namespaces/shop/pods/web/%70roxy/x",
      "/api/v1/namespaces/shop/%70ods/web/e%78ec?command=sh",
    ]) {
      assert.equal((await ask(path, "root-token")).status, 403, path);
    }
    for (const path of [
      "/api//v1/namespaces",
      "/api/v1/namespaces/shop/pods/a%2fb",
      "/api/v1/namespaces/shop/pods/web%5cproxy",
      "/api/v1/namespaces/shop/pods/web/%2570roxy/x",
      "/api/v1/namespaces/shop/pods/web/%ff",
      "/api/v1/namespaces/shop/pods/web/%",
    ]) {
      assert.equal((await ask(path, "root-token")).status, 400, path);
    }
    assert.equal((await ask("/api/v1/%6eamespaces", "root-token")).status, 200);
    const answer = await ask("/api/v1/namespaces", "root-token");
    assert.match(answer.headers.get("content-security-policy") ?? "", /sandbox/);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("cache-control"), "no-store");
  });

  test("streams with the caller's rights, and ends when the token is no good", async () => {
    const leave = new AbortController();
    const answer = await ask("/console/api/stream?kind=pods&kind=services&namespace=shop", "alice-token", {
      signal: leave.signal,
    });
    const standings = new Map<string, unknown>();
    for await (const { event, data } of streamEvents(answer)) {
      if (event === "standing") standings.set(data.kind, data["standing"]);
      if (standings.size === 2) break;
    }
    leave.abort();
    assert.deepEqual(Object.fromEntries(standings), { pods: "live", services: "forbidden" });
    const signedOut = await ask("/console/api/stream?kind=pods", "expired-token");
    const events: string[] = [];
    for await (const { event } of streamEvents(signedOut)) events.push(event);
    assert.deepEqual(events, ["signed-out"]);
  });

  test("a body that is too long is refused before anybody is asked", async () => {
    const body = "x".repeat(4 * 1024 * 1024);
    const answer = await ask("/api/v1/namespaces/shop/configmaps", "alice-token", { method: "POST", body });
    assert.equal(answer.status, 413);
  });

  async function rawStatus(path: string, headers: Record<string, string>): Promise<number> {
    const { get } = await import("node:http");
    const { port } = new URL(url);
    return new Promise((resolve, reject) => {
      const sent = get({ host: "127.0.0.1", port, path, headers, agent: false }, (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      });
      sent.once("error", reject);
    });
  }
});
