import type { Words } from "./expression-words.ts";
import { readPath, valueAt } from "./path.ts";
import type { Path } from "./path.ts";
import type { Item, Value } from "./records.ts";
import { invalid, notServed } from "./refusals.ts";
import { TokenReader } from "./token-reader.ts";
import { attributeOf, withAttribute } from "./value.ts";

/** Reads what an expression names of items; all of them without one. An expression is read also where there is nothing to show of it. */
export function readProjection(expression: string | undefined, words: Words): (item: Item) => Item {
  if (expression === undefined) return (item) => item;
  const paths = readPaths(expression, words);
  return (item) =>
    paths.reduce<Item>((shown, path) => {
      const value = valueAt(item, path);
      return value === undefined ? shown : withPart(shown, path, value);
    }, []);
}

function readPaths(expression: string, words: Words): readonly Path[] {
  const reader = new TokenReader(expression);
  const paths = [readPath(reader, words)];
  while (reader.takes(",")) paths.push(readPath(reader, words));
  if (reader.next !== "") throw reader.unexpected();
  if (new Set(paths.map((path) => JSON.stringify(path))).size < paths.length) {
    throw invalid(
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths",
    );
  }
  return paths;
}

/** Maps on the way are made as they are needed. */
function withPart(item: Item, [name, ...rest]: readonly (string | number)[], value: Value): Item {
  if (typeof name !== "string" || rest.some((step) => typeof step === "number")) {
    throw notServed("A place in a list in a ProjectionExpression");
  }
  if (rest.length === 0) return withAttribute(item, name, value);
  const holder = attributeOf(item, name);
  const inner = holder !== undefined && "M" in holder ? holder.M : [];
  return withAttribute(item, name, { M: withPart(inner, rest, value) });
}
