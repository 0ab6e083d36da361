import type { KeySchemaElement } from "@gatewright/aws-wire/types/dynamodb";
import { holds } from "./condition.ts";
import type { Condition, Operand } from "./condition.ts";
import { typeFor } from "./item-key.ts";
import type { Item, TableRecord, Value } from "./records.ts";
import { invalid, wrongValues } from "./refusals.ts";
import { typeOf } from "./value.ts";

/** What a query may ask of the keys: the partition by its value, and of the range one thing. */
export interface KeyCondition {
  readonly partition: Condition;
  readonly range: Condition | undefined;
}

/** Checks that a condition can be the one of a query. */
export function readKeyCondition(
  condition: Condition,
  keys: readonly KeySchemaElement[],
  table: TableRecord,
): KeyCondition {
  const parts = condition.is === "and" ? condition.parts : [condition];
  const [hashKey, rangeKey] = keys.map(({ AttributeName }) => AttributeName);
  const named = parts.map(attributeIn);
  const partition = parts.find((part, i) => named[i] === hashKey && part.is === "compare" && part.sign === "=");
  if (partition === undefined) throw invalid(`Query condition missed key schema element: ${hashKey}`);
  const rest = parts.filter((part) => part !== partition);
  if (rest.length > 1)
    throw invalid("Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key");
  for (const part of rest) {
    if (rangeKey === undefined || attributeIn(part) !== rangeKey) {
      throw invalid(`Query condition missed key schema element: ${rangeKey ?? hashKey}`);
    }
  }
  for (const part of parts) {
    const expected = typeFor(table, attributeIn(part));
    if (valuesIn(part).some((value) => typeOf(value) !== expected)) {
      throw wrongValues("Condition parameter type does not match schema type");
    }
  }
  return { partition, range: rest[0] };
}

/** Whether an item is among those that are asked for. */
export function isChosen({ partition, range }: KeyCondition, item: Item): boolean {
  return holds(partition, item) && (range === undefined || holds(range, item));
}

/** The one attribute that a part compares with values; refuses parts that do anything else. */
function attributeIn(part: Condition): string {
  if (part.is === "compare" && part.sign !== "<>" && part.other.is === "value") return nameIn(part.one);
  if (part.is === "between" && part.least.is === "value" && part.most.is === "value") return nameIn(part.of);
  if (part.is === "function" && part.name === "begins_with" && part.given?.is === "value" && part.path.length === 1) {
    return part.path[0];
  }
  throw invalid("Invalid operator used in KeyConditionExpression");
}

/** What that attribute is compared with. */
function valuesIn(part: Condition): readonly Value[] {
  const operands =
    part.is === "compare"
      ? [part.other]
      : part.is === "between"
        ? [part.least, part.most]
        : part.is === "function"
          ? [part.given]
          : [];
  return operands.flatMap((operand) => (operand?.is === "value" ? [operand.value] : []));
}

function nameIn(operand: Operand): string {
  if (operand.is === "path" && operand.path.length === 1) return operand.path[0];
  throw invalid(
    "Invalid KeyConditionExpression: KeyConditionExpressions cannot have nested operations or values on the left",
  );
}
