import assert from "node:assert/strict";
import { test } from "node:test";
import { maskedEndpoint } from "./masked-endpoint.ts";

test("a password in a URL is masked as SNS does, once and for all, and nothing else is", () => {
  for (const [endpoint, masked] of [
    ["https://user:pw@host/x", "https://user:****@host/x"],
    ["http://user:p:w@x@host:8080?a=b", "http://user:****@host:8080?a=b"],
    ["https://user:@host", "https://user:****@host"],
    ["https://user@host:443/a:b@c", "https://user@host:443/a:b@c"],
    ["https://host/a:b@c", "https://host/a:b@c"],
    ["a:b@c.example", "a:b@c.example"],
  ] as const) {
    assert.equal(maskedEndpoint(endpoint), masked);
    assert.equal(maskedEndpoint(masked), masked);
  }
});
