import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@gatewright/ports";
import { createNames } from "./names.ts";

test("localhost is this machine, whichever DNS server is asked for other names", async () => {
  const names = createNames("127.0.0.1:1", systemClock);
  const found = await names.addresses("localhost", new AbortController().signal);
  assert.ok(Array.isArray(found) && found.some((each) => each === "127.0.0.1" || each === "::1"), String(found));
});
