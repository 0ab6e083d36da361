import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { connect } from "node:tls";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { createAuthority } from "@gatewright/certificates";
import type { Authority, KeyPair } from "@gatewright/certificates";
import { Listeners, localAnswer } from "@gatewright/gateway";
import type { ListenerSettings } from "@gatewright/gateway";
import { nextTurn, seededRandom, systemClock, systemRandom } from "@gatewright/ports";
import { FLAG, frame, FRAME, PREFACE, settings } from "./http2-frames.ts";

const LOCAL = "127.0.0.1";
const DAY = 86_400_000;
const never = new AbortController().signal;
const validity = { notBefore: systemClock.now() - DAY, notAfter: systemClock.now() + DAY };

/** Certificates in files of a folder that goes away with the test. */
class Files {
  readonly authority: Authority = createAuthority({ subject: { commonName: "Test" }, ...validity }, systemRandom);
  readonly #folder: string;

  constructor(t: TestContext) {
    this.#folder = mkdtempSync(join(tmpdir(), "gateway-tls-"));
    t.after(() => rmSync(this.#folder, { recursive: true }));
    this.write("ca.pem", this.authority.certificate);
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  write(name: string, text: string): string {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  issue(hosts: readonly string[], usedBy: "server" | "client" = "server", commonName = "x"): Promise<KeyPair> {
    return this.authority.issue({ subject: { commonName }, names: { hosts }, usedBy: [usedBy], ...validity });
  }

  async certificate(name: string, hosts: readonly string[]): Promise<{ certFile: string; keyFile: string }> {
    const { certificate, key } = await this.issue(hosts);
    return { certFile: this.write(`${name}.crt`, certificate), keyFile: this.write(`${name}.key`, key) };
  }
}

interface Bench {
  readonly listeners: Listeners;
  readonly faults: string[];
  readonly refused: string[];
  readonly port: number;
}

async function bench(
  t: TestContext,
  tls: ListenerSettings["tls"],
  more: Partial<ListenerSettings> = {},
): Promise<Bench> {
  const faults: string[] = [];
  const refused: string[] = [];
  const listeners = new Listeners({
    clock: systemClock,
    random: seededRandom(1),
    handle(exchange) {
      const { tls: secured } = exchange.client;
      const name = secured?.certificate?.subject.CN ?? "nobody";
      const text = `${exchange.head.version} ${secured?.serverName} ${secured?.protocol} ${name} ${exchange.client.address}`;
      void exchange.send(localAnswer(200, "test", text));
    },
    fault: (error) => faults.push(error.message),
    refused: (_name, reason) => refused.push(reason),
  });
  t.after(() => listeners.close(0, AbortSignal.abort()));
  const failures = await listeners.apply([{ name: "tls", address: LOCAL, port: 0, tls, ...more }], never);
  assert.deepEqual(failures, []);
  return { listeners, faults, refused, port: listeners.bound[0]!.port };
}

interface Asked extends ConnectionOptions {
  readonly host?: string;
  /** What is sent before the handshake. */
  readonly before?: string;
}

/** Asks by HTTP/1.1 over TLS; tells the answer and whose certificate was shown. */
async function ask(
  port: number,
  files: Files,
  options: Asked = {},
): Promise<{ text: string; shown: string; isResumed: boolean }> {
  const host = options.host ?? options.servername ?? "a.test";
  const shown = { names: "", isResumed: false };
  const socket: TLSSocket = connect({
    port,
    ca: files.authority.certificate,
    checkServerIdentity: () => undefined,
    ALPNProtocols: ["http/1.1"],
    ...options,
    host: LOCAL,
  });
  socket.on("secureConnect", () => {
    shown.isResumed = socket.isSessionReused();
    shown.names = socket.getPeerCertificate().subjectaltname ?? "";
    socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  });
  const text = await textOf(socket);
  return { text, shown: shown.names, isResumed: shown.isResumed };
}

function textOf(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", (error) => (text += `error ${error.message}`));
    socket.on("close", () => resolve(text));
  });
}

test("each host gets its certificate: named, by a wildcard, or the first", async (t) => {
  const files = new Files(t);
  const certificates = [
    await files.certificate("a", ["a.test"]),
    await files.certificate("b", ["b.test", "*.b.test"]),
    await files.certificate("c", ["x.b.test"]),
  ];
  const { port } = await bench(t, { certificates });
  const shown = async (servername: string): Promise<string> => (await ask(port, files, { servername })).shown;
  assert.equal(await shown("a.test"), "DNS:a.test");
  assert.equal(await shown("B.test"), "DNS:b.test, DNS:*.b.test");
  assert.equal(await shown("y.b.test"), "DNS:b.test, DNS:*.b.test");
  assert.equal(await shown("x.b.test"), "DNS:x.b.test");
  assert.equal(await shown("z.y.b.test"), "DNS:a.test");
  assert.equal(await shown(""), "DNS:a.test");
});

test("a host that another certificate is for is sent away with 421", async (t) => {
  const files = new Files(t);
  const certificates = [
    await files.certificate("a", ["a.test", "also.test"]),
    await files.certificate("b", ["b.test"]),
  ];
  const { port } = await bench(t, { certificates });
  assert.match((await ask(port, files, { servername: "a.test", host: "b.test" })).text, /^HTTP\/1.1 421/u);
  assert.match((await ask(port, files, { servername: "a.test", host: "also.test:443" })).text, /^HTTP\/1.1 200/u);
  assert.match((await ask(port, files, { servername: "b.test", host: "unknown.test" })).text, /^HTTP\/1.1 421/u);
  const session = connectHttp2(`https://${LOCAL}:${port}`, {
    ca: files.authority.certificate,
    servername: "b.test",
    checkServerIdentity: () => undefined,
  });
  const status = (authority: string): Promise<unknown> =>
    new Promise((resolve) => {
      const stream = session.request({ ":authority": authority, ":path": "/" });
      stream.on("response", (headers) => resolve(headers[":status"]));
      stream.resume();
    });
  assert.equal(await status("b.test"), 200);
  assert.equal(await status("a.test"), 421);
  session.close();
});

test("the protocol is chosen by ALPN, and TLS of before 1.2 is refused", async (t) => {
  const files = new Files(t);
  const certificates = [await files.certificate("a", ["a.test"])];
  const { port, refused } = await bench(t, { certificates, maxVersion: "TLSv1.2" });
  assert.match((await ask(port, files, { servername: "a.test" })).text, /1.1 a.test TLSv1.2 nobody/u);
  const old = await ask(port, files, {
    servername: "a.test",
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "ALL@SECLEVEL=0",
  });
  assert.match(old.text, /^error/u);
  const none = await ask(port, files, { servername: "a.test", ALPNProtocols: ["gopher"] });
  assert.match(none.text, /^error/u);
  while (refused.length < 2) await nextTurn();
  assert.deepEqual(refused, ["tls_handshake", "tls_handshake"]);
});

test("new files are used for new handshakes, and bad ones change nothing", async (t) => {
  const files = new Files(t);
  const certificate = await files.certificate("a", ["a.test"]);
  const second = await files.certificate("b", ["b.test"]);
  const { port, listeners, faults } = await bench(t, { certificates: [certificate, second] });
  assert.equal((await ask(port, files, { servername: "a.test" })).shown, "DNS:a.test");
  await files.certificate("a", ["a.test", "new.test"]);
  await listeners.checkCertificates();
  assert.equal((await ask(port, files, { servername: "a.test" })).shown, "DNS:a.test, DNS:new.test");
  assert.equal((await ask(port, files, { servername: "" })).shown, "DNS:a.test, DNS:new.test");
  files.write("a.key", (await files.issue(["a.test"])).key);
  files.write("b.crt", "nonsense");
  await listeners.checkCertificates();
  assert.equal((await ask(port, files, { servername: "new.test" })).shown, "DNS:a.test, DNS:new.test");
  assert.equal((await ask(port, files, { servername: "b.test" })).shown, "DNS:b.test");
  assert.equal(faults.length, 2);
  assert.match(faults[0] ?? "", /listener tls: a certificate cannot be used: check .*a.crt and .*a.key/u);
});

test("clients that have to show a certificate are served only with one of the authority", async (t) => {
  const files = new Files(t);
  const stranger = createAuthority({ subject: { commonName: "Test" }, ...validity }, systemRandom);
  const certificates = [await files.certificate("a", ["a.test"])];
  const alice = await files.issue([], "client", "alice");
  const mallory = await stranger.issue({ subject: { commonName: "alice" }, usedBy: ["client"], ...validity });
  const caFile = files.path("ca.pem");
  const required = await bench(t, { certificates, clientCertificates: { mode: "required", caFile } });
  const optional = await bench(t, { certificates, clientCertificates: { mode: "optional", caFile } });
  const by = async (port: number, pair: KeyPair | undefined): Promise<string> =>
    (await ask(port, files, { servername: "a.test", ...(pair && { cert: pair.certificate, key: pair.key }) })).text;
  assert.match(await by(required.port, alice), / alice /u);
  assert.doesNotMatch(await by(required.port, undefined), /200/u);
  assert.doesNotMatch(await by(required.port, mallory), /200/u);
  assert.match(await by(optional.port, alice), / alice /u);
  assert.match(await by(optional.port, undefined), / nobody /u);
  assert.match(await by(optional.port, mallory), / nobody /u);
  files.write("ca.pem", stranger.certificate);
  await optional.listeners.checkCertificates();
  assert.match(await by(optional.port, mallory), / alice /u);
  assert.match(await by(optional.port, alice), / nobody /u);
  files.write("ca.pem", "nonsense");
  await optional.listeners.checkCertificates();
  assert.match(await by(optional.port, mallory), / alice /u);
  assert.match(optional.faults[0] ?? "", /the authorities of clients cannot be read: check .*ca.pem/u);
});

test("a session that an older authority vouched for is not resumed", async (t) => {
  const files = new Files(t);
  const stranger = createAuthority({ subject: { commonName: "Other" }, ...validity }, systemRandom);
  const certificates = [await files.certificate("a", ["a.test"])];
  const alice = await files.issue([], "client", "alice");
  const { port, listeners } = await bench(t, {
    certificates,
    maxVersion: "TLSv1.2",
    clientCertificates: { mode: "optional", caFile: files.path("ca.pem") },
  });
  let session: Buffer | undefined;
  const shown = { servername: "a.test", cert: alice.certificate, key: alice.key };
  const first = connect({
    ...shown,
    port,
    host: LOCAL,
    ca: files.authority.certificate,
    checkServerIdentity: () => undefined,
  });
  first.on("session", (ticket: Buffer) => (session = ticket));
  first.on("secureConnect", () => first.end("GET / HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n"));
  await textOf(first);
  assert.ok(session !== undefined);
  const resumed = await ask(port, files, { ...shown, session });
  assert.match(resumed.text, / alice /u);
  assert.equal(resumed.isResumed, true);
  files.write("ca.pem", stranger.certificate);
  await listeners.checkCertificates();
  const afterwards = await ask(port, files, { ...shown, session });
  assert.match(afterwards.text, / nobody /u);
  assert.equal(afterwards.isResumed, false);
});

test("a listener without a usable certificate is an error that names the files", async (t) => {
  const files = new Files(t);
  const listeners = new Listeners({
    clock: systemClock,
    random: seededRandom(1),
    handle: () => assert.fail(),
    fault() {},
  });
  t.after(() => listeners.close(0, AbortSignal.abort()));
  const tls = { certificates: [{ certFile: files.path("no.crt"), keyFile: files.path("no.key") }] };
  const failures = await listeners.apply([{ name: "tls", address: LOCAL, port: 0, tls }], never);
  assert.deepEqual(
    failures.map(({ code }) => code),
    ["certificate"],
  );
  assert.deepEqual(listeners.bound, []);
});

test("garbage instead of a handshake, and a connection that breaks in it, end that connection only", async (t) => {
  const files = new Files(t);
  const { port } = await bench(t, { certificates: [await files.certificate("a", ["a.test"])] });
  const { connect: connectPlain } = await import("node:net");
  for (const garbage of ["GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\xff\xff\x01", Buffer.alloc(3000, 0x16)]) {
    const socket = connectPlain(port, LOCAL);
    socket.on("error", () => {});
    socket.on("connect", () => socket.write(garbage, () => socket.destroy()));
    await new Promise((resolve) => socket.on("close", resolve));
  }
  assert.match((await ask(port, files, { servername: "a.test" })).text, /200/u);
});

test("malformed heads of HTTP/2 over TLS end their connection only, also when it breaks at once", async (t) => {
  const files = new Files(t);
  const { port } = await bench(t, { certificates: [await files.certificate("a", ["a.test"])] });
  const heads = [
    frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, 1, Buffer.alloc(16_000, 0xff)),
    frame(FRAME.headers, FLAG.endHeaders | FLAG.padded, 1, Buffer.from([255])),
    frame(FRAME.continuation, FLAG.endHeaders, 1, Buffer.alloc(10)),
    Buffer.alloc(50_000, 0xff),
  ];
  for (const head of heads)
    for (const isBroken of [false, true]) {
      const socket = connect({
        port,
        host: LOCAL,
        ca: files.authority.certificate,
        servername: "a.test",
        ALPNProtocols: ["h2"],
      });
      socket.on("error", () => {});
      socket.on("data", () => {});
      socket.on("secureConnect", () => {
        socket.write(Buffer.concat([PREFACE, settings(), head]), () => {
          if (isBroken) socket.destroy();
        });
      });
      await new Promise((resolve) => socket.on("close", resolve));
    }
  assert.match((await ask(port, files, { servername: "a.test" })).text, /200/u);
});

test("a PROXY header comes before the handshake", async (t) => {
  const files = new Files(t);
  const certificates = [await files.certificate("a", ["a.test"])];
  const { port } = await bench(t, { certificates }, { proxyProtocol: { trusted: [LOCAL] } });
  const { connect: connectPlain } = await import("node:net");
  const plain = connectPlain(port, LOCAL);
  plain.write("PROXY TCP4 203.0.113.9 127.0.0.1 1000 443\r\n");
  const { text } = await ask(port, files, { servername: "a.test", socket: plain });
  assert.match(text, /1.1 a.test TLSv1.3 nobody 203.0.113.9/u);
});
