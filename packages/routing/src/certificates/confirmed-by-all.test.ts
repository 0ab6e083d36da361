import assert from "node:assert/strict";
import { test } from "node:test";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import { confirmedByAll } from "./confirmed-by-all.ts";

test("a bundle is known when all have confirmed it, and not before", () => {
  const known: string[] = [];
  const source: CertificateSource = {
    current: () => undefined,
    bundle: () => "b",
    subscribe: () => () => {},
    confirm: (bundle) => void known.push(bundle),
    run: () => Promise.resolve(),
  };
  const [first, second] = confirmedByAll(source, 2);
  first!.confirm("a");
  assert.deepEqual(known, []);
  second!.confirm("b");
  assert.deepEqual(known, []);
  first!.confirm("b");
  assert.deepEqual(known, ["b"]);
  assert.equal(first!.bundle(), "b");
});
