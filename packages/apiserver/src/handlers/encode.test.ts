import assert from "node:assert/strict";
import { test } from "node:test";
import { encoded } from "./encode.ts";

test("YAML quotes what would be read as a number, and not the lone dot of field ownership", async () => {
  const values = { ".": {}, a: "1.5", b: ".5", c: "1.", d: "yes" };
  const { body } = await encoded(200, values, { media: "yaml", as: "object", metaVersion: "v1", pretty: false });
  assert.equal(String(body), '.: {}\na: "1.5"\nb: ".5"\nc: "1."\nd: "yes"\n');
});
