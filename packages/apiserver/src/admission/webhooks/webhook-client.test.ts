import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, systemClock } from "@gatewright/ports";
import { TEST_WEBHOOK_CERTIFICATE } from "../testing/webhook-certificate.ts";
import { startWebhookServer } from "../testing/webhook-server.ts";
import { WebhookCallError, createWebhookCaller } from "./webhook-client.ts";

const caBundle = Buffer.from(TEST_WEBHOOK_CERTIFICATE).toString("base64");
const options = { timeoutMs: 10_000 };
const nowhere = () => undefined;
const caller = createWebhookCaller({ clock: systemClock, resolveService: nowhere });

const failsWith = (call: Promise<unknown>, message: string | RegExp): Promise<void> =>
  assert.rejects(call, (error) => {
    assert.ok(error instanceof WebhookCallError, String(error));
    if (typeof message === "string") assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  });

test("a webhook is posted JSON, told the timeout and whom it talks to", async () => {
  const seen: unknown[] = [];
  await using server = await startWebhookServer((body, request) => {
    const { "user-agent": agent, accept, "content-type": type } = request.headers;
    seen.push({ url: request.url, method: request.method, agent, accept, type, body });
    return { fine: true };
  });
  assert.deepEqual(await caller(server.clientConfig("/m"), { a: 1 }, options), { fine: true });
  assert.deepEqual(seen, [
    {
      url: "/m?timeout=10s",
      method: "POST",
      agent: "kube-apiserver-admission",
      accept: "application/json, */*",
      type: "application/json",
      body: { a: 1 },
    },
  ]);
});

test("a service is dialled where it was resolved to, under its own name", async () => {
  const hosts: (string | undefined)[] = [];
  await using server = await startWebhookServer((_body, request) => {
    hosts.push(request.headers.host);
    return {};
  });
  const asked: unknown[] = [];
  const call = createWebhookCaller({
    clock: systemClock,
    resolveService: (...about) => {
      asked.push(about);
      return { hostname: "127.0.0.1", port: server.port };
    },
  });
  await call({ service: { namespace: "test", name: "hooks", path: "/p", port: 8443 }, caBundle }, {}, options);
  assert.deepEqual(asked, [["test", "hooks", 8443]]);
  assert.deepEqual(hosts, ["hooks.test.svc:8443"]);
});

test("a service that nothing serves is unreachable", async () => {
  const config = { service: { namespace: "test", name: "hooks", path: "/p" }, caBundle };
  await failsWith(
    caller(config, {}, options),
    'Post "https://hooks.test.svc:443/p?timeout=10s": no endpoints available for service "hooks"',
  );
});

test("a resolver may tell why a service cannot be reached", async () => {
  const resolveService = (_namespace: string, name: string): never => {
    throw new Error(`service "${name}" not found`);
  };
  const call = createWebhookCaller({ clock: systemClock, resolveService });
  await failsWith(
    call({ service: { namespace: "test", name: "hooks" } }, {}, options),
    'Post "https://hooks.test.svc:443/?timeout=10s": service "hooks" not found',
  );
});

test("a refused connection is told as kube-apiserver tells it", async () => {
  const server = await startWebhookServer(() => ({}));
  await server[Symbol.asyncDispose]();
  await failsWith(
    caller(server.clientConfig("/x"), {}, options),
    `Post "https://127.0.0.1:${server.port}/x?timeout=10s": dial tcp 127.0.0.1:${server.port}: connect: connection refused`,
  );
});

test("a certificate that caBundle does not vouch for is not trusted", async () => {
  await using server = await startWebhookServer(() => ({}));
  const url = `https://127.0.0.1:${server.port}/x`;
  await failsWith(
    caller({ url }, {}, options),
    `Post "${url}?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
  );
});

test("a certificate for another name is not trusted", async () => {
  await using server = await startWebhookServer(() => ({}));
  const call = createWebhookCaller({
    clock: systemClock,
    resolveService: () => ({ hostname: "127.0.0.1", port: server.port }),
  });
  const config = { service: { namespace: "test", name: "other" }, caBundle };
  await failsWith(call(config, {}, options), /tls: failed to verify certificate/);
});

test("a webhook that does not answer in time is given up", async () => {
  const clock = new ManualClock();
  const call = createWebhookCaller({ clock, resolveService: nowhere });
  await using server = await startWebhookServer(() => {
    clock.advance(2_000);
    return undefined;
  });
  await failsWith(
    call(server.clientConfig("/slow"), {}, { timeoutMs: 2_000 }),
    `Post "https://127.0.0.1:${server.port}/slow?timeout=2s": context deadline exceeded`,
  );
  assert.equal(clock.pending, 0);
});

test("a connection that breaks off is an EOF", async () => {
  await using server = await startWebhookServer((_body, request) => {
    request.socket.destroy();
    return undefined;
  });
  await failsWith(caller(server.clientConfig("/"), {}, options), /: EOF$/);
});

const answers: [string, number, string, string, string][] = [
  [
    "nothing",
    200,
    "application/json",
    "",
    "0-length response with status code: 200 and content type: application/json",
  ],
  ["a missing path", 404, "text/plain", "nope", "the server could not find the requested resource"],
  [
    "a crash",
    500,
    "application/json",
    "{}",
    'an error on the server ("unknown") has prevented the request from succeeding',
  ],
  [
    "a crash with a text",
    500,
    "text/plain; charset=utf-8",
    "boom\n",
    'an error on the server ("boom") has prevented the request from succeeding',
  ],
  ["a Status", 400, "application/json", '{"kind":"Status","status":"Failure","message":"bad thing"}', "bad thing"],
];
for (const [what, code, type, body, message] of answers) {
  test(`a webhook that answers with ${what} has failed`, async () => {
    await using server = await startWebhookServer((_body, _request, response) => {
      response.writeHead(code, { "content-type": type });
      response.end(body);
      return undefined;
    });
    await failsWith(caller(server.clientConfig(), {}, options), message);
  });
}
