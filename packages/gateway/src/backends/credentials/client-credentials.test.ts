import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import type { FetchJson } from "../../outbound/fetch-json.ts";
import { ClientCredentials, NoTokenError } from "./client-credentials.ts";

function world(reply: (time: number) => { status: number; body: unknown }, maxAgeMs?: number) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const fetchJson: FetchJson = async ({ url }) => {
    asked.push(url);
    const isToken = url.endsWith("/token");
    const got = isToken
      ? reply(asked.filter((one) => one.endsWith("/token")).length)
      : { status: 200, body: { token_endpoint: "https://issuer/token" } };
    return { ...got, maxAgeSeconds: undefined } as Awaited<ReturnType<FetchJson>>;
  };
  const spec = { issuerUrl: "https://issuer/", clientId: "a", clientSecret: "hush", scopes: [], maxAgeMs };
  return { clock, asked, credentials: new ClientCredentials(spec, fetchJson, clock) };
}
const lasting = (time: number) => ({ status: 200, body: { access_token: `t${time}`, expires_in: 100 } });

test("a token is fetched once for all who wait, and serves without a promise from then on", async () => {
  const { credentials, asked } = world(lasting);
  assert.deepEqual(await Promise.all([credentials.token(), credentials.token()]), ["t1", "t1"]);
  assert.equal(credentials.token(), "t1");
  assert.deepEqual(asked, ["https://issuer/.well-known/openid-configuration", "https://issuer/token"]);
});

test("a token is replaced before it ends, while it still serves", async () => {
  const { credentials, clock } = world(lasting);
  await credentials.token();
  clock.advance(80_000);
  assert.equal(credentials.token(), "t1");
  await nextTurn();
  assert.equal(credentials.token(), "t2");
});

test("a token that has ended is not used, however it ended", async () => {
  const { credentials, clock } = world(lasting);
  await credentials.token();
  clock.advance(96_000);
  assert.equal(await credentials.token(), "t2");
  const short = world(lasting, 10_000);
  await short.credentials.token();
  short.clock.advance(10_000);
  assert.equal(await short.credentials.token(), "t2");
});

test("without a token the error says so and nothing secret, and the issuer is left alone for a moment", async () => {
  const { credentials, clock, asked } = world((time) =>
    time < 2 ? { status: 401, body: { error: "hush" } } : lasting(time),
  );
  await assert.rejects(Promise.resolve(credentials.token()), (error) => {
    return error instanceof NoTokenError && !error.message.includes("hush") && error.message.includes("401");
  });
  await assert.rejects(Promise.resolve(credentials.token()), NoTokenError);
  assert.equal(asked.length, 2);
  clock.advance(1000);
  assert.equal(await credentials.token(), "t2");
});

test("a token that could end a header line is refused", async () => {
  const { credentials } = world(() => ({ status: 200, body: { access_token: "a\r\nx: y" } }));
  await assert.rejects(Promise.resolve(credentials.token()), NoTokenError);
});
