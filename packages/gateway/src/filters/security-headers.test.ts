import assert from "node:assert/strict";
import { test } from "node:test";
import { securityHeadersFilter } from "./security-headers.ts";
import type { SecuritySpec } from "./security-headers.ts";
import { madeAnswer, madeAround, madeCall } from "./testing/made-call.ts";
import type { Answer } from "../exchange/answer.ts";

function sent(spec: SecuritySpec, scheme: "http" | "https" = "https", backend: Record<string, string> = {}) {
  const around = madeAround();
  const filter = securityHeadersFilter(spec, around);
  const answer = madeAnswer("x", backend);
  const changed = (filter?.response?.(madeCall({ scheme }), answer) ?? answer) as Answer;
  return { fields: Object.fromEntries(changed.fields), notes: around.notes.map(({ field }) => field), filter };
}

test("each block counts only when it is enabled, and without anything to send there is no filter", () => {
  const headers = { xFrameOptions: "DENY" };
  assert.equal(sent({ headers: { enabled: true, ...headers } }).filter, undefined);
  assert.equal(sent({ enabled: true, headers }).filter, undefined);
  assert.equal(sent({ enabled: true, hsts: { maxAge: 1 }, csp: { policy: "x" } }).filter, undefined);
  assert.deepEqual(sent({ enabled: true, headers: { enabled: true, ...headers } }).fields, {
    "x-frame-options": "DENY",
  });
});

test("all headers are set in place of the backend's", () => {
  const { fields } = sent(
    {
      enabled: true,
      headers: {
        enabled: true,
        xFrameOptions: "SAMEORIGIN",
        xContentTypeOptions: "nosniff",
        xXSSProtection: "0",
        customHeaders: { "X-Team": "payments" },
      },
      hsts: { enabled: true, maxAge: 60, includeSubDomains: true, preload: true },
      csp: { enabled: true, policy: "default-src 'self';", reportUri: "/csp" },
      referrerPolicy: "no-referrer",
    },
    "https",
    { "x-frame-options": "ALLOWALL", "content-security-policy": "default-src *" },
  );
  assert.deepEqual(fields, {
    "x-frame-options": "SAMEORIGIN",
    "content-security-policy": "default-src 'self'; report-uri /csp",
    "x-content-type-options": "nosniff",
    "x-xss-protection": "0",
    "x-team": "payments",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=60; includeSubDomains; preload",
  });
});

test("Strict-Transport-Security is not told over plain HTTP, in neither of its forms", () => {
  const hsts = { enabled: true, hsts: { enabled: true } };
  assert.deepEqual(sent(hsts, "http").fields, {});
  assert.deepEqual(sent(hsts).fields, { "strict-transport-security": "max-age=31536000" });
  const older = { enabled: true, headers: { enabled: true, strictTransportSecurity: "max-age=5" } };
  assert.deepEqual(sent(older, "http").fields, {});
  assert.deepEqual(sent(older).fields, { "strict-transport-security": "max-age=5" });
});

test("of the older and the newer form the newer wins", () => {
  const headers = { enabled: true, strictTransportSecurity: "max-age=5", contentSecurityPolicy: "default-src *" };
  assert.deepEqual(sent({ enabled: true, headers, hsts: { enabled: true, maxAge: 7 } }).fields, {
    "strict-transport-security": "max-age=7",
    "content-security-policy": "default-src *",
  });
  assert.deepEqual(
    sent({
      enabled: true,
      headers: { enabled: true, contentSecurityPolicy: "a" },
      csp: { enabled: true, policy: "b", reportOnly: true },
    }).fields,
    {
      "content-security-policy-report-only": "b",
    },
  );
});

test("what cannot be a header is left out and told", () => {
  const { fields, notes } = sent({
    enabled: true,
    headers: {
      enabled: true,
      xFrameOptions: "DENY\r\nset-cookie: a=b",
      customHeaders: { "bad name": "x", "x-good": "y" },
    },
    csp: { enabled: true, policy: " " },
  });
  assert.deepEqual(fields, { "x-good": "y" });
  assert.deepEqual(notes, [
    "spec.security.headers.xFrameOptions",
    "spec.security.headers.customHeaders[bad name]",
    "spec.security.csp.policy",
  ]);
});
