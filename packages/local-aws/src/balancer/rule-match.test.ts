import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuleCondition } from "@gatewright/aws-wire/types/elbv2";
import { compileConditions } from "./rule-match.ts";
import type { RoutedRequest } from "./rule-match.ts";

const request: RoutedRequest = {
  method: "GET",
  host: "shop.example.com",
  path: "/Img/a.png",
  query: "Version=v1&empty=&plain&sp%20ace=1%2A",
  headers: [
    ["User-Agent", "Mozilla/5.0 (X11)"],
    ["X-Team", "red"],
    ["x-team", "Blue"],
  ],
  sourceIp: "10.1.2.3",
};

const cases: readonly (readonly [string, RuleCondition, boolean])[] = [
  ["a host in another case", { Field: "host-header", Values: ["SHOP.Example.com"] }, true],
  ["a host wildcard", { Field: "host-header", Values: ["*.example.com"] }, true],
  ["a host wildcard over several labels", { Field: "host-header", Values: ["*.com"] }, true],
  ["one character each", { Field: "host-header", Values: ["sho?.example.com"] }, true],
  ["another host", { Field: "host-header", Values: ["example.com", "*.example.org"] }, false],
  ["a path", { Field: "path-pattern", Values: ["/Img/*"] }, true],
  ["a path in another case", { Field: "path-pattern", Values: ["/img/*"] }, false],
  ["a path that the pattern only begins", { Field: "path-pattern", Values: ["/Img"] }, false],
  [
    "a header",
    { Field: "http-header", HttpHeaderConfig: { HttpHeaderName: "user-agent", Values: ["*mozilla*"] } },
    true,
  ],
  [
    "a second value of a header",
    { Field: "http-header", HttpHeaderConfig: { HttpHeaderName: "X-TEAM", Values: ["blue"] } },
    true,
  ],
  [
    "a header that is not there",
    { Field: "http-header", HttpHeaderConfig: { HttpHeaderName: "X-None", Values: ["*"] } },
    false,
  ],
  ["a method", { Field: "http-request-method", HttpRequestMethodConfig: { Values: ["HEAD", "GET"] } }, true],
  ["a method in another case", { Field: "http-request-method", HttpRequestMethodConfig: { Values: ["get"] } }, false],
  ["a query pair", { Field: "query-string", QueryStringConfig: { Values: [{ Key: "version", Value: "V?" }] } }, true],
  ["a query value alone", { Field: "query-string", QueryStringConfig: { Values: [{ Value: "plain" }] } }, true],
  [
    "an encoded query pair with an escaped star",
    { Field: "query-string", QueryStringConfig: { Values: [{ Key: "sp ace", Value: "1\\*" }] } },
    true,
  ],
  [
    "another query pair",
    { Field: "query-string", QueryStringConfig: { Values: [{ Key: "version", Value: "v2" }] } },
    false,
  ],
  ["a source net", { Field: "source-ip", SourceIpConfig: { Values: ["192.168.0.0/16", "10.0.0.0/8"] } }, true],
  ["another source net", { Field: "source-ip", SourceIpConfig: { Values: ["10.2.0.0/16", "::/0"] } }, false],
];

for (const [name, condition, expected] of cases) {
  test(`${name} ${expected ? "meets" : "does not meet"} the condition`, () => {
    assert.equal(compileConditions([condition])(request), expected);
  });
}

test("all conditions have to be met, and none is met by everything", () => {
  const [host, path] = [
    { Field: "host-header", Values: ["*"] },
    { Field: "path-pattern", Values: ["/other"] },
  ];
  assert.equal(compileConditions([host, path])(request), false);
  assert.equal(compileConditions([])(request), true);
});
