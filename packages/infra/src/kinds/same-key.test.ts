import assert from "node:assert/strict";
import { test } from "node:test";
import { sameKey, sameKeyOrAlias } from "./same-key.ts";

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

test("an alias is taken for the key that it led to, and for nothing else", () => {
  for (const alias of ["alias/shop", `${KMS}:alias/shop`]) {
    assert.ok(sameKeyOrAlias(alias, `${KMS}:key/1234`));
    assert.ok(sameKeyOrAlias(alias, `${KMS}:alias/shop`));
    assert.ok(!sameKeyOrAlias(alias, `${KMS}:alias/other`));
    assert.ok(!sameKeyOrAlias(alias, undefined));
  }
  assert.ok(sameKeyOrAlias("1234", `${KMS}:key/1234`));
  assert.ok(!sameKeyOrAlias("1234", `${KMS}:key/5678`));
});
