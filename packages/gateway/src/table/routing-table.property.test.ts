import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Fields } from "../exchange/fields.ts";
import { explain } from "./explain.ts";
import type { FieldMatch, MatchRow, PathMatch } from "./match-row.ts";
import { naiveMatch } from "./naive-match.ts";
import type { Question } from "./route-table.ts";
import { buildTable, updateTable } from "./routing-table.ts";
import { rowOf, routeNamed } from "./sample-rows.ts";

const element = fc.constantFrom("a", "b", "ab", "x.y", "");
const placeholder = fc.constantFrom("{one}", "{two}", "{*:a.*}", "{*:.*b}", "{one:[ab]}");
const path = fc.oneof(
  { weight: 20, arbitrary: fc.array(element, { minLength: 1, maxLength: 4 }).map((all) => `/${all.join("/")}`) },
  { weight: 1, arbitrary: fc.constant("*") },
);
const template = fc
  .array(fc.oneof(fc.constantFrom("a", "b"), placeholder), { minLength: 1, maxLength: 4 })
  .chain((all) => fc.tuple(fc.constant(`/${all.join("/")}`), fc.constantFrom("", "/")))
  .map(([value, end]) => value + end)
  // Without a name it is an exact path or a prefix, and rows say so.
  .filter((text) => text.includes("{"));
const regex = fc.constantFrom(
  "/a/.*",
  "^/a/b$",
  "/a|/b",
  "/(a|b)/.+",
  "/a/b?",
  "/a/b+/?.*",
  "/x\\.y/[[:alpha:](]*|/b.*",
  "/a/\\w{1,2}",
  "(?i)/A/.*",
  ".*",
  "/\\Qa|b\\E",
  "/a/(?P<rest>.*)",
);
const pathMatch: fc.Arbitrary<PathMatch> = fc.oneof(
  fc.record({ type: fc.constantFrom("exact", "prefix"), value: path.filter((one) => one !== "*") }),
  fc.record({ type: fc.constant("template"), value: template, prefix: fc.boolean() }),
  fc.record({ type: fc.constant("regex"), value: regex }),
);
const value = fc.constantFrom("", "1", "2", "12");
const fieldTest: fc.Arbitrary<FieldMatch["test"]> = fc.oneof(
  fc.record({ type: fc.constantFrom("exact", "prefix"), value }),
  fc.record({ type: fc.constant("regex"), value: fc.constantFrom("1.?", "1|12", "\\d*") }),
  fc.record({ type: fc.constantFrom("present", "absent") }),
);
const fieldMatches = (...names: string[]): fc.Arbitrary<FieldMatch[]> =>
  fc
    .tuple(fc.nat({ max: 2 }), fc.array(fc.tuple(fc.constantFrom(...names), fieldTest), { maxLength: 2 }))
    .map(([luck, all]) => (luck < 2 ? [] : all.map(([one, how]) => ({ name: one, test: how }) as FieldMatch)));

const row: fc.Arbitrary<MatchRow> = fc
  .record({
    name: fc.constantFrom("n1", "n2", "n3"),
    namespace: fc.constantFrom("default", "other"),
    host: fc.constantFrom(undefined, undefined, "a.com", "b.a.com", "*.a.com", "*.b.a.com", "*.com"),
    path: pathMatch,
    methods: fc.constantFrom(undefined, undefined, new Set(["GET"]), new Set(["POST", "HEAD"])),
    headers: fieldMatches("x-one", "x-two", "host"),
    query: fieldMatches("q", "r"),
    grpc: fc.constantFrom(undefined, undefined, undefined, true, false),
    createdAt: fc.constantFrom(1, 2, Infinity),
    place: fc.nat({ max: 3 }),
  })
  .map(({ name, namespace, ...rest }) => ({ ...rowOf(name, rest), route: routeNamed(name, namespace) }));

const question: fc.Arbitrary<Question> = fc
  .record({
    method: fc.constantFrom("GET", "HEAD", "POST"),
    authority: fc.constantFrom("a.com", "a.com:80", "b.a.com", "c.b.a.com.", "x.com", ".a.com", "org", ""),
    path,
    query: fc.constantFrom("", "q=1", "q=12&q=2", "r", "r=&q=%31", "q=1&r=2"),
    headers: fc.array(fc.tuple(fc.constantFrom("x-one", "x-two"), value), { maxLength: 3 }),
    isGrpc: fc.boolean(),
  })
  .map(({ method, authority, headers, ...rest }) => ({
    ...rest,
    head: { method, authority, fields: new Fields(headers.flat()) },
  }));

/** Many at the same few places: told apart by what is not the path. */
const crowded = fc
  .tuple(row, fc.constantFrom<PathMatch>({ type: "prefix", value: "/a" }, { type: "regex", value: "/a/.*" }))
  .map(([one, where]) => ({ ...one, host: undefined, path: where }));
const patterned = fc.tuple(row, regex).map(([one, pattern]) => ({
  ...one,
  host: undefined,
  path: { type: "regex", value: pattern } as const,
}));
const rows = fc.oneof(
  { weight: 2, arbitrary: fc.array(row, { maxLength: 25 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(crowded, patterned), { minLength: 10, maxLength: 60 }) },
);
const questions = fc.array(question, { minLength: 1, maxLength: 12 });

/** Rows of one name may tie to the last: then it does not matter which of them it is. */
function name(found: { readonly route: { readonly id: string } } | undefined): string {
  return found?.route.id ?? "none";
}

test("a table answers what a look at every row in the order of precedence answers, and explains it so", () => {
  fc.assert(
    fc.property(rows, questions, (all, asked) => {
      const table = buildTable(all);
      for (const one of asked) {
        const expected = name(naiveMatch(all, one));
        assert.equal(name(table.match(one)), expected);
        assert.equal(explain(table, one).winner?.route ?? "none", expected);
      }
    }),
    { numRuns: 250 },
  );
});

test("a table after edits answers what one built anew does, and the one before it is as it was", () => {
  const edits = fc.array(fc.record({ remove: fc.array(fc.nat({ max: 30 }), { maxLength: 6 }), add: rows }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(rows, edits, questions, (first, steps, asked) => {
      let current = first;
      let table = buildTable(first);
      for (const { remove, add } of steps) {
        const before = { table, rows: current };
        const gone = new Set(current.filter((_, at) => remove.includes(at)));
        current = [...current.filter((one) => !gone.has(one)), ...add];
        table = updateTable(table, { remove: gone, add });
        for (const one of asked) {
          assert.equal(name(table.match(one)), name(buildTable(current).match(one)));
          assert.equal(name(table.match(one)), name(naiveMatch(current, one)));
          assert.equal(name(before.table.match(one)), name(naiveMatch(before.rows, one)));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("edits that take all rows out again leave nothing that a lookup could find", () => {
  fc.assert(
    fc.property(rows, questions, (all, asked) => {
      const table = updateTable(buildTable(all), { remove: all, add: [] });
      for (const one of asked) assert.equal(table.match(one), undefined);
      assert.deepEqual(table.groups("b.a.com"), []);
    }),
  );
});
