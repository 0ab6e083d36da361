import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime } from "@gatewright/kube";
import { DEFAULT_SETTINGS } from "../../settings.ts";
import { drainMs, isAhead } from "./drain.ts";

const now = Date.UTC(2030, 0, 1);
const moment = { settings: { ...DEFAULT_SETTINGS, drainMs: 60_000 }, now };

test("what has gone is remembered by resolvers for the time that is set", () => {
  assert.equal(drainMs(moment, formatTime(now)), 61_000);
  assert.ok(drainMs(moment, formatTime(now - 62_000)) < 0);
});

test("a time that is still to come was written by another clock, and nothing is waited for until then", () => {
  assert.equal(isAhead(moment, formatTime(now)), false);
  assert.equal(isAhead(moment, formatTime(now - 3_600_000)), false);
  assert.equal(isAhead(moment, formatTime(now + 3_600_000)), true);
});
