import assert from "node:assert/strict";
import { test } from "node:test";
import { cronScheduleError } from "./cron-schedule.ts";

test("schedules of five fields, with names, ranges, steps and lists, are taken", () => {
  for (const schedule of [
    "* * * * *",
    "*/5 0-12/2 1,15 JAN-mar mon-FRI",
    "0 0 ? * 6",
    "@hourly",
    "@every 1h30m",
    " 1 2 3 4 5 ",
  ]) {
    assert.equal(cronScheduleError(schedule), undefined, schedule);
  }
});

test("others are refused in the words of the server", () => {
  const refused: readonly (readonly [string, string])[] = [
    ["x", "expected exactly 5 fields, found 1: [x]"],
    ["61 * * * *", "end of range (61) above maximum (59): 61"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ["@foo", "unrecognized descriptor: @foo"],
  ];
  for (const [schedule, why] of refused) assert.equal(cronScheduleError(schedule), why);
});
