import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { checkObject } from "../check-object.ts";
import { fileSource } from "./file-source.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../../../../examples/gateway-settings.yaml");

test("the example's settings and routes are taken with nothing to say about them", async () => {
  const ending = new AbortController();
  const { current } = await fileSource(EXAMPLE, { clock: new ManualClock(), changed() {} }, ending.signal);
  ending.abort();
  assert.deepEqual(current.problems, []);
  assert.deepEqual(
    current.objects.map(({ kind, name }) => `${kind} ${name}`),
    ["Backend hello", "APIRoute hello", "APIRoute ping"],
  );
  for (const object of current.objects) assert.deepEqual(checkObject(object).findings, []);
});
