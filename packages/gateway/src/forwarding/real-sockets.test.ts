import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, LookupFunction, Server as NetServer } from "node:net";
import type { TLSSocket } from "node:tls";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createAuthority } from "@gatewright/certificates";
import { ManualClock, sleep, systemClock, systemRandom, untilHolds } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { BackendSpec } from "../backends/backend-spec.ts";
import type { Backend } from "../backends/backend.ts";
import { connectEndpoint } from "../connect-endpoint.ts";
import { createBackend } from "../backends/create-backend.ts";
import type { GivenBackend } from "../backends/create-backend.ts";
import { madeAround, madeCall, textOf } from "../filters/testing/made-call.ts";
import { StateKeeper } from "../kept/state-keeper.ts";
import { nodeFetchJson } from "../outbound/node-fetch-json.ts";
import { forwardAction } from "./forward-action.ts";
import type { ForwardSpec } from "./forward-action.ts";
import { FlowingBody } from "./testing/flowing-body.ts";

async function listening(t: TestContext, server: NetServer): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  t.after(() => {
    if ("closeAllConnections" in server) (server as unknown as Server).closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const served = (t: TestContext, listener: RequestListener): Promise<number> => listening(t, createServer(listener));

const until = (condition: () => boolean): Promise<boolean> =>
  untilHolds("it", condition, Boolean, { turn: () => sleep(systemClock, 5), turns: 2000 });

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function backendOf(
  t: TestContext,
  spec: BackendSpec,
  options: { kind?: GivenBackend["kind"]; lookup?: LookupFunction; clock?: Clock } = {},
): Backend {
  const keeper = new StateKeeper();
  const { kind = "Backend", lookup, clock = systemClock } = options;
  const backend = createBackend(
    { kind, namespace: "default", name: "hello", spec, isLocal: true },
    {
      clock,
      random: systemRandom,
      kept: keeper.keeping().state,
      settings: { allowAnyAddress: false, stickySecret: "s", ...(lookup !== undefined && { lookup }) },
      connect: connectEndpoint(systemClock),
      fetchJson: nodeFetchJson({ clock: systemClock }),
      note: (note) => assert.notEqual(note.severity, "error"),
    },
  );
  t.after(() => keeper.dispose());
  return backend;
}

const forwardTo = (backend: Backend, spec: ForwardSpec = {}) =>
  forwardAction(spec, [{ backend, weight: 1 }], { ...madeAround(), clock: systemClock });

const local = (...ports: number[]): BackendSpec["hosts"] => ports.map((port) => ({ address: "127.0.0.1", port }));

test("a call reaches a server and its answer comes back, body both ways", async (t) => {
  const port = await served(t, (request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => response.end(`${request.method} ${request.url} ${request.headers.host} ${body}`));
  });
  const forward = forwardTo(backendOf(t, { hosts: local(port) }), { rewrite: { uri: "/v1" } });
  const matched = { type: "prefix", value: "/api" } as const;
  const answer = await forward(
    madeCall({ method: "POST", target: "/api/x", matched, authority: "a.example.com", body: "hello" }),
  );
  assert.equal(answer.status, 200);
  assert.equal(await textOf(answer.body), "POST /v1/x a.example.com hello");
});

test("a host that nobody listens on is passed over for one that answers", async (t) => {
  const port = await served(t, (_request, response) => response.end("here"));
  const forward = forwardTo(backendOf(t, { hosts: local(await closedPort(), port) }));
  for (let at = 0; at < 4; at++) {
    const answer = await forward(madeCall({ method: "POST", body: "x" }));
    assert.equal(await textOf(answer.body), "here");
  }
});

test("a server that breaks off is answered for with 502, and tried again where the route says so", async (t) => {
  let asked = 0;
  const port = await served(t, (request, response) => {
    if (++asked % 2 === 1) request.socket.destroy();
    else response.end("second");
  });
  const backend = backendOf(t, { hosts: local(port) });
  const broken = await forwardTo(backend)(madeCall());
  assert.deepEqual([broken.status, broken.origin], [502, "upstream_reset"]);
  asked = 0;
  const retried = await forwardTo(backend, { retries: { attempts: 1, retryOn: "reset" } })(madeCall());
  assert.equal(await textOf(retried.body), "second");
});

test("checks find out which hosts are up and bring them back", async (t) => {
  let isUp = false;
  const port = await served(t, (request, response) => {
    response.statusCode = request.url === "/up" && !isUp ? 500 : 200;
    response.end();
  });
  const clock = new ManualClock();
  const healthCheck = { path: "/up", interval: "10s", timeout: "5s", healthyThreshold: 1 };
  const backend = backendOf(t, { hosts: local(port), healthCheck }, { clock });
  const healthy = (): boolean => backend.describe().endpoints[0]?.healthy ?? false;
  await until(() => !healthy());
  isUp = true;
  clock.advance(11_000);
  await until(healthy);
  assert.equal((await forwardTo(backend)(madeCall())).status, 200);
});

test("gRPC's health protocol and plain connections are asked, too", async (t) => {
  const services: string[] = [];
  const server = createHttp2Server();
  server.on("stream", (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      services.push(`${headers[":path"]} ${Buffer.concat(chunks).subarray(7).toString()}`);
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.end(Buffer.from([0, 0, 0, 0, 2, 8, services.length === 1 ? 2 : 1]));
    });
  });
  const port = await listening(t, server);
  const clock = new ManualClock();
  const grpc = backendOf(
    t,
    { hosts: local(port), healthCheck: { service: "shop.Orders", healthyThreshold: 1 } },
    { kind: "GRPCBackend", clock },
  );
  await until(() => grpc.describe().endpoints[0]?.healthy === false);
  assert.deepEqual(services, ["/grpc.health.v1.Health/Check shop.Orders"]);
  clock.advance(11_000);
  await until(() => grpc.describe().endpoints[0]?.healthy === true);

  const both = backendOf(t, { hosts: local(port, await closedPort()), healthCheck: { tcp: true } });
  await until(() => both.describe().endpoints.some(({ healthy }) => !healthy));
  assert.deepEqual(
    both.describe().endpoints.map(({ healthy }) => healthy),
    [true, false],
  );
});

test("a change of protocol is a tunnel both ways, and a session until it is closed", async (t) => {
  const server = createServer();
  server.on("upgrade", (request, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
    );
    socket.on("data", (chunk) => socket.write(`echo ${String(chunk)}`));
    socket.on("end", () => socket.end());
  });
  const port = await listening(t, server);
  const forward = forwardTo(backendOf(t, { hosts: local(port), maxSessions: { enabled: true, maxConcurrent: 1 } }));
  const upgrading = (body: FlowingBody) => {
    const call = madeCall({ body });
    return { ...call, head: { ...call.head, upgrade: "websocket" } };
  };
  const body = new FlowingBody();
  const answer = await forward(upgrading(body));
  assert.equal(answer.status, 101);
  let heard = "";
  let isOver = false;
  answer.body?.open({
    write: (chunk) => {
      heard += Buffer.from(chunk).toString();
      return true;
    },
    end: () => (isOver = true),
    abort: () => (isOver = true),
    onDrain() {},
  });
  body.write("hello");
  await until(() => heard === "echo hello");
  assert.equal((await forward(upgrading(new FlowingBody()))).origin, "upstream_overflow");
  body.end();
  await until(() => isOver);
  const next = await forward(upgrading(new FlowingBody()));
  assert.equal(next.status, 101);
  next.body?.cancel();
});

test("a name that resolves to a metadata service is not connected to", async (t) => {
  const lookup: LookupFunction = (_host, _options, callback) =>
    callback(null, [{ address: "169.254.169.254", family: 4 }]);
  const backend = backendOf(t, { hosts: [{ address: "harmless.example.com", port: 80 }] }, { lookup });
  const answer = await forwardTo(backend)(madeCall());
  assert.deepEqual([answer.status, answer.origin], [503, "upstream_connect"]);
});

test("a backend over TLS: certificates are verified, shown, and read again when they change", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "backend-tls-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const now = systemClock.now();
  const validity = { notBefore: now - 60_000, notAfter: now + 3_600_000 };
  const authority = createAuthority({ subject: { commonName: "Backends" }, ...validity }, systemRandom);
  const issued = (commonName: string, host: string, usedBy: "client" | "server") =>
    authority.issue({ subject: { commonName }, names: { hosts: [host] }, usedBy: [usedBy], ...validity });
  const serverPair = await issued("orders", "orders.internal", "server");
  const secure = createSecureServer(
    {
      cert: serverPair.certificate,
      key: serverPair.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.setHeader("connection", "close");
      response.end(`${(request.socket as TLSSocket).authorized} ${subject?.CN}`);
    },
  );
  const port = await listening(t, secure);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const own = await issued("gateway-1", "gateway", "client");
  const tls = {
    enabled: true,
    mode: "MUTUAL",
    caFile: file("ca.pem", authority.certificate),
    certFile: file("cert.pem", own.certificate),
    keyFile: file("key.pem", own.key),
    serverName: "orders.internal",
  };
  const clock = new ManualClock();
  const backend = backendOf(t, { hosts: local(port), tls }, { clock });
  assert.equal(await textOf((await forwardTo(backend)(madeCall())).body), "true gateway-1");

  const next = await issued("gateway-number-two", "gateway", "client");
  file("cert.pem", next.certificate);
  file("key.pem", next.key);
  clock.advance(1000);
  assert.equal(await textOf((await forwardTo(backend)(madeCall())).body), "true gateway-number-two");

  file("key.pem", "half-written");
  clock.advance(1000);
  assert.equal(await textOf((await forwardTo(backend)(madeCall())).body), "true gateway-number-two");

  const wrongName = backendOf(t, { hosts: local(port), tls: { ...tls, mode: "SIMPLE", serverName: "other.internal" } });
  const refused = await forwardTo(wrongName)(madeCall());
  assert.equal(refused.status, 503);
  const missing = backendOf(t, { hosts: local(port), tls: { ...tls, caFile: join(folder, "none.pem") } });
  assert.equal((await forwardTo(missing)(madeCall())).origin, "upstream_tls");
  const insecure = backendOf(t, { hosts: local(port), tls: { enabled: true, mode: "INSECURE" } });
  assert.equal(await textOf((await forwardTo(insecure)(madeCall())).body), "false undefined");
});

test("tokens by client credentials are fetched once and shown to the backend in place of the client's", async (t) => {
  let given = 0;
  const issuer = await served(t, (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url === "/.well-known/openid-configuration") {
      response.end(JSON.stringify({ token_endpoint: `http://127.0.0.1:${issuer}/token` }));
      return;
    }
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      given++;
      assert.equal(body, "grant_type=client_credentials&scope=read+write");
      assert.equal(request.headers["content-type"], "application/x-www-form-urlencoded");
      assert.equal(request.headers.authorization, `Basic ${Buffer.from("gw:s3cret").toString("base64")}`);
      response.end(JSON.stringify({ access_token: `token-${given}`, expires_in: 300 }));
    });
  });
  const port = await served(t, (request, response) => response.end(request.headers.authorization));
  const oidc = {
    issuerUrl: `http://127.0.0.1:${issuer}/`,
    clientId: "gw",
    clientSecret: "s3cret",
    scopes: ["read", "write"],
  };
  const backend = backendOf(t, {
    hosts: local(port),
    authentication: { type: "jwt", jwt: { enabled: true, tokenSource: "oidc", oidc } },
  });
  const forward = forwardTo(backend);
  const calls = [1, 2, 3].map(() => forward(madeCall({ fields: { authorization: "Bearer client" } })));
  for (const answer of await Promise.all(calls)) assert.equal(await textOf(answer.body), "Bearer token-1");
  assert.equal(given, 1);
});
