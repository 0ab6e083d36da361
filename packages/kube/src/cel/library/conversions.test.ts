import { describe } from "node:test";
import { testCases } from "../testing/expression-table.ts";

describe("conversions, timestamps and durations", () => {
  testCases([
    ["int('abc' + s)", "error: type conversion error from 'string' to 'int'", 3, { s: "" }],
    ["int('99999999999999999999' + s)", "error: type conversion error from 'string' to 'int'", 4, { s: "" }],
    [
      "int(s) == 7 && int('-' + s) == -7 && int('+' + s) == 7 && uint(s) == 7u",
      "true",
      undefined,
      { s: "0".repeat(30) + "7" },
    ],
    ["int(s) > 0 || true", "true", undefined, { s: "9".repeat(1_000_000) }],
    ["uint('-1' + s)", "error: type conversion error from 'string' to 'uint'", 3, { s: "" }],
    ["double('abc' + s)", "error: type conversion error from 'string' to 'double'", 3, { s: "" }],
    ["bool('abc' + s)", "error: type conversion error from 'string' to 'bool'", 3, { s: "" }],
    ["bool('T' + s)", "true", 3, { s: "" }],
    ["duration('abc' + s)", "error: type conversion error from 'string' to 'google.protobuf.Duration'", 3, { s: "" }],
    ["timestamp('abc' + s)", "error: type conversion error from 'string' to 'google.protobuf.Timestamp'", 3, { s: "" }],
    [
      "timestamp('2020-13-01T00:00:00Z' + s)",
      "error: type conversion error from 'string' to 'google.protobuf.Timestamp'",
      4,
      { s: "" },
    ],
    ["int(1e30 + d)", "error: integer overflow", 3, { d: 0.5 }],
    ["uint(-1 + i)", "error: unsigned integer overflow", 3, { i: 0 }],
    ["int(1.9) == 1 && int(-1.9) == -1", "true", 2],
    [
      "string(b'abc') + string(1.5) + string(1u) + string(true) + string(timestamp('2020-01-01T00:00:00.5Z')) + string(duration('1h1.5s'))",
      '"abc1.51true2020-01-01T00:00:00.5Z3601.5s"',
      12,
    ],
    ["string(b'\\xff')", "refused: invalid UTF-8 in bytes, cannot convert to string"],
    [
      "string(1e21) + ' ' + string(1000000.0) + ' ' + string(0.00001) + ' ' + string(100000.0)",
      '"1e+21 1e+06 1e-05 100000"',
      12,
    ],
    ["bytes('é')", 'b"c3a9"', 0],
    ["timestamp(1577836800)", "2020-01-01T00:00:00Z", 0],
    ["timestamp('2020-01-01T00:00:00Z') + duration('1h')", "2020-01-01T01:00:00Z", 1],
    ["timestamp('2020-01-01T00:00:00Z') - timestamp('2019-01-01T00:00:00Z')", "31536000000000000ns", 1],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1h')", "error: timestamp overflow", 1],
    ["timestamp('2020-02-29T23:59:59.123456789+05:30').getHours()", "18", 1],
    ["timestamp('2020-02-29T23:59:59.123456789Z').getMilliseconds()", "123", 1],
    ["timestamp('2020-02-29T23:59:59Z').getDayOfYear()", "59", 1],
    ["timestamp('2020-02-29T23:59:59Z').getDayOfWeek('America/New_York')", "6", 1],
    ["timestamp('2020-02-29T23:59:59Z').getHours('+02:30')", "2", 1],
    ["timestamp('2020-02-29T23:59:59Z').getHours('-02:30')", "21", 1],
    ["timestamp('2020-02-29T23:59:59Z').getHours('Nowhere/Land')", "error: unknown time zone Nowhere/Land", 1],
    [
      "timestamp('2020-02-29T23:59:59Z').getDate() + timestamp('2020-02-29T23:59:59Z').getDayOfMonth() + timestamp('2020-02-29T23:59:59Z').getMonth()",
      "58",
      5,
    ],
    [
      "duration('3h2m1.5s').getHours() * 1000000 + duration('3h2m1.5s').getMinutes() * 1000 + duration('3h2m1.5s').getSeconds()",
      "3192921",
      7,
    ],
    ["duration('1.5s').getMilliseconds()", "1500", 1],
    ["duration('-1.5h')", "-5400000000000ns", 0],
    [
      "duration('1h').getHours('x')",
      "refused: 1:24 found no matching overload for 'getHours' applied to 'duration.(string)'",
    ],
  ]);
});
