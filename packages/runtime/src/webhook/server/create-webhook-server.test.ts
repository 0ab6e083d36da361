import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import type { RequestOptions } from "node:https";
import { connect as connectPlainly, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import type { TLSSocket } from "node:tls";
import { test } from "node:test";
import { createAuthority } from "@gatewright/certificates";
import type { Authority, KeyPair } from "@gatewright/certificates";
import { core } from "@gatewright/kube/api";
import { ManualClock, systemClock, systemRandom } from "@gatewright/ports";
import { allowed } from "../admission/verdict.ts";
import type { CertificateSource } from "../certificate/certificate-source.ts";
import { Listeners } from "../certificate/listeners.ts";
import { validating } from "../webhook.ts";
import { createWebhookServer } from "./create-webhook-server.ts";
import type { WebhookServerOptions } from "./create-webhook-server.ts";

const now = systemClock.now();
const current = { notBefore: now - 3_600_000, notAfter: now + 3_600_000 };

/** A source whose certificate a test replaces. */
class GivenCertificate implements CertificateSource {
  readonly #listeners = new Listeners();
  #pair: KeyPair | undefined;
  give(pair: KeyPair): void {
    this.#pair = pair;
    this.#listeners.tell();
  }
  current(): KeyPair | undefined {
    return this.#pair;
  }
  bundle(): undefined {}
  subscribe(changed: () => void): () => void {
    return this.#listeners.add(changed);
  }
  confirm(): void {}
  async run(): Promise<void> {}
}

function leafOf(authority: Authority): Promise<KeyPair> {
  return authority.issue({ names: { hosts: ["127.0.0.1"] }, usedBy: ["server"], ...current });
}

const PATH = "/validate-v1-configmap";

/** A server with one webhook, whose handler a test holds up. */
async function serving(handle: () => Promise<void> = async () => {}, options: Partial<WebhookServerOptions> = {}) {
  const authority = createAuthority({ subject: { commonName: "test" }, ...current }, systemRandom);
  const certificates = new GivenCertificate();
  const address = Promise.withResolvers<{ readonly port: number }>();
  const webhook = validating<core.ConfigMap>({
    for: core.ConfigMap,
    name: "test.example.com",
    async handle() {
      await handle();
      return allowed();
    },
  });
  const server = createWebhookServer({
    webhooks: [webhook],
    certificates,
    clock: systemClock,
    host: "127.0.0.1",
    port: 0,
    lingerMs: 0,
    listening: address.resolve,
    ...options,
  });
  const stop = new AbortController();
  const ended = server.run(stop.signal);
  assert.equal(server.check.problem(), "there is no certificate yet");
  certificates.give(await leafOf(authority));
  const { port } = await address.promise;
  const agent = new Agent({ keepAlive: true, ca: authority.certificate });
  const target: RequestOptions = { host: "127.0.0.1", port, agent };
  return {
    server,
    certificates,
    authority,
    port,
    target,
    ended,
    stop: () => stop.abort(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      agent.destroy();
      await ended;
    },
  };
}

interface Asked {
  readonly status: number | undefined;
  readonly text: string;
  readonly connection: string | undefined;
}

async function ask(options: RequestOptions, body: string | Buffer = ""): Promise<Asked> {
  const outgoing = request({ method: "POST", path: PATH, headers: { "content-type": "application/json" }, ...options });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    text: Buffer.concat(chunks).toString(),
    connection: response.headers.connection,
  };
}

function review(changes: object = {}): string {
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "u",
      operation: "CREATE",
      resource: { group: "", version: "v1", resource: "configmaps" },
      object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
      ...changes,
    },
  });
}

test("only reviews are answered, and whatever else is sent, the server goes on", async () => {
  await using world = await serving();
  for (const [status, text, options, body] of [
    [404, /no webhook has this path/, { path: "/" }, review()],
    [404, /no webhook has this path/, { path: "/__proto__" }, review()],
    [405, /asked by POST/, { method: "GET" }, ""],
    [400, /content type must be/, { headers: { "content-type": "text/plain" } }, review()],
    [400, /is no JSON/, {}, "{"],
    [400, /is no JSON/, {}, ""],
    [400, /is no JSON/, {}, "[".repeat(100_000)],
    [400, /no AdmissionReview of admission.k8s.io\/v1/, {}, "null"],
    [400, /no AdmissionReview of admission.k8s.io\/v1/, {}, '{"apiVersion":"v1","kind":"Pod"}'],
    [400, /no request with a uid/, {}, review({ uid: 7 })],
    [400, /no operation that can be reviewed/, {}, review({ operation: "PRAY" })],
    [400, /the request has no object/, {}, review({ object: null })],
    [400, /the request has no oldObject/, {}, review({ operation: "UPDATE" })],
    [
      200,
      /"allowed":false.*"reviews configmaps|reviews configmaps\.v1\./,
      {},
      review({ resource: { group: "", version: "v1", resource: "pods" } }),
    ],
    [200, /"uid":"u","allowed":true/, { path: `${PATH}?timeout=nonsense` }, review()],
    [200, /"uid":"u","allowed":true/, { path: `${PATH}?timeout=1s` }, review()],
  ] as const) {
    const answered = await ask({ ...world.target, ...options }, body);
    assert.equal(answered.status, status, answered.text);
    assert.match(answered.text, text);
  }
  assert.equal((await ask(world.target, Buffer.alloc(8 * 1024 * 1024, " "))).status, 413);
  const unsized = { ...world.target, headers: { "content-type": "application/json", "transfer-encoding": "chunked" } };
  assert.equal((await ask(unsized, Buffer.alloc(8 * 1024 * 1024, " "))).status, 413);
  assert.equal((await ask(world.target, review())).status, 200);
});

test("a new certificate is served from the next connection on, and open connections stay", async () => {
  await using world = await serving();
  const open = new Agent({ keepAlive: true, maxSockets: 1, ca: world.authority.certificate });
  await ask({ ...world.target, agent: open }, review());
  const other = createAuthority({ subject: { commonName: "other" }, ...current }, systemRandom);
  world.certificates.give(await leafOf(other));
  assert.equal((await ask({ ...world.target, agent: open }, review())).status, 200, "the connection of before");
  open.destroy();
  await assert.rejects(ask({ ...world.target, agent: new Agent({ ca: world.authority.certificate }) }, review()));
  assert.equal((await ask({ ...world.target, agent: new Agent({ ca: other.certificate }) }, review())).status, 200);
  world.certificates.give({ certificate: "broken", key: "broken" });
  assert.equal((await ask({ ...world.target, agent: new Agent({ ca: other.certificate }) }, review())).status, 200);
});

test("a stop lets requests under way end, and takes no others", async () => {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using world = await serving(async () => {
    begun.resolve();
    await release.promise;
  });
  const idle: TLSSocket = connect({ host: "127.0.0.1", port: world.port, ca: world.authority.certificate });
  await once(idle, "secureConnect");
  const silent = connectPlainly({ host: "127.0.0.1", port: world.port });
  await once(silent, "connect");
  const asked = ask(world.target, review());
  await begun.promise;
  world.stop();
  await assert.rejects(ask({ ...world.target, agent: false, rejectUnauthorized: false }, review()));
  release.resolve();
  const { status, connection } = await asked;
  assert.deepEqual([status, connection], [200, "close"]);
  // Connections that nobody asked on do not hold the stop up.
  await Promise.all([once(idle.resume(), "close"), once(silent.resume(), "close")]);
});

test("who does not know of a stop is answered for a while, the last time on that connection", async () => {
  const lingers = new ManualClock(now);
  await using world = await serving(undefined, { lingerMs: 1_000, clock: lingers });
  assert.equal((await ask(world.target, review())).connection, "keep-alive");
  world.stop();
  for (const caller of ["over the connection of before", "over a new one"]) {
    const { status, connection } = await ask(world.target, review());
    assert.deepEqual([status, connection], [200, "close"], caller);
  }
  lingers.advance(1_000);
  await world.ended;
  await assert.rejects(ask(world.target, review()), { code: "ECONNREFUSED" });
});

test("a server that could not start the first time keeps connections open the second time", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const authority = createAuthority({ subject: { commonName: "test" }, ...current }, systemRandom);
  const certificates = new GivenCertificate();
  certificates.give(await leafOf(authority));
  const webhook = validating({ for: core.ConfigMap, name: "test.example.com", handle: () => allowed() });
  const listening = Promise.withResolvers<unknown>();
  const server = createWebhookServer({
    webhooks: [webhook],
    certificates,
    clock: systemClock,
    host: "127.0.0.1",
    port,
    lingerMs: 0,
    listening: listening.resolve,
  });
  const stop = new AbortController();
  await assert.rejects(server.run(stop.signal), { code: "EADDRINUSE" });
  other.close();
  await once(other, "close");
  const ended = server.run(stop.signal);
  await listening.promise;
  const agent = new Agent({ keepAlive: true, ca: authority.certificate });
  assert.equal((await ask({ host: "127.0.0.1", port, agent }, review())).connection, "keep-alive");
  agent.destroy();
  stop.abort();
  await ended;
});

test("a server whose certificate has ended says so", async () => {
  const clock = new ManualClock(now);
  const certificates = new GivenCertificate();
  const authority = createAuthority({ subject: { commonName: "test" }, ...current }, systemRandom);
  const server = createWebhookServer({ webhooks: [], certificates, clock });
  certificates.give(await leafOf(authority));
  assert.equal(server.check.problem(), "it does not listen");
  clock.advance(3_700_000);
  assert.match(server.check.problem() ?? "", /^the certificate ended at /);
});

test("two webhooks cannot have one path", () => {
  const webhook = validating({ for: core.ConfigMap, name: "a.example.com", handle: () => allowed() });
  const options = { webhooks: [webhook, webhook], certificates: new GivenCertificate(), clock: systemClock };
  assert.throws(() => createWebhookServer(options), /two webhooks have the path \/validate-v1-configmap/);
});
