import type { CompiledRow } from "./compiled-row.ts";
import { valueOf } from "./condition.ts";
import type { ValueOf } from "./condition.ts";
import { LayeredMap } from "./layered-map.ts";
import { literalPrefix } from "./literal-prefix.ts";
import type { FieldMatch, MatchRow } from "./match-row.ts";
import type { Question } from "./route-table.ts";

/** Between the values of a key. Where it occurs in a value, keys are alike that need not be: rows are looked at all the same. */
const BETWEEN = "\n";

/**
 * Rows that compare the same things with a whole value: the same headers, the same parameters, as many characters at the beginning of
 * the path. Which of them may hold is found by those values, whatever their number.
 */
export interface RowShape {
  readonly id: string;
  readonly literalLength: number;
  readonly values: readonly ValueOf[];
  /** By the values joined, each list in order. */
  readonly rows: LayeredMap<readonly CompiledRow[]>;
}

/** The shape that a row belongs to, without rows, and the key of the row in it. */
export function shapeOf(row: MatchRow, owner: object): { readonly shape: RowShape; readonly key: string } {
  const literal = row.path.type === "regex" ? literalPrefix(row.path.value) : "";
  const headers = wholeValues(row.headers);
  const query = wholeValues(row.query);
  const shape = {
    id: JSON.stringify([literal.length, [...headers.keys()], [...query.keys()]]),
    literalLength: literal.length,
    values: [
      ...Array.from(headers.keys(), (name) => valueOf("header", name)),
      ...Array.from(query.keys(), (name) => valueOf("query", name)),
    ],
    rows: LayeredMap.empty<readonly CompiledRow[]>(owner),
  };
  return { shape, key: [literal, ...headers.values(), ...query.values()].join(BETWEEN) };
}

/** The rows of a shape that may hold, in order. */
export function rowsOfShape(shape: RowShape, question: Question, host: string): readonly CompiledRow[] | undefined {
  let key = shape.literalLength === 0 ? "" : question.path.slice(0, shape.literalLength);
  for (const value of shape.values) {
    const found = value(question, host);
    if (found === undefined) return undefined;
    key += BETWEEN + found;
  }
  return shape.rows.get(key);
}

/** By name, in an order that does not depend on who wrote it. */
function wholeValues(matches: readonly FieldMatch[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, test } of matches) if (test.type === "exact" && !found.has(name)) found.set(name, test.value);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
