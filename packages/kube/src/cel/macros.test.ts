import { describe } from "node:test";
import { testCases } from "./testing/expression-table.ts";

describe("optional values and iteration macros", () => {
  testCases([
    ["{?'a': optional.of(1), ?'b': optional.none()}", '{"a": 1}', 32],
    ["[?optional.of(1), ?optional.none(), 3]", "[1, 3]", 12],
    ["optional.of(1).optMap(x, x + 1).value()", "2", 8],
    ["optional.of(1).optFlatMap(x, optional.of(x + 1)).value()", "2", 8],
    ["optional.none().optMap(x, x).hasValue()", "false", 4],
    [
      "optional.ofNonZeroValue('').hasValue() || optional.ofNonZeroValue([]).hasValue() || optional.ofNonZeroValue(0).hasValue()",
      "false",
      6,
    ],
    ["[optional.of(1), optional.none()].unwrapOpt() == optional.unwrap([optional.of(1)])", "true", 26],
    ["[1,2].first().value() + [1,2].last().value() + [3][?0].value() + [3][?5].orValue(9)", "15", 11],
    ["{'a': {'b': 1}}.?a.?b.value() + {'a': 1}[?'z'].orValue(5)", "6", 6],
    [
      "optional.of(1) == optional.of(1) && optional.none() == optional.none() && optional.of(1) != optional.of(2)",
      "true",
      9,
    ],
    ["x.?a.b.c.orValue('none')", '"none"', undefined, { x: { a: {} } }],
    ["has(x.?a.b)", "false", undefined, { x: { a: {} } }],
    ["x.?a[?0].?b", "optional(3)", 4, { x: { a: [{ b: 3 }] } }],
    ["{'a':1,'b':2}.all(k, v, k != 'c' && v > 0)", "true", 15],
    ["['a','b'].exists(i, v, i == 1 && v == 'b')", "true", 15],
    ["[1,2,3].existsOne(i, v, v > 2)", "true", 10],
    ["[1,2,3].exists_one(i, v, v > 1)", "false", 12],
    ["[1,2,3].transformList(i, v, i > 0, v * 2)", "[4, 6]", 35],
    ["{'a':1,'b':2}.transformMap(k, v, v > 1, v * 10)", '{"b": 20}', 10],
    ["['x','y'].transformMapEntry(i, v, {v: i})", '{"x": 0, "y": 1}', 69],
    ["['x','x'].transformMapEntry(i, v, {v: i})", "error: insert failed: key x already exists"],
    ["['x','y'].transformMapEntry(i, v, v == 'y', {v: i})", '{"y": 1}', 39],
    ["[1,2].all(x, x, true)", "refused: 1:14 duplicate variable name: x"],
    ["[1,2].existsOne(x, x > 1)", "refused: 1:16 undeclared reference to 'existsOne' (in container '')"],
    ["[1,2,3,4].map(x, x % 2 == 0, x * 10)", "[20, 40]", 41],
    ["{'a':1,'b':2}.map(k, k).sort()", '["a", "b"]', 46],
    ["{'a':1,'b':2}.filter(k, k == 'a')", '["a"]', 18],
    ["[[1,2],[3]].map(l, l.map(e, [e, e]))", "[[[1, 1], [2, 2]], [[3, 3]]]", 101],
    ["[1,2,3].filter(x, x > 1).map(x, x * x).exists(y, y == 9)", "true", 77],
  ]);
});
