import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { after, before, test } from "node:test";
import type { core } from "@gatewright/kube/api";
import { ManualClock, nextTurn } from "@gatewright/ports";
import type { Container } from "../../containers/container-runtime.ts";
import { probeContainer } from "./probe-container.ts";
import type { ProbeTarget } from "./probe-target.ts";
import { runProbe } from "./run-probe.ts";
import type { ProbeAction } from "./run-probe.ts";

const [HTTP, GRPC] = [80, 90];
const seen: string[] = [];
let serving = 1;
const http = createServer((request, response) => {
  seen.push(
    `${request.url} ${request.headers.host} ${request.headers["user-agent"]} ${request.headers["x-probe"] ?? ""}`,
  );
  if (request.url === "/slow") return;
  if (request.url === "/switch") {
    request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
    return;
  }
  response.writeHead(Number(request.url?.slice(1))).end();
});
const grpc = createHttp2Server((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "application/grpc" });
  response.addTrailers({ "grpc-status": "0" });
  response.end(Buffer.from([0, 0, 0, 0, 2, 0x08, serving]));
});
const servers: readonly Server[] = [http, grpc];

before(async () => {
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
after(() => {
  http.closeAllConnections();
  for (const server of servers) server.close();
});

const container: Container = { exited: new Promise(() => {}), simulated: false, async stop() {} };
const target = (spec: Partial<core.Container> = {}, more: Partial<Container> = {}): ProbeTarget => ({
  podIP: "10.244.0.5",
  spec: { name: "main", ports: [{ name: "web", containerPort: HTTP }], ...spec },
  container: { ...container, ...more },
  addressOf: (port) => {
    const server = port === HTTP ? http : port === GRPC ? grpc : undefined;
    return server === undefined ? undefined : { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
  },
});
const never = new AbortController().signal;
const outcome = async (action: ProbeAction, signal = never, at = target()): Promise<string> => {
  const result = await runProbe(action, at, signal);
  return result.ok ? "ok" : result.output;
};

test("HTTP: codes below 400 are good, and the request looks like the kubelet's", async () => {
  const httpHeaders = [{ name: "X-Probe", value: "yes" }];
  assert.equal(await outcome({ httpGet: { path: "/204", port: "web", httpHeaders } }), "ok");
  assert.equal(seen.at(-1), "/204 10.244.0.5:80 kube-probe/1.36 yes");
  assert.equal(await outcome({ httpGet: { path: "/302", port: HTTP } }), "ok");
  assert.equal(await outcome({ httpGet: { path: "/503", port: HTTP } }), "HTTP probe failed with statuscode: 503");
  assert.equal(
    await outcome({ httpGet: { path: "/", port: 81 } }),
    'Get "http://10.244.0.5:81/": dial tcp 10.244.0.5:81: connect: connection refused',
  );
  assert.match(await outcome({ httpGet: { port: "nothing" } }), /couldn't find port: nothing/);
  assert.match(await outcome({ httpGet: { host: "169.254.169.254", port: HTTP } }), /other hosts than the pod/);
  assert.match(await outcome({ httpGet: { path: "/switch", port: HTTP } }), /ended the connection without an answer/);
  const impatient = new AbortController();
  const slow = outcome({ httpGet: { path: "/slow", port: HTTP } }, impatient.signal);
  impatient.abort();
  assert.match(await slow, /context deadline exceeded/);
});

test("TCP, gRPC and commands", async () => {
  assert.equal(await outcome({ tcpSocket: { port: "web" } }), "ok");
  assert.equal(await outcome({ tcpSocket: { port: 81 } }), "dial tcp 10.244.0.5:81: connect: connection refused");
  assert.equal(await outcome({ grpc: { port: GRPC, service: "a.B" } }), "ok");
  serving = 2;
  assert.equal(await outcome({ grpc: { port: GRPC } }), 'service unhealthy (responded with "NOT_SERVING")');
  assert.match(await outcome({ grpc: { port: 91 } }), /failed to connect service at "10\.244\.0\.5:91"/);
  assert.match(await outcome({ exec: { command: ["true"] } }), /it is not a process of its own/);
  const exec: NonNullable<Container["exec"]> = async ([word]) => ({ exitCode: word === "true" ? 0 : 1, output: "why" });
  assert.equal(await outcome({ exec: { command: ["true"] } }, never, target({}, { exec })), "ok");
  assert.equal(await outcome({ exec: { command: ["false"] } }, never, target({}, { exec })), "why");
});

test("startup comes first; thresholds count results in a row; a verdict is told once", async () => {
  const clock = new ManualClock();
  const answers = new Map([
    ["startup", [1, 0]],
    ["liveness", [0, 1, 0, 1, 1]],
    ["readiness", [0, 0, 1, 0]],
  ]);
  const exec: NonNullable<Container["exec"]> = async ([word = ""]) => ({
    exitCode: answers.get(word)?.shift() ?? 0,
    output: "",
  });
  const probe = (word: string, more: Partial<core.Probe> = {}): core.Probe => ({
    exec: { command: [word] },
    periodSeconds: 1,
    ...more,
  });
  const spec = {
    startupProbe: probe("startup", { failureThreshold: 5 }),
    livenessProbe: probe("liveness", { failureThreshold: 2 }),
    readinessProbe: probe("readiness", { failureThreshold: 1, successThreshold: 2 }),
  };
  const told: string[] = [];
  const stop = new AbortController();
  const ended = probeContainer(
    target(spec, { exec }),
    { verdict: (kind, ok) => told.push(`${kind} ${ok}`), failed: () => {} },
    clock,
    stop.signal,
  );
  for (let second = 0; second < 12; second++) {
    for (let i = 0; i < 5; i++) await nextTurn();
    clock.advance(1000);
  }
  assert.deepEqual(told, [
    "Startup true",
    "Liveness true",
    "Readiness true",
    "Readiness false",
    "Liveness false",
    "Readiness true",
  ]);
  stop.abort();
  await ended;
  assert.equal(clock.pending, 0);
});
