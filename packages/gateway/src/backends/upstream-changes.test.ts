import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import { bytesSource } from "../exchange/bodies.ts";
import type { Source } from "../exchange/body.ts";
import { Fields } from "../exchange/fields.ts";
import { madeAround } from "../filters/testing/made-call.ts";
import { FlowingBody } from "../forwarding/testing/flowing-body.ts";
import type { FetchJson } from "../outbound/fetch-json.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import type { BackendSpec } from "./backend-spec.ts";
import { MadeUpstreams } from "./testing/made-upstream.ts";
import { upstreamChanges } from "./upstream-changes.ts";

function world(
  spec: Omit<BackendSpec, "hosts">,
  fetchJson: FetchJson = () => Promise.reject(new Error("unreachable")),
) {
  const around = madeAround();
  const upstreams = new MadeUpstreams();
  const settings = { allowAnyAddress: false, stickySecret: "" };
  const changed = upstreamChanges({ hosts: [], ...spec }, "Backend default/hello", {
    ...around,
    settings,
    connect: upstreams.connect,
    fetchJson,
  });
  const pool = { maxConnections: undefined, maxIdle: undefined, idleMs: undefined, maxPending: undefined };
  const target = { host: "a", port: 80, protocol: "http1", tls: undefined, lookup: undefined, pool } as const;
  return { around, upstreams, upstream: changed(upstreams.connect(target)) };
}
const request = (parts: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: "GET",
  scheme: "http",
  authority: "x",
  target: "/",
  fields: new Fields(["authorization", "Bearer client"]),
  body: undefined,
  upgrade: undefined,
  ...parts,
});

test("basic credentials and static tokens take the place of the client's, which stay what they were for others", () => {
  const basic = world({ authentication: { type: "basic", basic: { enabled: true, username: "u", password: "p" } } });
  const given = request();
  basic.upstream.send(given);
  assert.equal(basic.upstreams.sent[0]?.request.fields.get("authorization"), "Basic dTpw");
  assert.equal(given.fields.get("authorization"), "Bearer client");
  const jwt = { enabled: true, tokenSource: "static", staticToken: " abc ", headerName: "X-Token", headerPrefix: "" };
  const token = world({ authentication: { type: "jwt", jwt } });
  token.upstream.send(given);
  assert.equal(token.upstreams.sent[0]?.request.fields.get("x-token"), "abc");
});

const UNSUPPORTED: readonly (readonly [string, Omit<BackendSpec, "hosts">])[] = [
  [
    "spec.authentication.basic.vaultPath",
    { authentication: { type: "basic", basic: { enabled: true, vaultPath: "x" } } },
  ],
  [
    "spec.authentication.jwt.vaultPath",
    { authentication: { type: "jwt", jwt: { enabled: true, tokenSource: "vault" } } },
  ],
  [
    "spec.authentication.jwt.oidc.clientSecretRef",
    {
      authentication: {
        type: "jwt",
        jwt: {
          enabled: true,
          tokenSource: "oidc",
          oidc: { issuerUrl: "https://i", clientId: "c", clientSecretRef: {} },
        },
      },
    },
  ],
];
for (const [field, spec] of UNSUPPORTED) {
  test(`${field} has no effect here, and that is said`, () => {
    const { around } = world(spec);
    assert.deepEqual(
      around.notes.map((note) => [note.field, note.severity]),
      [[field, "warning"]],
    );
  });
}

test("a token that could end a header line is an error of the object, and nothing of it is shown", () => {
  const jwt = { enabled: true, tokenSource: "static", staticToken: "secret\r\nx: y" };
  const { around } = world({ authentication: { type: "jwt", jwt } });
  assert.deepEqual(around.notes[0]?.severity, "error");
  assert.ok(!around.notes[0]?.message.includes("secret"));
});

test("a request whose token cannot be had was seen by nobody, and one that is given up meanwhile is never sent", async () => {
  const oidc = { issuerUrl: "https://i", clientId: "c", clientSecret: "s" };
  const authentication = { type: "jwt", jwt: { enabled: true, tokenSource: "oidc", oidc } };
  await assert.rejects(world({ authentication }).upstream.send(request()).answer, { failure: "connect", unseen: true });
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<FetchJson>>>();
  const slow = world({ authentication }, () => promise);
  const exchange = slow.upstream.send(request());
  exchange.cancel(new Error("gone"));
  await assert.rejects(exchange.answer, /gone/);
  resolve({ status: 200, body: { token_endpoint: "https://i/t", access_token: "t" }, maxAgeSeconds: undefined });
  await nextTurn();
  assert.equal(slow.upstreams.sent.length, 0);
});

test("bodies and heads that are too large for the backend are answered here", async () => {
  const { upstream, upstreams } = world({ requestLimits: { maxBodySize: 4, maxHeaderSize: 60 } });
  const known = { length: 5, open() {}, cancel() {} };
  assert.equal((await upstream.send(request({ body: known })).answer).status, 413);
  const large = new Fields(["x", "y".repeat(100)]);
  assert.equal((await upstream.send(request({ fields: large })).answer).status, 431);
  assert.equal(upstreams.sent.length, 0);
  const whole = bytesSource(Buffer.from("12345"));
  const atOnce: Source = { length: undefined, open: (sink) => whole.open(sink), cancel() {} };
  upstreams.onSend = ({ request: { body } }) => body?.open({ write: () => true, end() {}, abort() {}, onDrain() {} });
  assert.equal((await upstream.send(request({ body: atOnce })).answer).status, 413);
  upstreams.onSend = undefined;
  upstreams.sent.length = 0;
  const body = new FlowingBody();
  const exchange = upstream.send(request({ body }));
  upstreams.sent[0]?.request.body?.open({ write: () => true, end() {}, abort() {}, onDrain() {} });
  body.write("1234");
  assert.equal(upstreams.sent[0]?.cancelled, undefined);
  body.write("5");
  assert.equal((await exchange.answer).origin, "body_too_large");
  assert.ok(upstreams.sent[0]?.cancelled && body.isCancelled);
});
