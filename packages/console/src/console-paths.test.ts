import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { core, networking } from "@gatewright/kube/api";
import { APIRoute } from "@gatewright/resources";
import { consoleWorld, streamEvents } from "./testing/console-world.ts";

type World = Awaited<ReturnType<typeof consoleWorld>>;

const route = (name: string, namespace = "shop", prefix = `/${name}`) => ({
  metadata: { name, namespace },
  spec: { match: [{ uri: { prefix } }], route: [{ destination: { host: "web", port: 80 }, weight: 100 }] },
});

describe("the console on an API server", () => {
  let world: World;
  before(async () => {
    world = await consoleWorld();
    await world.admin.for(APIRoute).create(route("orders"));
    await world.admin.for(APIRoute).create(route("secret", "default"));
    await world.grant("shop", "routes", {
      apiGroups: ["avapigw.io"],
      resources: ["apiroutes"],
      verbs: ["get", "list", "watch"],
    });
  });
  after(() => world[Symbol.asyncDispose]());

  test("the page is for anybody and locked up: nothing of another origin runs, frames or is sent", async () => {
    for (const path of ["/console/", "/console/hostnames", "/console/object/a/b/c"]) {
      const answer = await world.ask(path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
      const policy = answer.headers.get("content-security-policy") ?? "";
      assert.ok(!policy.includes("unsafe"));
      for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
        assert.ok(policy.includes(rule), rule);
      }
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
      assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
    }
  });

  test("who leaves out the last slash is led to the page", async () => {
    const answer = await world.ask("/console", undefined, { redirect: "manual" });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), "/console/");
  });

  test("its files have names that change with what is in them, are packed, and are kept for good", async () => {
    const html = await (await world.ask("/console/")).text();
    const [script = ""] = /\/console\/assets\/app-[0-9a-f]{12}\.js/.exec(html) ?? [];
    const answer = await world.ask(script);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(answer.headers.get("content-encoding"), "gzip");
    const again = await world.ask("/console/", undefined, {
      headers: { "if-none-match": (await world.ask("/console/")).headers.get("etag") ?? "" },
    });
    assert.equal(again.status, 304);
    assert.equal((await world.ask("/console/assets/app-000000000000.js")).status, 404);
    assert.equal((await world.ask("/console/assets/..%2f..%2fpackage.json")).status, 404);
    assert.ok(!/<script(?![^>]*src=)|style=|onload=/i.test(html), "nothing in the page would need an exception");
  });

  test("who does not say who they are is told nothing", async () => {
    for (const path of [
      "session",
      "overview",
      "stream?kind=apiroutes.avapigw.io",
      "match",
      "pool",
      "why?kind=apiroutes.avapigw.io&namespace=shop&name=orders",
    ]) {
      assert.equal((await world.ask(`/console/api/${path}`)).status, 401, path);
      assert.equal((await world.ask(`/console/api/${path}`, "nonsense")).status, 401, path);
    }
  });

  test("whoever signs in is told who they are, and no kind that can be followed holds secrets", async () => {
    const answer = await world.ask("/console/api/session", "alice-token");
    const { user, kinds } = (await answer.json()) as {
      user: { username: string };
      kinds: { id: string; kind: string }[];
    };
    assert.equal(user.username, "alice");
    assert.ok(kinds.some(({ id }) => id === "apiroutes.avapigw.io"));
    assert.ok(!kinds.some(({ kind }) => kind === "Secret"));
    assert.equal((await world.ask("/console/api/stream?kind=secrets", "root-token")).status, 400);
  });

  test("a user with few rights is told of what they may read, and that they may not read the rest", async () => {
    const overview = (await (await world.ask("/console/api/overview?namespace=shop", "alice-token")).json()) as {
      groups: { id: string; rows: { subject: { name: string } }[]; unread: { reason: string }[] }[];
    };
    const routes = overview.groups.find(({ id }) => id === "routes");
    assert.deepEqual(
      routes?.rows.map(({ subject }) => subject.name),
      ["orders"],
    );
    assert.equal(overview.groups.find(({ id }) => id === "hostnames")?.unread[0]?.reason, "Forbidden");
    const all = await (await world.ask("/console/api/overview", "alice-token")).text();
    assert.ok(!all.includes("orders") && !all.includes('"secret"'), "rights in one namespace are none in all");
    const why = await world.ask(
      "/console/api/why?kind=apiroutes.avapigw.io&namespace=default&name=secret",
      "alice-token",
    );
    const answer = (await why.json()) as { state: string; links: { reason: string }[] };
    assert.equal(answer.state, "unknown");
    assert.equal(answer.links[0]?.reason, "NotAllowed");
  });

  test("where a request goes is answered from the routes that the user may read", async () => {
    const ask = async (token: string, query: string) => {
      const answer = await world.ask(`/console/api/match?${query}`, token);
      return { code: answer.status, ...((await answer.json()) as { winner?: { route: string }; unread?: string[] }) };
    };
    assert.equal((await ask("root-token", "path=/secret/1")).winner?.route, "APIRoute default/secret");
    const all = await ask("alice-token", "path=/secret/1");
    assert.deepEqual([all.winner, all.unread?.includes("APIRoute")], [undefined, true]);
    assert.equal((await ask("alice-token", "path=/secret/1&namespace=shop")).winner, undefined);
    const own = await ask("alice-token", "path=/orders&namespace=shop");
    assert.equal(own.winner?.route, "APIRoute shop/orders");
    assert.equal((await ask("root-token", "header=nonsense")).code, 400);
  });

  test("a route that the operator keeps out takes no request, and why is said", async () => {
    const routes = world.admin.for(APIRoute);
    const at = { namespace: "shop", name: "kept-out" };
    const destination = { host: "web", port: 9 };
    const { metadata } = await routes.create({
      metadata: at,
      spec: { match: [{ uri: { prefix: "/orders/kept-out" } }], route: [{ destination }] },
    } as never);
    const ask = async () =>
      (await (await world.ask("/console/api/match?path=/orders/kept-out", "root-token")).json()) as {
        winner?: { route: string };
        findings: { name: string; field: string; message: string }[];
      };
    assert.equal((await ask()).winner?.route, "APIRoute shop/kept-out");
    const accepted = {
      type: "Accepted",
      status: "False",
      reason: "ReferenceMissing",
      message: "there is no port 9",
      lastTransitionTime: "2030-01-01T00:00:00Z",
      observedGeneration: metadata.generation,
    };
    await routes.status.patch(at, { merge: { status: { conditions: [accepted], appliedGateways: [] } } });
    const { winner, findings } = await ask();
    assert.equal(winner?.route, "APIRoute shop/orders");
    assert.deepEqual(
      findings.map(({ name, field, message }) => `${name}: ${field}: ${message}`),
      ["kept-out: ReferenceMissing: there is no port 9"],
    );
    await routes.delete(at);
  });

  test("a route that is for some gateways alone takes requests there, and elsewhere the next one does", async () => {
    const routes = world.admin.for(APIRoute);
    const at = { namespace: "shop", name: "public-orders" };
    const labelled = {
      ...route("public-orders", "shop", "/orders/public"),
      metadata: { ...at, labels: { "avapigw.io/gateway": "public" } },
    };
    await routes.create(labelled);
    const ask = async (path: string) => {
      const answer = await world.ask(`/console/api/match?path=${path}`, "root-token");
      return (await answer.json()) as {
        winner?: { route: string };
        elsewhere: { gateway: string; winner: { route: string } }[];
      };
    };
    const { winner, elsewhere } = await ask("/orders/public");
    assert.equal(winner?.route, "APIRoute shop/orders");
    assert.deepEqual(
      elsewhere.map((one) => [one.gateway, one.winner.route]),
      [["public", "APIRoute shop/public-orders"]],
    );
    assert.deepEqual((await ask("/orders/1")).elsewhere, []);
    await routes.delete(at);
  });

  test("an Ingress of the class that gateways serve takes requests as the routes do that it stands for", async () => {
    const ingress = (name: string, ingressClassName: string, path: string, port: object) => ({
      metadata: { namespace: "shop", name },
      spec: {
        ingressClassName,
        rules: [{ http: { paths: [{ path, pathType: "Prefix", backend: { service: { name: "web", port } } }] } }],
      },
    });
    await world.admin
      .for(core.Service)
      .create({ metadata: { namespace: "shop", name: "web" }, spec: { ports: [{ name: "http", port: 80 }] } });
    const ingresses = world.admin.for(networking.Ingress);
    await ingresses.create(ingress("ours", "avapigw", "/ours", { name: "http" }));
    await ingresses.create(ingress("other", "nginx", "/other", { number: 80 }));
    const winner = async (path: string, token = "root-token") => {
      const answer = await world.ask(`/console/api/match?namespace=shop&path=${path}`, token);
      return (await answer.json()) as { winner?: { route: string }; unread: string[] };
    };
    assert.equal((await winner("/ours/1")).winner?.route, "Ingress shop/ours");
    assert.equal((await winner("/other")).winner, undefined);
    const few = await winner("/ours", "alice-token");
    assert.deepEqual([few.winner, few.unread.includes("Ingress")], [undefined, true]);
  });

  test("one stream tells all kinds, changes as they happen, and goes on after a cut where it was", async () => {
    const leave = new AbortController();
    const path =
      "/console/api/stream?namespace=shop&kind=apiroutes.avapigw.io&kind=gatewayhostnamerequests.gateway.opendi.com";
    const answer = await world.ask(path, "alice-token", { signal: leave.signal });
    assert.equal(answer.headers.get("content-type"), "text/event-stream");
    const events = streamEvents(answer);
    const met = new Map<string, unknown>();
    let version = "";
    for await (const { event, data } of events) {
      met.set(`${event} ${data.kind}`, data["standing"] ?? true);
      if (event === "snapshot") {
        const items = data["items"] as {
          object: { metadata: { name: string; managedFields?: unknown } };
          row: { state: string };
        }[];
        assert.deepEqual(
          items.map(({ object }) => object.metadata.name),
          ["orders"],
        );
        assert.equal(items[0]?.object.metadata.managedFields, undefined);
        assert.ok(items[0]?.row.state !== undefined);
        version = String(data["version"]);
      }
      if (met.has("standing apiroutes.avapigw.io") && met.has("standing gatewayhostnamerequests.gateway.opendi.com"))
        break;
    }
    assert.equal(met.get("standing apiroutes.avapigw.io"), "live");
    assert.equal(met.get("standing gatewayhostnamerequests.gateway.opendi.com"), "forbidden");
    leave.abort();

    await world.admin.for(APIRoute).create(route("returns"));
    await world.admin.for(APIRoute).create(route("hidden", "default"));
    await world.admin.for(APIRoute).delete({ namespace: "shop", name: "returns" });
    const back = new AbortController();
    const resumed = await world.ask(
      `/console/api/stream?namespace=shop&kind=apiroutes.avapigw.io@${version}`,
      "alice-token",
      { signal: back.signal },
    );
    const told: string[] = [];
    for await (const { event, data } of streamEvents(resumed)) {
      if (event === "snapshot") told.push("snapshot");
      if (event === "change")
        told.push(
          `${String(data["change"])} ${(data["item"] as { object: { metadata: { name: string } } }).object.metadata.name}`,
        );
      if (told.length === 2) break;
    }
    assert.deepEqual(told, ["ADDED returns", "DELETED returns"]);
    back.abort();
    assert.deepEqual(world.faults, []);
  });

  test("a stream from a version that is long gone begins anew", async () => {
    const leave = new AbortController();
    const answer = await world.ask("/console/api/stream?kind=apiroutes.avapigw.io@999999999", "root-token", {
      signal: leave.signal,
    });
    for await (const { event } of streamEvents(answer)) if (event === "snapshot") break;
    leave.abort();
  });

  test("what cannot be followed is named", async () => {
    for (const [query, words] of [
      ["", "kind is missing"],
      ["kind=nonsense", "there is no kind"],
      ["kind=__proto__", "there is no kind"],
    ] as const) {
      const answer = await world.ask(`/console/api/stream?${query}`, "root-token");
      assert.equal(answer.status, 400);
      assert.ok(((await answer.json()) as { message: string }).message.includes(words));
    }
    assert.equal((await world.ask("/console/api/nonsense", "root-token")).status, 400);
    assert.equal((await world.ask("/console/api/session", "root-token", { method: "POST" })).status, 405);
  });
});

describe("the console on a laptop, where whoever is on the machine is its admin", () => {
  let world: World;
  before(async () => {
    world = await consoleWorld("loopback");
  });
  after(() => world[Symbol.asyncDispose]());

  const status = (path: string, headers: Record<string, string>, method = "GET"): Promise<number> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(world.url);
      const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      });
      sent.once("error", reject).end();
    });

  const PATHS = ["/console/", "/console/api/session", "/console/api/stream?kind=namespaces", "/api/v1/namespaces"];

  test("a name that DNS points to this machine is no way in", async () => {
    for (const path of PATHS) assert.equal(await status(path, { host: "evil.example" }), 403, path);
    for (const path of PATHS) assert.equal(await status(path, { host: "localhost" }), 200, path);
  });

  test("pages of other sites are refused, whatever they ask for", async () => {
    const { host } = new URL(world.url);
    for (const path of PATHS) {
      assert.equal(await status(path, { host, origin: "https://evil.example" }), 403, path);
      assert.equal(
        await status(path, { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }),
        403,
        path,
      );
      assert.equal(await status(path, { host, origin: "null" }), 403, path);
    }
    assert.equal(await status("/api/v1/namespaces", { host, origin: "https://evil.example" }, "POST"), 403);
    assert.equal(
      await status("/console/", { host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }),
      200,
      "a link may lead here",
    );
  });

  test("browsers that ask for the root are sent to the console, and others are not", async () => {
    const browser = await fetch(world.url, { headers: { accept: "text/html" }, redirect: "manual" });
    assert.equal(browser.headers.get("location"), "/console/");
    assert.ok("paths" in ((await (await fetch(world.url)).json()) as object));
  });
});
