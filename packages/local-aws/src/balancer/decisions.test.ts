import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { chooseCertificate } from "./certificate-choice.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";
import { FIRST_HEALTH, stepHealth } from "./health-step.ts";
import type { Finding } from "./health-step.ts";
import { endToEnd } from "./message.ts";
import { isTokenOf, pickGroup, stickyToken } from "./pick-target.ts";
import { redirectLocation } from "./redirect-location.ts";

const asked = { protocol: "http", host: "a.example.com", port: 80, path: "/x/y", query: "q=1" } as const;
const same = (port: number): number => port;

test("a redirect keeps what it does not change", () => {
  const https = { Protocol: "HTTPS", Port: "443", StatusCode: "HTTP_301" };
  assert.equal(redirectLocation(https, asked, same), "https://a.example.com:443/x/y?q=1");
  assert.equal(
    redirectLocation({ ...https, Path: "/new/#{path}", Host: "www.#{host}" }, asked, same),
    "https://www.a.example.com:443/new/x/y?q=1",
  );
  assert.equal(redirectLocation({ ...https, Query: "" }, asked, same), "https://a.example.com:443/x/y");
  assert.equal(
    redirectLocation({ ...https, Query: "#{query}&from=#{host}:#{port}" }, asked, same),
    "https://a.example.com:443/x/y?q=1&from=a.example.com:80",
  );
  assert.equal(
    redirectLocation({ Path: "/#{protocol}", StatusCode: "HTTP_302" }, { ...asked, path: "/#{host}", query: "" }, same),
    "http://a.example.com:80/http",
  );
});

test("what a client put into a URL is not read as a part to fill in", () => {
  assert.equal(
    redirectLocation({ Port: "81", StatusCode: "HTTP_302" }, { ...asked, path: "/#{host}" }, same),
    "http://a.example.com:81/#{host}?q=1",
  );
});

test("a location is ASCII whatever it is made of", () => {
  const location = redirectLocation(
    { Path: "/ü/漢", Port: "81", StatusCode: "HTTP_302" },
    { ...asked, query: "a\udc00" },
    same,
  );
  assert.equal(location, "http://a.example.com:81/%C3%BC/%E6%BC%A2?a%EF%BF%BD");
});

test("an exact name comes before a wildcard, both before the default, wildcards are one label deep", () => {
  const [fallback, wild, exact] = [
    { names: ["d.test"] },
    { names: ["*.Example.com"] },
    { names: ["x.test", "a.example.com"] },
  ];
  const all = [fallback, wild, exact];
  assert.equal(chooseCertificate(all, "A.example.com"), exact);
  assert.equal(chooseCertificate(all, "b.example.com."), wild);
  for (const name of ["example.com", "c.b.example.com", "other", undefined, ""])
    assert.equal(chooseCertificate(all, name), fallback);
  assert.equal(chooseCertificate([], "a"), undefined);
});

test("a target is healthy after one good check, and changes only after as many in a row as its group says", () => {
  const bad: Finding = { ok: false, reason: "Target.Timeout", description: "Request timed out" };
  const run = (findings: readonly Finding[]): string[] => {
    let state = FIRST_HEALTH;
    return findings.map((finding) => (state = stepHealth(state, finding, { healthy: 3, unhealthy: 2 })).seen.state);
  };
  const ok: Finding = { ok: true };
  assert.equal(
    run([ok, bad, ok, bad, bad, ok, ok, bad, ok, ok, ok]).join(" "),
    `${"healthy ".repeat(4)}${"unhealthy ".repeat(6)}healthy`,
  );
  assert.deepEqual(run([bad, bad]), ["initial", "unhealthy"]);
});

test("groups are chosen in proportion to their weights, those with none never", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1 }),
      (weights, seed) => {
        const random = seededRandom(seed);
        const config = { TargetGroups: weights.map((Weight, index) => ({ TargetGroupArn: `g${index}`, Weight })) };
        const picked = Array.from({ length: 20 }, () => pickGroup(config, random));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        for (const arn of picked) {
          if (total === 0) assert.equal(arn, undefined);
          else assert.ok((weights[Number(arn?.slice(1))] ?? 0) > 0);
        }
      },
    ),
  );
});

test("a stickiness cookie binds to its subject for its time", () => {
  const token = stickyToken("blue", 10_000);
  assert.equal(isTokenOf(token, "blue", 69_999, 60), true);
  assert.equal(isTokenOf(token, "blue", 70_000, 60), false);
  assert.equal(isTokenOf(token, "green", 11_000, 60), false);
  for (const forged of ["", "x", `${token.split(".")[0]}.`, `${token.split(".")[0]}.zzzzzzz`]) {
    assert.equal(isTokenOf(forged, "blue", 11_000, 60), false);
  }
});

test("what belongs to a connection is not passed on", () => {
  const headers = [
    ["Connection", "close, X-Hop"],
    ["x-hop", "1"],
    ["Keep-Alive", "1"],
    ["TE", "trailers"],
    ["Transfer-Encoding", "chunked"],
    ["Accept", "a"],
  ] as const;
  assert.deepEqual(endToEnd(headers), [["Accept", "a"]]);
});

test("targets are told of clients as the load balancer is set", () => {
  const settings = {
    listenerPort: 443,
    xffMode: "append",
    xffPort: false,
    tlsHeaders: false,
    dropInvalid: false,
    clock: new ManualClock(),
    random: seededRandom(),
  };
  const head = {
    method: "GET",
    target: "/",
    authority: "a",
    headers: [
      ["x-forwarded-for", "1.1.1.1"],
      ["X-Forwarded-Proto", "spoofed"],
      ["x_odd", "1"],
      ["X-Amzn-Trace-Id", "Root=1-a-b"],
    ] as const,
  };
  const peer = { address: "2001:db8::1", port: 5, tls: { version: "TLSv1.3", cipher: "C" } };
  const told = (more: Partial<typeof settings>): Map<string, string> =>
    new Map(forwardedHeaders(head, peer, { ...settings, ...more }));
  assert.equal(told({}).get("X-Forwarded-For"), "1.1.1.1, 2001:db8::1");
  assert.equal(told({ xffPort: true }).get("X-Forwarded-For"), "1.1.1.1, [2001:db8::1]:5");
  assert.equal(told({ xffMode: "preserve" }).get("X-Forwarded-For"), "1.1.1.1");
  assert.equal(told({ xffMode: "remove" }).has("X-Forwarded-For"), false);
  assert.deepEqual([told({}).get("X-Forwarded-Proto"), told({}).get("X-Forwarded-Port")], ["https", "443"]);
  assert.match(told({}).get("X-Amzn-Trace-Id") ?? "", /^Self=1-[0-9a-f]{8}-[0-9a-f]{24};Root=1-a-b$/);
  assert.deepEqual([told({}).has("x_odd"), told({ dropInvalid: true }).has("x_odd")], [true, false]);
  assert.equal(told({ tlsHeaders: true }).get("X-Amzn-Tls-Version"), "TLSv1.3");
});
