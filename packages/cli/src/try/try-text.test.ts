import assert from "node:assert/strict";
import { test } from "node:test";
import { plainPaint } from "@gatewright/infra/paint";
import { tryText } from "./try-text.ts";

const dns = { step: "resolve", ok: true, ms: 1.23, detail: "127.0.1.1", reason: "" } as const;

test("each hop with its time; the failed one with what to do", () => {
  const refused = {
    step: "connect",
    ok: false,
    ms: 250,
    detail: "Nobody takes connections there.",
    reason: "NoConnection",
  } as const;
  assert.deepEqual(tryText({ url: "https://a.example.com/", hops: [dns, refused] }, plainPaint, false).split("\n"), [
    "✗ https://a.example.com/ fails at Connection",
    "",
    "Cause  Connection: Nobody takes connections there. (NoConnection)",
    "Next   See that the load balancer or gateway is up.",
    "         $ gatewright why a.example.com",
    "",
    "  ✓ DNS            1.2 ms  127.0.1.1",
    "  ✗ Connection     250 ms",
    "",
  ]);
});

test("an answer is told with its status, and wide with its first bytes", () => {
  const trial = { url: "http://a/", hops: [dns], status: 404, body: "not\u001b[2J here\n" };
  assert.match(tryText(trial, plainPaint, false), /^✓ http:\/\/a\/ answers 404 after 1\.2 ms\n/);
  assert.match(tryText(trial, plainPaint, true), /\nnot \[2J here\n/);
});
