import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { createLog } from "./create-log.ts";
import type { LogOptions } from "./create-log.ts";
import type { Log } from "./log.ts";

function logInto(options: Partial<LogOptions> = {}): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { log: createLog({ write: (line) => lines.push(line), clock: new ManualClock(), ...options }), lines };
}

test("a line is a constant message with fields, those of the log it came from first", () => {
  const { log, lines } = logInto();
  log.with({ controller: "sites" }).info("reconciled", { key: "a/b", ms: 3 });
  log.debug("not told");
  assert.deepEqual(lines, [
    '{"time":"2030-01-01T00:00:00.000Z","level":"info","message":"reconciled","controller":"sites","key":"a/b","ms":3}\n',
  ]);
  const text = logInto({ format: "text", level: "debug" });
  text.log.debug("told", { key: "a/b", note: "two words", none: undefined });
  assert.deepEqual(text.lines, ['2030-01-01T00:00:00.000Z DEBUG told key=a/b note="two words"\n']);
});

test("errors are told with their causes", () => {
  const { log, lines } = logInto();
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  log.error("failed", { error: new TypeError("no answer", { cause }) });
  const { error } = JSON.parse(lines[0] ?? "");
  assert.deepEqual(
    [error.name, error.message, error.cause.message, error.cause.code],
    ["TypeError", "no answer", "refused", "ECONNREFUSED"],
  );
  assert.match(error.stack, /create-log\.test/);
});

test("secrets are hidden wherever they stand", () => {
  const { log, lines } = logInto();
  log.warn("careful", {
    headers: { Authorization: "Bearer abcdefgh", accept: "x" },
    password: "hunter2",
    object: { kind: "Secret", metadata: { name: "s" }, data: { k: "c2VjcmV0" } },
    error: new Error("401 for Bearer eyJhbGciOi.x.y", { cause: { clientToken: "hunter2" } }),
    pem: "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----",
  });
  for (const secret of ["abcdefgh", "hunter2", "c2VjcmV0", "eyJhbGciOi"])
    assert.ok(!lines[0]?.includes(secret), secret);
  assert.equal(JSON.parse(lines[0] ?? "").object.metadata.name, "s");
});

test("whatever the fields hold, a line comes of it", () => {
  const { log, lines } = logInto();
  const loop: Record<string, unknown> = { big: 1n, fn() {}, set: new Set([1]), map: new Map([["a", 1]]) };
  loop["self"] = loop;
  log.info("odd", { loop, message: "mine", __proto__: 1 });
  log.info("worse", {
    get broken(): never {
      throw new Error("no");
    },
  });
  log.info("bytes", { body: Buffer.from("abc") });
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).message),
    ["odd", "worse", "bytes"],
  );
});
