import assert from "node:assert/strict";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import type { Source } from "../../exchange/body.ts";
import type { Call } from "../../pipeline/call.ts";
import { CallAborted } from "../../pipeline/call-aborted.ts";
import { madeAnswer, madeAround, madeCall, textOf } from "../testing/made-call.ts";
import type { CallParts } from "../testing/made-call.ts";
import { cacheFilter } from "./cache-filter.ts";
import type { CacheSpec } from "./cache-spec.ts";

type Backend = (call: Call) => Answer | Promise<Answer>;

/** A route with a cache, and a backend that counts. */
function world(spec: CacheSpec, backend: Backend = () => madeAnswer(`answer ${asked()}`)) {
  const around = madeAround();
  const filter = cacheFilter({ enabled: true, ...spec }, around)!;
  let count = 0;
  function asked(): number {
    return count;
  }
  const act: Backend = (call) => {
    count++;
    return backend(call);
  };
  const start = async (parts: CallParts | Call): Promise<Answer> => {
    const call = "head" in parts ? parts : madeCall({ filters: [filter], act, ...parts });
    const early = await filter.request?.(call);
    const answer = early ?? (await act(call));
    return (await filter.response?.(call, answer)) ?? answer;
  };
  const ask = async (parts: CallParts = {}) => {
    const answer = await start(parts);
    const { status, fields } = answer;
    return { status, fields, how: fields.get("x-cache"), text: await textOf(answer.body) };
  };
  return { around, filter, start, ask, asked, act };
}

/** Answers with how often the backend was asked. */
function counting(fields: Readonly<Record<string, string>> = {}, status = 200): Backend {
  let count = 0;
  return () => madeAnswer(`answer ${++count}`, fields, status);
}

test("the same request gets the kept answer with its age until its time is over", async () => {
  const { ask, around, asked } = world({ ttl: "10s" }, counting({ "content-type": "text/plain", age: "5" }));
  assert.equal((await ask()).how, "MISS");
  around.clock.advance(9000);
  const hit = await ask();
  assert.deepEqual([hit.how, hit.text, hit.fields.get("age")], ["HIT", "answer 1", "14"]);
  around.clock.advance(1000);
  assert.equal((await ask()).text, "answer 2");
  assert.equal(asked(), 2);
});

test("an outer filter that changes an answer does not change what is kept", async () => {
  const { ask } = world({}, counting({ "x-a": "1" }));
  await ask();
  (await ask()).fields.set("x-a", "changed");
  assert.equal((await ask()).fields.get("x-a"), "1");
});

const DIFFERENT: readonly [title: string, one: CallParts, other: CallParts][] = [
  ["path", { target: "/a" }, { target: "/b" }],
  ["query", { target: "/a?x=1" }, { target: "/a?x=2" }],
  ["host", { authority: "a.example" }, { authority: "b.example" }],
  ["scheme", { scheme: "http" }, { scheme: "https" }],
  ["x-forwarded-host", {}, { fields: { "x-forwarded-host": "evil.example" } }],
  ["x-forwarded-proto", {}, { fields: { "x-forwarded-proto": "nothttps" } }],
  ["x-original-url", {}, { fields: { "x-original-url": "/admin" } }],
  ["x-http-method-override", {}, { fields: { "x-http-method-override": "POST" } }],
  ["x-forwarded-prefix", {}, { fields: { "x-forwarded-prefix": "//evil" } }],
];
for (const [title, one, other] of DIFFERENT)
  test(`another ${title} is another request`, async () => {
    const { ask } = world({}, counting());
    await ask(other);
    const got = await ask(one);
    assert.deepEqual([got.how, got.text], ["MISS", "answer 2"]);
  });

test("a GET with a body goes past the cache and leaves nothing in it", async () => {
  const { ask } = world({}, counting());
  assert.equal((await ask({ body: "poison" })).how, "BYPASS");
  assert.equal((await ask()).text, "answer 2");
  assert.equal((await ask({ body: "poison" })).text, "answer 3");
});

test("bodies can be part of the key, and reach the backend", async () => {
  const { ask } = world({ keyConfig: { includeBodyHash: true } }, async (call) =>
    madeAnswer(`got ${await textOf(call.body)}`),
  );
  assert.equal((await ask({ body: "a" })).text, "got a");
  assert.equal((await ask({ body: "b" })).text, "got b");
  assert.deepEqual([(await ask({ body: "a" })).how, (await ask({})).how], ["HIT", "MISS"]);
  assert.equal((await ask({ body: Buffer.alloc(2 * 1024 * 1024) })).status, 413);
});

test("parts of a body and requests with conditions about writing go past the cache", async () => {
  const { ask } = world({}, counting());
  for (const name of ["range", "if-range", "if-match", "if-unmodified-since"])
    assert.equal((await ask({ fields: { [name]: "x" } })).how, "BYPASS");
  assert.equal((await ask()).how, "MISS");
});

const NOT_KEPT: readonly [title: string, fields: Readonly<Record<string, string>>, status?: number][] = [
  ["sets a cookie", { "set-cookie": "a=b" }],
  ["is private", { "cache-control": "max-age=60, Private" }],
  ["must not be stored", { "cache-control": "no-store" }],
  ["depends on everything", { vary: "accept, *" }],
  ["is a part", { "content-range": "bytes 0-1/2" }, 206],
  ["is an error", {}, 500],
  ["is not found", {}, 404],
  ["is a redirect for now", {}, 302],
  ["is a bad request", {}, 400],
];
for (const [title, fields, status] of NOT_KEPT)
  test(`an answer that ${title} is not kept`, async () => {
    const { ask } = world({ negativeCacheTTL: "0s" }, counting(fields, status));
    await ask();
    const again = await ask();
    assert.equal(again.text, "answer 2");
    assert.notEqual(again.how, "HIT");
  });

test("answers that were made here are not kept", async () => {
  const { ask } = world({}, () => ({ ...madeAnswer("busy"), origin: "rate_limited" }));
  await ask();
  assert.equal((await ask()).how, "MISS");
});

test("what is absent is kept for its own time", async () => {
  const { ask, around } = world({ negativeCacheTTL: "1s" }, counting({}, 404));
  await ask();
  assert.equal((await ask()).how, "HIT");
  around.clock.advance(1000);
  assert.equal((await ask()).text, "answer 2");
});

const CREDENTIALS: CallParts = { fields: { authorization: "Bearer a" } };
const COOKIE: CallParts = { fields: { cookie: "session=a" } };
const KNOWN: CallParts = {
  identity: { method: "apiKey", subject: "a", roles: [], groups: [], scopes: [], permissions: [], claims: new Map() },
};
for (const [title, parts] of [
  ["a token", CREDENTIALS],
  ["a cookie", COOKIE],
  ["an identity", KNOWN],
] as const) {
  test(`what a request with ${title} got is not given to others`, async () => {
    const { ask } = world({}, counting());
    assert.equal((await ask(parts)).text, "answer 1");
    assert.equal((await ask()).text, "answer 2");
    assert.equal((await ask(parts)).text, "answer 3");
    assert.equal((await ask()).text, "answer 2");
  });

  test(`a public answer may be kept from a request with ${title}`, async () => {
    const { ask } = world({}, counting({ "cache-control": "public" }));
    await ask(parts);
    assert.equal((await ask()).how, "HIT");
    assert.equal((await ask(parts)).how, "HIT");
  });
}

test("users with keys of their own have their own answers", async () => {
  const { ask } = world({ keyConfig: { includeHeaders: ["Authorization"] } }, counting());
  await ask(CREDENTIALS);
  assert.equal((await ask(CREDENTIALS)).text, "answer 1");
  assert.equal((await ask({ fields: { authorization: "Bearer b" } })).text, "answer 2");
});

const user = (subject: string, iss?: string): CallParts => ({
  identity: { ...KNOWN.identity!, subject, claims: new Map(iss === undefined ? [] : [["iss", iss]]) },
});

test("a key of credentials that authentication took out of the request tells users apart nevertheless", async () => {
  for (const name of ["Authorization", "X-API-Key", "Cookie"]) {
    const { ask } = world({ keyConfig: { includeHeaders: [name] } }, counting());
    await ask(user("alice"));
    assert.equal((await ask(user("bob"))).text, "answer 2");
    assert.equal((await ask(user("alice"))).text, "answer 1");
    assert.equal((await ask()).text, "answer 3");
  }
});

test("a subject of one issuer is not the same subject of another", async () => {
  const { ask } = world({ keyConfig: { keyTemplate: "{{ .claims.sub }}" } }, counting());
  await ask(user("1", "https://one.example"));
  assert.equal((await ask(user("1", "https://other.example"))).how, "MISS");
  assert.equal((await ask(user("1", "https://one.example"))).how, "HIT");
});

test("without an identity, a key for users has the credentials that it does not name", async () => {
  const { ask } = world({ keyConfig: { includeHeaders: ["X-API-Key"] } }, counting());
  await ask(CREDENTIALS);
  assert.equal((await ask({ fields: { authorization: "Bearer b" } })).text, "answer 2");
  assert.equal((await ask(COOKIE)).text, "answer 3");
  assert.equal((await ask({ fields: { cookie: "session=b" } })).text, "answer 4");
  assert.equal((await ask(CREDENTIALS)).text, "answer 1");
});

test("only chosen parameters count, however they are written", async () => {
  const { ask } = world({ keyConfig: { includeQueryParams: ["id"] } }, counting());
  await ask({ target: "/?id=1&utm=a" });
  assert.equal((await ask({ target: "/?utm=b&%69d=1" })).how, "HIT");
  assert.equal((await ask({ target: "/?id=1&id=2" })).how, "MISS");
  assert.equal((await ask({ target: "/?id=2" })).how, "MISS");
});

test("a template can be the key", async () => {
  const { ask, around } = world({ keyConfig: { keyTemplate: "{{ .path }}-{{ .query.v }}" } }, counting());
  await ask({ target: "/a?v=1&x=1" });
  assert.equal((await ask({ target: "/a?v=1&x=2" })).how, "HIT");
  assert.equal((await ask({ target: "/a?v=2" })).how, "MISS");
  assert.deepEqual(around.notes, []);
});

test("the deprecated components still make keys", async () => {
  const { ask } = world({ keyComponents: ["path", "header:X-Tenant"] }, counting());
  await ask({ target: "/a?x=1", fields: { "x-tenant": "t" } });
  assert.equal((await ask({ target: "/a?x=2", fields: { "x-tenant": "t" } })).how, "HIT");
  assert.equal((await ask({ target: "/a" })).how, "MISS");
});

test("what makes no sense in a key is an error, and redis a warning", () => {
  const noted = (spec: CacheSpec) => world(spec).around.notes.map(({ field, severity }) => `${severity} ${field}`);
  assert.deepEqual(noted({ keyConfig: { keyTemplate: "{{ nonsense }}" } }), ["error spec.cache.keyConfig.keyTemplate"]);
  assert.deepEqual(noted({ keyComponents: ["nonsense"] }), ["error spec.cache.keyComponents"]);
  assert.deepEqual(noted({ type: "redis" }), ["warning spec.cache.type"]);
});

test("variants are told apart by what the answer says it depends on", async () => {
  const { ask } = world({}, (call) =>
    madeAnswer(call.head.fields.get("accept-language") ?? "", { vary: "Accept-Language" }),
  );
  const de = { fields: { "accept-language": "de" } };
  const en = { fields: { "accept-language": "en" } };
  await ask(de);
  assert.deepEqual([(await ask(en)).how, (await ask(de)).how, (await ask(en)).text], ["MISS", "HIT", "en"]);
});

test("a later filter that changes the request does not change the variant", async () => {
  const { ask } = world({}, (call) => {
    call.head.fields.set("accept-encoding", "identity");
    return madeAnswer("x", { vary: "accept-encoding" });
  });
  await ask({ fields: { "accept-encoding": "br" } });
  assert.equal((await ask({ fields: { "accept-encoding": "br" } })).how, "HIT");
  assert.equal((await ask({ fields: { "accept-encoding": "identity" } })).how, "MISS");
});

test("HEAD is answered from what GET got, and brings nothing into the cache", async () => {
  const { ask, asked } = world({}, counting());
  await ask({ method: "HEAD" });
  await ask();
  assert.equal((await ask({ method: "HEAD" })).how, "HIT");
  assert.equal(asked(), 2);
});

test("a client that has the answer is told so, and the cache asks for the whole", async () => {
  const { ask, start } = world({}, (call) =>
    call.head.fields.has("if-none-match")
      ? madeAnswer(undefined, {}, 304)
      : madeAnswer("x", { etag: 'W/"1"', "content-type": "a/b" }),
  );
  const same = { fields: { "if-none-match": '"0", "1"' } };
  assert.equal((await ask(same)).status, 200);
  const told = await ask(same);
  assert.deepEqual(
    [told.status, told.text, told.fields.get("etag"), told.fields.has("content-type")],
    [304, "", 'W/"1"', false],
  );
  assert.equal((await start(same)).body, undefined);
  assert.equal((await ask({ fields: { "if-none-match": '"2"' } })).status, 200);
});

test("answers decide how long when they are honoured", async () => {
  const { ask, around } = world(
    { ttl: "1h", honorCacheControl: true },
    counting({ "cache-control": "max-age=9, s-maxage=10", age: "4" }),
  );
  await ask();
  around.clock.advance(5999);
  assert.equal((await ask()).how, "HIT");
  around.clock.advance(1);
  assert.equal((await ask()).how, "MISS");
});

test("a time that cannot be read is no time", async () => {
  for (const fields of [{ "cache-control": "max-age=soon" }, { expires: "0" }, { "cache-control": "no-cache" }]) {
    const { ask } = world({ honorCacheControl: true }, counting(fields));
    await ask();
    assert.notEqual((await ask()).how, "HIT");
  }
});

test("expires counts from the date of the answer", async () => {
  const fields = { date: "Tue, 01 Jan 2030 00:00:00 GMT", expires: "Tue, 01 Jan 2030 00:00:10 GMT" };
  const { ask, around } = world({ honorCacheControl: true, ttl: "1h" }, counting(fields));
  await ask();
  around.clock.advance(10_000);
  assert.equal((await ask()).how, "MISS");
});

test("clients may ask for a new answer, for none to be kept, and for a kept one only", async () => {
  const { ask } = world({ honorCacheControl: true }, counting());
  const say = (said: string): CallParts => ({ fields: { "cache-control": said } });
  assert.equal((await ask(say("only-if-cached"))).status, 504);
  await ask();
  assert.equal((await ask(say("no-cache"))).text, "answer 2");
  assert.equal((await ask(say("only-if-cached"))).text, "answer 2");
  assert.equal((await ask(say("no-store"))).how, "BYPASS");
});

test("clients have no say when cache-control is not honoured", async () => {
  const { ask } = world({}, counting());
  await ask();
  assert.equal((await ask({ fields: { "cache-control": "no-cache" } })).how, "HIT");
});

test("an old answer is given while a new one is fetched once, through the later filters", async () => {
  const { around, filter, act } = world({ ttl: "1s", staleWhileRevalidate: "10s" }, counting());
  const later = {
    name: "later",
    response: (_call: Call, answer: Answer): Answer => (answer.fields.set("x-later", "yes"), answer),
  };
  const ask = async () => {
    const call = madeCall({ filters: [filter, later], act });
    const early = await filter.request?.(call);
    const answer = early ?? later.response(call, await act(call));
    const got = (await filter.response?.(call, answer)) ?? answer;
    return { how: got.fields.get("x-cache"), later: got.fields.get("x-later"), text: await textOf(got.body) };
  };
  await ask();
  around.clock.advance(1500);
  assert.deepEqual(await ask(), { how: "STALE", later: "yes", text: "answer 1" });
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.deepEqual(await ask(), { how: "HIT", later: "yes", text: "answer 2" });
  around.clock.advance(20_000);
  assert.equal((await ask()).text, "answer 3");
  assert.equal(around.clock.pending, 0);
});

test("an old answer outlives a backend that fails, but not its own time", async () => {
  let status = 200;
  const { ask, around } = world({ ttl: "1s", staleWhileRevalidate: "10s" }, () => {
    if (status === 0) throw new Error("no connection");
    return madeAnswer(String(status), {}, status);
  });
  await ask();
  for (status of [500, 0]) {
    around.clock.advance(1500);
    assert.deepEqual([(await ask()).text], ["200"]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
  status = 503;
  around.clock.advance(20_000);
  assert.equal((await ask()).status, 503);
});

test("an old answer goes when the new one may not be kept", async () => {
  let fields: Record<string, string> = {};
  const { ask, around } = world({ ttl: "1s", staleWhileRevalidate: "10s" }, () => madeAnswer("x", fields));
  await ask();
  fields = { "cache-control": "private" };
  around.clock.advance(1500);
  await ask();
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.equal((await ask()).how, "BYPASS");
});

test("a successful change drops what is kept for its address", async () => {
  const { ask } = world({}, (call) => madeAnswer("x", {}, call.head.method === "PUT" ? 500 : 200));
  await ask();
  await ask({ method: "PUT" });
  assert.equal((await ask()).how, "HIT");
  await ask({ method: "POST" });
  assert.equal((await ask()).how, "MISS");
});

/** A backend whose answers a test gives when it likes. */
function slow() {
  const waiting: ((answer: Answer) => void)[] = [];
  const backend: Backend = () => new Promise<Answer>((resolve) => void waiting.push(resolve));
  return { waiting, backend };
}

test("one request fetches, the others wait for it", async () => {
  const { waiting, backend } = slow();
  const { ask, asked, around } = world({}, backend);
  const asking = [ask(), ask(), ask()];
  await nextTurn();
  assert.equal(asked(), 1);
  waiting[0]?.(madeAnswer("x"));
  assert.deepEqual(
    (await Promise.all(asking)).map(({ how }) => how),
    ["MISS", "HIT", "HIT"],
  );
  assert.equal(around.clock.pending, 0);
});

test("who waits goes on alone when nothing may be kept, and nobody waits for a while then", async () => {
  const { waiting, backend } = slow();
  const { ask, asked } = world({}, backend);
  const asking = [ask(), ask()];
  await nextTurn();
  waiting[0]?.(madeAnswer("x", { "cache-control": "private" }));
  await nextTurn();
  waiting[1]?.(madeAnswer("y", { "cache-control": "private" }));
  assert.deepEqual(
    (await Promise.all(asking)).map(({ text }) => text),
    ["x", "y"],
  );
  const next = [ask(), ask()];
  await nextTurn();
  assert.equal(asked(), 4);
  for (const answer of waiting.slice(2)) answer(madeAnswer("z"));
  await Promise.all(next);
});

test("who waits too long goes on alone", async () => {
  const { waiting, backend } = slow();
  const { ask, asked, around } = world({}, backend);
  const asking = [ask(), ask()];
  await nextTurn();
  around.clock.advance(5000);
  await nextTurn();
  assert.equal(asked(), 2);
  for (const answer of waiting) answer(madeAnswer("x"));
  await Promise.all(asking);
});

test("a client that leaves makes room for the next, and does not wait itself", async () => {
  const { waiting, backend } = slow();
  const { start, ask, asked, around, filter, act } = world({}, backend);
  const leader = madeCall({ filters: [filter], act });
  const follower = madeCall({ filters: [filter], act });
  void start(leader);
  await nextTurn();
  const following = start(follower);
  const staying = ask();
  await nextTurn();
  follower.abort(new CallAborted("client_gone"));
  await assert.rejects(following, CallAborted);
  leader.abort(new CallAborted("client_gone"));
  await nextTurn();
  assert.equal(asked(), 2);
  waiting[1]?.(madeAnswer("x"));
  assert.equal((await staying).text, "x");
  assert.equal(around.clock.pending, 0);
});

test("a body that breaks off, or is not read to its end, is not kept", async () => {
  const broken: Source = {
    length: undefined,
    open: (sink) => {
      sink.write(Buffer.from("half"));
      sink.abort(new Error("reset"));
    },
    cancel() {},
  };
  const { ask, start } = world({}, () => madeAnswer(broken));
  await assert.rejects(ask());
  (await start({})).body?.cancel();
  await assert.rejects(ask());
});

test("a body shorter than it said is not kept", async () => {
  const short: Source = { length: 10, open: (sink) => (sink.write(Buffer.from("x")), sink.end()), cancel() {} };
  const { ask } = world({}, () => madeAnswer(short));
  await ask();
  assert.notEqual((await ask()).how, "HIT");
});

test("what is kept outlives a new table with the same cache", async () => {
  const around = madeAround();
  const spec = { enabled: true, ttl: "1h" };
  const first = cacheFilter(spec, around)!;
  const call = madeCall();
  await first.request?.(call);
  await textOf((await first.response?.(call, madeAnswer("x")))?.body);
  const second = cacheFilter({ ...spec }, around)!;
  assert.equal((await second.request?.(madeCall()))?.fields.get("x-cache"), "HIT");
  const changed = cacheFilter({ ...spec, ttl: "2h" }, around)!;
  assert.equal(await changed.request?.(madeCall()), undefined);
});

test("what is not enabled is no filter", () => {
  assert.equal(cacheFilter({ ttl: "1s" }, madeAround()), undefined);
});
