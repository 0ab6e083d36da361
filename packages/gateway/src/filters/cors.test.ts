import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { corsFilter } from "./cors.ts";
import type { CorsSpec } from "./cors.ts";
import { madeAnswer, madeAround, madeCall } from "./testing/made-call.ts";
import type { Answer } from "../exchange/answer.ts";

function preflight(spec: CorsSpec, fields: Record<string, string>): Answer | undefined {
  const call = madeCall({ method: "OPTIONS", fields });
  const answer = corsFilter(spec, madeAround()).request?.(call);
  assert.ok(!(answer instanceof Promise));
  return answer;
}

function answered(spec: CorsSpec, request: Record<string, string>, backend: Record<string, string> = {}): Answer {
  const filter = corsFilter(spec, madeAround());
  const call = madeCall({ fields: request });
  assert.equal(filter.request?.(call), undefined);
  const answer = filter.response?.(call, madeAnswer("x", backend));
  assert.ok(answer !== undefined && !(answer instanceof Promise));
  return answer;
}

const corsFields = (answer: Answer | undefined): Record<string, string> =>
  Object.fromEntries([...(answer?.fields ?? [])].filter(([name]) => name.startsWith("access-control-")));

test("a preflight is answered here with 204 and what the route allows", () => {
  const answer = preflight(
    {
      allowOrigins: ["https://shop.example.com"],
      allowMethods: ["get", "PUT"],
      allowHeaders: ["X-One", "X-Two"],
      maxAge: 600,
    },
    {
      origin: "https://shop.example.com",
      "access-control-request-method": "PUT",
      "access-control-request-headers": "x-one",
    },
  );
  assert.equal(answer?.status, 204);
  assert.equal(answer.body, undefined);
  assert.deepEqual(corsFields(answer), {
    "access-control-allow-origin": "https://shop.example.com",
    "access-control-allow-methods": "GET, PUT",
    "access-control-allow-headers": "X-One, X-Two",
    "access-control-max-age": "600",
  });
  assert.match(answer.fields.get("vary") ?? "", /^Origin,/);
});

test("a preflight without wanted headers is told nothing about headers, and browsers remember it for five seconds", () => {
  const answer = preflight(
    { allowOrigins: ["*"], allowHeaders: ["x-one"] },
    { origin: "https://a.example", "access-control-request-method": "GET" },
  );
  assert.deepEqual(corsFields(answer), {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-max-age": "5",
  });
});

test("a preflight of a site that may not call is answered with 204 and no word of what is allowed", () => {
  const answer = preflight(
    { allowOrigins: ["https://a.example"], allowMethods: ["*"] },
    { origin: "https://b.example", "access-control-request-method": "GET" },
  );
  assert.deepEqual([answer?.status, corsFields(answer)], [204, {}]);
});

test("OPTIONS that is no preflight goes to the backend", () => {
  assert.equal(preflight({ allowOrigins: ["*"] }, { origin: "https://a.example" }), undefined);
  assert.equal(preflight({ allowOrigins: ["*"] }, { "access-control-request-method": "GET" }), undefined);
});

test("with credentials nothing is ever answered with a star: what was asked for is repeated", () => {
  const spec = { allowOrigins: ["*"], allowMethods: ["*"], allowHeaders: ["*"], allowCredentials: true };
  const answer = preflight(spec, {
    origin: "https://a.example",
    "access-control-request-method": "DELETE",
    "access-control-request-headers": "x-one, x-two",
  });
  assert.deepEqual(corsFields(answer), {
    "access-control-allow-origin": "https://a.example",
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": "DELETE",
    "access-control-allow-headers": "x-one, x-two",
    "access-control-max-age": "5",
  });
  assert.deepEqual(corsFields(answered(spec, { origin: "null" })), {});
});

test("what the backend says about other sites is replaced, also when the site may not call or names itself not at all", () => {
  const backend = {
    "access-control-allow-origin": "*",
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "x-secret",
    vary: "Accept",
  };
  const spec = { allowOrigins: ["https://a.example"], exposeHeaders: ["X-Count"] };
  const allowed = answered(spec, { origin: "https://a.example" }, backend);
  assert.deepEqual(corsFields(allowed), {
    "access-control-allow-origin": "https://a.example",
    "access-control-expose-headers": "X-Count",
  });
  assert.deepEqual(allowed.fields.all("vary"), ["Accept", "Origin"]);
  assert.deepEqual(corsFields(answered(spec, { origin: "https://b.example" }, backend)), {});
  const without = answered(spec, {}, backend);
  assert.deepEqual([corsFields(without), without.fields.all("vary")], [{}, ["Accept", "Origin"]]);
});

test("an answer that is the same for every site does not vary by it", () => {
  const answer = answered({ allowOrigins: ["*"] }, { origin: "https://a.example" });
  assert.equal(answer.fields.get("vary"), undefined);
  assert.equal(answer.fields.get("access-control-allow-origin"), "*");
});

const ORIGINS: readonly (readonly [pattern: string, origin: string, allowed: boolean])[] = [
  ["https://a.example", "https://a.example", true],
  ["https://a.example", "HTTPS://A.example", true],
  ["https://a.example", "http://a.example", false],
  ["https://a.example", "https://a.example:8443", false],
  ["https://a.example:8443", "https://a.example:8443", true],
  ["https://a.example", "https://a.example.evil.example", false],
  ["https://*.example.com", "https://shop.example.com", true],
  ["https://*.example.com", "https://a.b.example.com", true],
  ["https://*.example.com", "https://example.com", false],
  ["https://*.example.com", "https://.example.com", false],
  ["https://*.example.com", "https://evilexample.com", false],
  ["https://*.example.com", "https://evil.example/.example.com", false],
  ["https://*.example.com", "https://evil.example#.example.com", false],
  ["https://*.example.com", "https://user@x.example.com", false],
  ["https://*.example.com", "http://shop.example.com", false],
  ["https://*.example.com:8443", "https://shop.example.com:8443", true],
  ["https://*.example.com", "https://shop.example.com:8443", false],
  ["null", "null", true],
  ["*", "null", true],
  ["*", "https://a.example, https://b.example", false],
  ["https://a.*.com", "https://a.b.com", false],
];

for (const [pattern, origin, allowed] of ORIGINS) {
  test(`${pattern} ${allowed ? "allows" : "does not allow"} ${origin}`, () => {
    const answer = answered({ allowOrigins: [pattern] }, { origin });
    assert.equal(answer.fields.has("access-control-allow-origin"), allowed);
  });
}

test("of two origins neither counts", () => {
  const filter = corsFilter({ allowOrigins: ["https://a.example"] }, madeAround());
  const call = madeCall({ fields: { origin: "https://a.example" } });
  call.head.fields.add("origin", "https://b.example");
  const answer = filter.response?.(call, madeAnswer("x"));
  assert.deepEqual(corsFields(answer as Answer), {});
});

test("what cannot work is told: no site, a pattern that is none, a star with credentials", () => {
  const fields = (spec: CorsSpec): string[] => {
    const around = madeAround();
    corsFilter(spec, around);
    return around.notes.map(({ field }) => field);
  };
  assert.deepEqual(fields({}), ["spec.cors.allowOrigins"]);
  assert.deepEqual(fields({ allowOrigins: ["https://a.*.com", "a.example"] }), [
    "spec.cors.allowOrigins[0]",
    "spec.cors.allowOrigins[1]",
  ]);
  assert.deepEqual(fields({ allowOrigins: ["*"], allowCredentials: true }), ["spec.cors.allowOrigins"]);
  assert.deepEqual(fields({ allowOrigins: ["*"], allowHeaders: ["x\r\ny"] }), ["spec.cors.allowHeaders[0]"]);
});

test("whatever a site calls itself, with credentials no star is sent and only what was given is repeated", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom(["*"], ["https://*.a.example"], ["https://a.example", "null"]),
      (origin, list) => {
        const answer = answered({ allowOrigins: list, allowCredentials: true }, { origin });
        const told = answer.fields.get("access-control-allow-origin");
        return told !== "*" && (told === undefined || told === origin);
      },
    ),
  );
});
