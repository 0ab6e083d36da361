import type { Words } from "./expression-words.ts";
import { readPath, valueAt } from "./path.ts";
import type { Path } from "./path.ts";
import type { Item, Value } from "./records.ts";
import { invalid, notServed } from "./refusals.ts";
import { TokenReader } from "./token-reader.ts";
import { attributeOf, withAttribute } from "./value.ts";

/** Of an item, what an expression names; all of it without one. */
export function projected(item: Item, expression: string | undefined, words: Words): Item {
  if (expression === undefined) return item;
  return readPaths(expression, words).reduce<Item>((shown, path) => {
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
