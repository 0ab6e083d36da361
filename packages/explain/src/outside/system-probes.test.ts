import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { createServer as createHttpServer } from "node:http";
import type { Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createAuthority } from "@gatewright/certificates";
import { keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import type { Trial } from "../probes.ts";
import { systemProbes } from "./system-probes.ts";

const HOUR = 3_600_000;
const NOW = Math.floor(systemClock.now() / 1000) * 1000;
const validity = { notBefore: NOW - 2 * HOUR, notAfter: NOW + HOUR };
const authority = createAuthority({ subject: { commonName: "test" }, ...validity }, systemRandom);

async function listening(t: TestContext, server: Server): Promise<number> {
  const alive = keepAlive();
  t.after(() => {
    server.closeAllConnections();
    server.close();
    alive[Symbol.dispose]();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function secure(t: TestContext, host: string, more: object = {}, issuer = authority): Promise<number> {
  const leaf = await issuer.issue({ names: { hosts: [host] }, usedBy: ["server"], ...validity, ...more });
  const server = createHttpsServer({ cert: leaf.certificate, key: leaf.key }, (_request, response) =>
    response.end("hello"),
  );
  return listening(t, server);
}

const probes = systemProbes({ clock: systemClock, ca: authority.certificate, timeoutMs: 2_000 });
const told = ({ hops, status }: Trial): string =>
  `${hops.map(({ step, ok, reason }) => (ok ? step : `${step}: ${reason}`)).join(", ")}${status === undefined ? "" : ` ${status}`}`;

test("a request goes through every hop, each with its time", async (t) => {
  const trial = await probes.request(`https://localhost:${await secure(t, "localhost")}/`);
  assert.equal(told(trial), "resolve, connect, tls, request 200");
  assert.ok(trial.hops.every(({ ms }) => ms >= 0));
  assert.equal(trial.body, "hello");
  assert.match(trial.hops[2]?.detail ?? "", /^TLSv1\.[23], localhost, until \d{4}-\d\d-\d\d$/);
});

test("a certificate that has ended, is of another name, or of nobody who is known is told apart, and nothing is sent", async (t) => {
  const stranger = createAuthority({ subject: { commonName: "stranger" }, ...validity }, systemRandom);
  const cases: readonly (readonly [number, string])[] = [
    [await secure(t, "localhost", { notAfter: NOW - HOUR }), "CertificateExpired"],
    [await secure(t, "localhost", { notAfter: NOW - HOUR }, stranger), "CertificateExpired"],
    [await secure(t, "localhost", { notBefore: NOW + HOUR / 2 }), "CertificateNotYetValid"],
    [await secure(t, "other.example.com"), "CertificateOtherName"],
    [await secure(t, "localhost", {}, stranger), "CertificateNotTrusted"],
  ];
  for (const [port, reason] of cases) {
    assert.equal(told(await probes.request(`https://localhost:${port}/`)), `resolve, connect, tls: ${reason}`);
  }
});

test("an answer that says that something behind is wrong is no success; one that says no is", async (t) => {
  const port = await listening(
    t,
    createHttpServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end()),
  );
  assert.equal(told(await probes.request(`http://127.0.0.1:${port}/502`)), "resolve, connect, request: BadAnswer 502");
  assert.equal(told(await probes.request(`http://127.0.0.1:${port}/404`)), "resolve, connect, request 404");
});

test("an answer whose body does not end is an answer, with what came of it", async (t) => {
  const port = await listening(
    t,
    createHttpServer(({ url }, response) => {
      response.writeHead(200);
      response.write(url === "/long" ? "x".repeat(2_000) : "data: 1");
    }),
  );
  const short = systemProbes({ clock: systemClock, timeoutMs: 200 });
  for (const [each, path, body] of [
    [probes, "/long", "x".repeat(512)],
    [probes, "/stream", "data: 1"],
    [short, "/stream", "data: 1"],
  ] as const) {
    const trial = await each.request(`http://127.0.0.1:${port}${path}`);
    assert.equal(told(trial), "resolve, connect, request 200");
    assert.equal(trial.body, body);
  }
});

test("whoever asks can stop asking in the middle of an answer", async (t) => {
  const gone = new AbortController();
  const port = await listening(
    t,
    createHttpServer((_request, response) => {
      response.write("data: 1");
      gone.abort(new Error("enough"));
    }),
  );
  await assert.rejects(probes.request(`http://127.0.0.1:${port}/`, gone.signal), /enough/);
});

test("nobody listens, nobody speaks or in another protocol, plain text where TLS is asked for", async (t) => {
  const port = await listening(t, createHttpServer());
  const closed = await listening(t, createHttpServer());
  const silent = createTcpServer(() => {});
  t.after(() => silent.close());
  await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
  const quick = systemProbes({ clock: systemClock, timeoutMs: 200 });
  assert.equal(told(await quick.request("http://127.0.0.1:1/")), "resolve, connect: NoConnection");
  assert.equal(told(await quick.request(`http://127.0.0.1:${closed}/`)), "resolve, connect, request: NoAnswer");
  assert.equal(told(await quick.request(`https://127.0.0.1:${port}/`)), "resolve, connect, tls: TlsFailed");
  const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  const switching = await listening(
    t,
    createHttpServer(({ socket }) => void socket.write(switched)),
  );
  assert.equal(told(await quick.request(`http://127.0.0.1:${switching}/`)), "resolve, connect, request: NoAnswer");
  const { port: mute } = silent.address() as AddressInfo;
  assert.equal(told(await quick.request(`https://127.0.0.1:${mute}/`)), "resolve, connect, tls: NoAnswer");
});

test("DNS that does not answer is no proof that a name is not there", async () => {
  const local = { dns: "127.0.0.1:1", ca: authority.certificate, portsMovedBy: 8000 };
  const nowhere = systemProbes({ clock: systemClock, local, timeoutMs: 500 });
  const alive = keepAlive();
  try {
    assert.equal(await nowhere.resolve("a.example.com", "CNAME"), undefined);
    assert.equal(told(await nowhere.request("https://a.example.com/")), "resolve: NoAnswer");
  } finally {
    alive[Symbol.dispose]();
  }
});

test("a name outside of all zones of the server is told as such, and not as silence", async (t) => {
  const refusing = createSocket("udp4", (query, { port, address }) => {
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8405, 2);
    refusing.send(answer, port, address);
  });
  const alive = keepAlive();
  t.after(() => {
    refusing.close();
    alive[Symbol.dispose]();
  });
  await new Promise<void>((resolve) => void refusing.bind(0, "127.0.0.1", resolve));
  const local = { dns: `127.0.0.1:${refusing.address().port}`, ca: authority.certificate, portsMovedBy: 8000 };
  const asking = systemProbes({ clock: systemClock, local });
  const { hops } = await asking.request("https://a.example.com/");
  assert.deepEqual(
    hops.map(({ reason, detail }) => `${reason}: ${detail}`),
    [`DnsMissing: DNS (${local.dns}) has no zone for a.example.com.`],
  );
});

test("ports that need rights are elsewhere in a local world, on its own addresses alone", async (t) => {
  const port = await listening(
    t,
    createHttpServer((_request, response) => response.end()),
  );
  const local = { dns: "127.0.0.1:1", ca: authority.certificate, portsMovedBy: port - 81 };
  const moved = systemProbes({ clock: systemClock, local, timeoutMs: 500 });
  assert.equal(told(await moved.request("http://127.0.0.1:81/")), "resolve, connect, request 200");
});

test("whoever asks can stop asking", async () => {
  const gone = new AbortController();
  gone.abort(new Error("enough"));
  await assert.rejects(probes.request("http://127.0.0.1:1/", gone.signal), /enough/);
});
