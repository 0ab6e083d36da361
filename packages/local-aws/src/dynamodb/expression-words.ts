import type { Value } from "./records.ts";
import { invalid } from "./refusals.ts";
import { readValue } from "./value.ts";
import type { WireItem } from "./value.ts";

/** What stands for names and values in the expressions of one call. */
export interface Words {
  name(word: string): string;
  value(word: string): Value;
  /** Refuses what no expression used. */
  checkUsed(): void;
}

export function expressionWords(input: {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: WireItem | undefined;
}): Words {
  const names = new Map(Object.entries(input.ExpressionAttributeNames ?? {}));
  const values = new Map(
    Object.entries(input.ExpressionAttributeValues ?? {}).map(([word, value]) => [word, readValue(value)]),
  );
  const used = new Set<string>();
  return {
    name(word) {
      if (!word.startsWith("#")) return word;
      used.add(word);
      const name = names.get(word);
      if (name === undefined) {
        throw invalid(
          `Invalid expression: An expression attribute name used in the document path is not defined; attribute name: ${word}`,
        );
      }
      return name;
    },
    value(word) {
      used.add(word);
      const value = values.get(word);
      if (value === undefined) {
        throw invalid(
          `Invalid expression: An expression attribute value used in expression is not defined; attribute value: ${word}`,
        );
      }
      return value;
    },
    checkUsed() {
      for (const [kind, words] of [
        ["Names", names],
        ["Values", values],
      ] as const) {
        const unused = [...words.keys()].filter((word) => !used.has(word));
        if (unused.length > 0) {
          throw invalid(
            `Value provided in ExpressionAttribute${kind} unused in expressions: keys: {${unused.join(", ")}}`,
          );
        }
      }
    },
  };
}
