import assert from "node:assert/strict";
import { test } from "node:test";
import { sameKey } from "./same-key.ts";

const KMS = "arn:aws:kms:eu-west-1:000000000000";

test("a key is the same by id, alias and ARN, and no other is", () => {
  assert.ok(sameKey("1234", "1234"));
  assert.ok(sameKey("1234", `${KMS}:key/1234`));
  assert.ok(sameKey("alias/shop", `${KMS}:alias/shop`));
  assert.ok(sameKey("", ""));
  for (const have of [`${KMS}:key/91234`, "", undefined, `${KMS}:alias/1234`.replace("/1234", "/x1234")]) {
    assert.ok(!sameKey("1234", have), String(have));
  }
  assert.ok(!sameKey("alias/shop", `${KMS}:key/1234`));
  assert.ok(!sameKey("", `${KMS}:key/1234`));
});
