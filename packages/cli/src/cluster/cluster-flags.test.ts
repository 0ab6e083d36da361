import assert from "node:assert/strict";
import { test } from "node:test";
import { chosenNamespace } from "./cluster-flags.ts";

test('what cannot be a namespace is refused, nothing at all among it: -n "$UNSET" is a mistake', () => {
  for (const given of ["", "Foo Bar", "a/b", "-"]) {
    assert.throws(() => chosenNamespace(given), { name: "UsageError", message: /-n takes the name of a namespace/ });
  }
  assert.deepEqual([chosenNamespace(undefined), chosenNamespace("shop-1")], [undefined, "shop-1"]);
});
