import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { Fields } from "../exchange/fields.ts";
import type { Note } from "../filters/around.ts";
import { madeAnswer, madeCall } from "../filters/testing/made-call.ts";
import type { KeptState } from "../kept/kept-state.ts";
import { StateKeeper } from "../kept/state-keeper.ts";
import type { Keeping } from "../kept/state-keeper.ts";
import type { BackendSpec } from "./backend-spec.ts";
import type { Backend, Endpoint, NoEndpoint } from "./backend.ts";
import { createAddressBackend, createBackend } from "./create-backend.ts";
import { MadeUpstreams } from "./testing/made-upstream.ts";

const NONE: ReadonlySet<Endpoint> = new Set();

/** A gateway's worth of backends, compiled again for every spec that it is given. */
function world(settings: { allowAnyAddress?: boolean } = {}) {
  const clock = new ManualClock();
  const upstreams = new MadeUpstreams();
  const keeper = new StateKeeper();
  const notes: Note[] = [];
  const around = {
    clock,
    random: seededRandom(7),
    settings: { allowAnyAddress: false, stickySecret: "s", ...settings },
    connect: upstreams.connect,
    fetchJson: () => Promise.reject(new Error("nobody is asked")),
    note: (note: Note) => void notes.push(note),
  };
  let keeping: Keeping | undefined;
  const compiled = (make: (kept: KeptState) => Backend): Backend => {
    const before = keeping;
    keeping = keeper.keeping();
    const backend = make(keeping.state);
    before?.release()();
    return backend;
  };
  return {
    clock,
    upstreams,
    notes,
    keeper,
    backend: (spec: BackendSpec, kind: "Backend" | "GRPCBackend" = "Backend") =>
      compiled((kept) =>
        createBackend({ kind, namespace: "default", name: "hello", spec, isLocal: true }, { ...around, kept }),
      ),
    address: (host: string, port: number) =>
      compiled((kept) => createAddressBackend({ host, port, protocol: "http1" }, { ...around, kept })),
  };
}

const hosts = (...names: string[]): BackendSpec["hosts"] => names.map((address) => ({ address, port: 80 }));
const REQUEST = {
  method: "GET",
  scheme: "http",
  authority: "x",
  target: "/",
  body: undefined,
  upgrade: undefined,
} as const;
const picked = (backend: Backend, tried = NONE): Endpoint => {
  const got = backend.pick(madeCall(), tried);
  assert.ok(!("refused" in got), JSON.stringify(got));
  return got;
};
const refused = (backend: Backend): NoEndpoint["refused"] => {
  const got = backend.pick(madeCall(), NONE);
  assert.ok("refused" in got);
  return got.refused;
};

test("requests take turns by weight", () => {
  const { backend } = world();
  const hello = backend({
    hosts: [{ address: "a", port: 80, weight: 3 }, ...hosts("b"), { address: "c", port: 80, weight: 0 }],
  });
  const got = Array.from({ length: 8 }, () => picked(hello).address[0]).join("");
  assert.equal(got, "aabaaaba");
});

test("an endpoint that was tried is not asked again while there are others", () => {
  const { backend } = world();
  const hello = backend({ hosts: hosts("a", "b") });
  const first = picked(hello);
  const second = picked(hello, new Set([first]));
  assert.notEqual(first.address, second.address);
  assert.ok(picked(hello, new Set([first, second])));
});

test("adding a host keeps connections, turns and standing of the others, and removing one closes only its own", () => {
  const { backend, upstreams } = world();
  backend({ hosts: hosts("a", "b") });
  const [a, b] = [upstreams.made.get("a:80"), upstreams.made.get("b:80")];
  backend({ hosts: hosts("a", "b", "c") });
  assert.equal(upstreams.made.get("a:80"), a);
  backend({ hosts: hosts("a", "c") });
  assert.deepEqual([a?.closed, b?.closed, upstreams.made.get("c:80")?.closed], [false, true, false]);
});

test("a circuit opens for the whole backend, tries again after its time, and outlives edits elsewhere", () => {
  const { backend, clock } = world();
  const circuitBreaker = { enabled: true, threshold: 2, timeout: "10s" };
  const hello = backend({ hosts: hosts("a", "b"), circuitBreaker });
  picked(hello).ended(500);
  picked(hello).ended(undefined);
  const edited = backend({ hosts: hosts("a", "b", "c"), circuitBreaker });
  assert.equal(refused(edited), "circuit_open");
  assert.equal(edited.describe().circuit, "open");
  clock.advance(10_000);
  const probe = picked(edited);
  assert.equal(refused(edited), "circuit_open");
  probe.ended(499);
  picked(edited).ended(200);
  assert.equal(edited.describe().circuit, "closed");
});

test("an endpoint that keeps failing is left out for a while, never the last one, and longer the next time", () => {
  const { backend, clock } = world();
  const hello = backend({ hosts: hosts("a", "b"), outlierDetection: { enabled: true, baseEjectionTime: "30s" } });
  const fail = (address: string): void => {
    for (let at = 0; at < 20; at++) {
      const endpoint = picked(hello);
      endpoint.ended(endpoint.address === address ? 503 : 200);
    }
  };
  const out = (): string[] =>
    hello
      .describe()
      .endpoints.filter(({ ejected }) => ejected)
      .map(({ address }) => address);
  fail("a:80");
  assert.deepEqual(out(), ["a:80"]);
  assert.ok(Array.from({ length: 6 }, () => picked(hello).address).every((address) => address === "b:80"));
  for (let at = 0; at < 10; at++) picked(hello).ended(500);
  assert.deepEqual(out(), ["a:80"]);
  clock.advance(30_000);
  assert.deepEqual(out(), []);
  for (let at = 0; at < 2; at++) picked(hello).ended(200);
  fail("a:80");
  clock.advance(30_000);
  assert.deepEqual(out(), ["a:80"]);
  clock.advance(30_000);
  assert.deepEqual(out(), []);
});

test("connections are kept without work as long as is said, and for the usual time where nothing or 0s is", () => {
  const kept = [undefined, "0s", "2s"].map((idleConnTimeout) => {
    const { backend, upstreams } = world();
    const connectionPool = idleConnTimeout === undefined ? {} : { idleConnTimeout };
    void picked(backend({ hosts: hosts("a"), connectionPool })).upstream.send({ ...REQUEST, fields: new Fields() });
    return upstreams.sent[0]?.target.pool.idleMs;
  });
  assert.deepEqual(kept, [undefined, undefined, 2000]);
});

test("checks decide who gets requests: the first at once, later ones when enough in a row agree", async () => {
  const { backend, upstreams, clock, keeper } = world();
  let good = false;
  upstreams.onSend = (sent) => sent.answer(madeAnswer("", {}, good ? 204 : 503));
  const hello = backend({ hosts: hosts("a"), healthCheck: { path: "/up", port: 9000, interval: "10s" } });
  assert.equal(picked(hello).address, "a:80");
  await nextTurn();
  assert.equal(refused(hello), "no_healthy_endpoint");
  assert.equal(upstreams.sent[0]?.target.port, 9000);
  assert.equal(upstreams.sent[0]?.request.target, "/up");
  good = true;
  clock.advance(11_000);
  await nextTurn();
  assert.equal(refused(hello), "no_healthy_endpoint");
  backend({ hosts: hosts("a", "b"), healthCheck: { path: "/up", port: 9000, interval: "10s" } });
  clock.advance(11_000);
  await nextTurn();
  assert.equal(picked(hello).address, "a:80");
  keeper.dispose();
  assert.equal(clock.pending, 0);
});

test("a check that takes too long counts as failed", async () => {
  const { backend, clock, keeper, upstreams } = world();
  const hello = backend({ hosts: hosts("a"), healthCheck: { path: "/", timeout: "2s" } });
  clock.advance(2000);
  await nextTurn();
  assert.equal(refused(hello), "no_healthy_endpoint");
  assert.ok(upstreams.sent[0]?.cancelled);
  keeper.dispose();
});

test("hosts that may not be dialled get nothing, and that is said", () => {
  const { backend, address, notes } = world();
  assert.equal(refused(backend({ hosts: hosts("169.254.169.254") })), "not_allowed");
  assert.equal(notes[0]?.field, "spec.hosts");
  assert.equal(picked(backend({ hosts: hosts("169.254.169.254", "10.0.0.1") })).address, "10.0.0.1:80");
  assert.equal(refused(address("fe80::1", 80)), "not_allowed");
  assert.equal(picked(address("::1", 80)).address, "[::1]:80");
  assert.ok(picked(world({ allowAnyAddress: true }).address("169.254.169.254", 80)));
});

test("a backend's own rate limit refuses calls, not their retries", () => {
  const { backend } = world();
  const hello = backend({ hosts: hosts("a", "b"), rateLimit: { enabled: true, requestsPerSecond: 1, burst: 1 } });
  const first = picked(hello);
  assert.equal(refused(hello), "too_many_requests");
  assert.ok(picked(hello, new Set([first])));
});

test("sticky clients stay where they were first, by a cookie that names no address, and move when it is gone", async () => {
  const { backend, upstreams } = world();
  upstreams.onSend = (sent) => sent.answer(madeAnswer());
  const loadBalancer = { algorithm: "sticky", sticky: { cookieName: "at", ttl: "1h" } };
  const hello = backend({ hosts: hosts("a", "b"), loadBalancer });
  const first = picked(hello);
  const { fields } = await first.upstream.send({ ...REQUEST, fields: new Fields() }).answer;
  const set = fields.get("set-cookie") ?? "";
  assert.match(set, /^at=[\w-]{22}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
  const cookie = set.slice(0, set.indexOf(";"));
  const call = madeCall({ fields: { cookie: `other=1; ${cookie}` } });
  for (let at = 0; at < 5; at++) assert.equal((hello.pick(call, NONE) as Endpoint).address, first.address);
  const again = await first.upstream.send({ ...REQUEST, fields: call.head.fields }).answer;
  assert.equal(again.fields.has("set-cookie"), false);
  const without = backend({
    hosts: hosts("a", "b").filter(({ address }) => !first.address.startsWith(address)),
    loadBalancer,
  });
  assert.notEqual((without.pick(call, NONE) as Endpoint).address, first.address);
});

test("a cookie without a time, or with none, lasts until the browser is closed", async () => {
  const cookies = [undefined, "0s", "300ms"].map(async (ttl) => {
    const { backend, upstreams } = world();
    upstreams.onSend = (sent) => sent.answer(madeAnswer());
    const loadBalancer = { algorithm: "sticky", sticky: { ...(ttl !== undefined && { ttl }) } };
    const { upstream } = picked(backend({ hosts: hosts("a"), loadBalancer }));
    const { fields } = await upstream.send({ ...REQUEST, fields: new Fields() }).answer;
    return /Max-Age=\d+/.exec(fields.get("set-cookie") ?? "")?.[0];
  });
  assert.deepEqual(await Promise.all(cookies), [undefined, undefined, "Max-Age=1"]);
});

test("a backend's sessions are limited over all its endpoints together", async () => {
  const { backend, upstreams } = world();
  const hello = backend({
    hosts: hosts("a", "b"),
    maxSessions: { enabled: true, maxConcurrent: 1, queueSize: 1, queueTimeout: "1s" },
  });
  const send = () =>
    picked(hello).upstream.send({
      method: "GET",
      scheme: "http",
      authority: "x",
      target: "/",
      fields: new Fields(),
      body: undefined,
      upgrade: undefined,
    });
  const first = send();
  const second = send();
  await assert.rejects(send().answer, { failure: "overflow", unseen: true });
  assert.equal(upstreams.sent.length, 1);
  upstreams.sent[0]?.answer(madeAnswer("streamed"));
  const { body } = await first.answer;
  assert.equal(upstreams.sent.length, 1);
  body?.cancel();
  await nextTurn();
  assert.equal(upstreams.sent.length, 2);
  upstreams.sent[1]?.answer(madeAnswer());
  assert.equal((await second.answer).status, 200);
});

test("files of certificates that cannot be read are told when the backend is made, not when requests fail", () => {
  const { backend, notes } = world();
  backend({ hosts: hosts("a"), tls: { enabled: true, caFile: "/nowhere/ca.pem" } });
  assert.deepEqual(
    notes.map(({ field, severity }) => [field, severity]),
    [["spec.tls", "warning"]],
  );
});

test("of several protocols in alpn one is spoken, and that is said", () => {
  const { backend, upstreams, notes } = world();
  const spoken: string[] = [];
  const protocolOf = (spec: Omit<BackendSpec, "hosts">, host: string): void => {
    upstreams.onSend = (sent) => void spoken.push(sent.target.protocol);
    const made = backend({ hosts: hosts(host), ...spec });
    picked(made).upstream.send({
      method: "GET",
      scheme: "http",
      authority: "x",
      target: "/",
      fields: new Fields(),
      body: undefined,
      upgrade: undefined,
    });
  };
  protocolOf({}, "a");
  protocolOf({ protocol: "http2" }, "b");
  protocolOf({ tls: { enabled: true, alpn: ["h2"] } }, "c");
  protocolOf({ tls: { enabled: true, alpn: ["http/1.1"] } }, "d");
  assert.equal(notes.length, 0);
  protocolOf({ tls: { enabled: true, alpn: ["h2", "http/1.1"] } }, "e");
  assert.deepEqual(spoken, ["http1", "http2", "http2", "http1", "http2"]);
  assert.equal(notes[0]?.field, "spec.tls.alpn");
});

test("a health check with a path that nobody can be asked for is told; without one the usual path is", () => {
  const { backend, notes } = world();
  backend({ hosts: hosts("a"), healthCheck: { path: "" } });
  backend({ hosts: hosts("a"), healthCheck: { path: "up", tcp: true } });
  assert.deepEqual(notes, []);
  backend({ hosts: hosts("a"), healthCheck: { path: "up" } });
  backend({ hosts: hosts("a"), healthCheck: { useHTTP: true, httpPath: "up" } }, "GRPCBackend");
  assert.deepEqual(
    notes.map(({ field, severity }) => `${severity} ${field}`),
    ["error spec.healthCheck.path", "error spec.healthCheck.httpPath"],
  );
});
