import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeContinue, encodeContinue } from "./continue-token.ts";

test("a token comes back as it was", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.stringMatching(/^[a-z0-9]+(?:\/[a-z0-9]+)?$/), (revision, start) => {
      assert.deepEqual(decodeContinue(encodeContinue({ revision, start })), { revision, start });
    }),
  );
});

test("whatever this server did not make is refused with 400", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.throws(() => decodeContinue(text), { code: 400, message: /^invalid continue token/ });
    }),
  );
  const other = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  assert.throws(() => decodeContinue(other({ v: "v2", rv: 1, start: "a" })), { code: 400 });
  assert.throws(() => decodeContinue(other({ v: "meta.k8s.io/v1", rv: 0, start: "a" })), { code: 400 });
  assert.throws(() => decodeContinue(other({ v: "meta.k8s.io/v1", rv: 1, start: "" })), { code: 400 });
  assert.throws(() => decodeContinue(other({ v: "meta.k8s.io/v1", rv: "1", start: "a" })), { code: 400 });
  assert.throws(() => decodeContinue(other({ v: "meta.k8s.io/v1", rv: 1, start: "../../secrets" })), { code: 400 });
  assert.throws(() => decodeContinue(other(null)), { code: 400 });
});
