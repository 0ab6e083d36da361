import type { AttributeDefinition, KeySchemaElement, Projection } from "@gatewright/aws-wire/types/dynamodb";
import type { IndexRecord } from "./records.ts";
import { invalid, notServed, wrongValues } from "./refusals.ts";

const MOST_GLOBAL = 20;
const MOST_LOCAL = 5;
const MOST_PROJECTED = 100;

/** The parts of a table that have to fit together. */
export interface KeyPlan {
  readonly definitions: readonly AttributeDefinition[];
  readonly keys: readonly KeySchemaElement[];
  readonly localIndexes: readonly IndexRecord[];
  readonly indexes: readonly IndexRecord[];
}

/** Refuses keys, indexes and definitions of attributes that do not fit together. */
export function checkKeys(plan: KeyPlan): void {
  const { definitions, keys, localIndexes, indexes } = plan;
  if (new Set(definitions.map(nameOf)).size < definitions.length) {
    throw wrongValues("Cannot have two attributes with the same name");
  }
  checkSchema(keys);
  const all = [...localIndexes, ...indexes];
  for (const index of all) checkIndex(index);
  const names = all.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw wrongValues(`Duplicate index name: ${twice}`);
  if (indexes.length > MOST_GLOBAL) {
    throw wrongValues(`GlobalSecondaryIndex count exceeds the per-table limit of ${MOST_GLOBAL}`);
  }
  checkLocal(keys, localIndexes);
  const projected = all.reduce((sum, { projection }) => sum + (projection.NonKeyAttributes?.length ?? 0), 0);
  if (projected > MOST_PROJECTED) {
    throw wrongValues(`The total number of projected non-key attributes exceeds the limit of ${MOST_PROJECTED}`);
  }
  const used = usedAttributes(plan);
  const known = new Set(definitions.map(nameOf));
  const missing = used.filter((name) => !known.has(name));
  if (missing.length > 0) {
    throw wrongValues(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${missing.join(", ")}], AttributeDefinitions: [${[...known].join(", ")}]`,
    );
  }
  if (known.size > used.length) {
    throw all.length === 0
      ? wrongValues(
          "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
        )
      : wrongValues(
          `Some AttributeDefinitions are not used. AttributeDefinitions: [${[...known].join(", ")}], keys used: [${used.join(", ")}]`,
        );
  }
}

/** Names of attributes that keys of the table or an index are made of, each once. */
export function usedAttributes({ keys, localIndexes, indexes }: Omit<KeyPlan, "definitions">): readonly string[] {
  return [...new Set([...keys, ...[...localIndexes, ...indexes].flatMap((index) => index.keys)].map(nameOf))];
}

function checkSchema(keys: readonly KeySchemaElement[]): void {
  const [first, second, ...more] = keys;
  if (first?.KeyType !== "HASH") throw invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  if (more.length > 0) throw notServed("A KeySchema of more than two attributes");
  if (second === undefined) return;
  if (second.KeyType !== "RANGE") {
    throw invalid("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  if (first.AttributeName === second.AttributeName) {
    throw invalid("Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
}

function checkIndex({ name, keys, projection }: IndexRecord): void {
  if (!/^[A-Za-z0-9_.-]{3,255}$/.test(name)) throw wrongValues(`Invalid index name: ${name.slice(0, 64)}`);
  checkSchema(keys);
  checkProjection(projection);
}

function checkProjection({ ProjectionType: type, NonKeyAttributes: others }: Projection): void {
  if (type === undefined) throw wrongValues("Unknown ProjectionType: null");
  if (type === "INCLUDE" && others === undefined) {
    throw wrongValues("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (type !== "INCLUDE" && others !== undefined) {
    throw wrongValues(`ProjectionType is ${type}, but NonKeyAttributes is specified`);
  }
}

function checkLocal(keys: readonly KeySchemaElement[], indexes: readonly IndexRecord[]): void {
  if (indexes.length === 0) return;
  if (indexes.length > MOST_LOCAL) {
    throw wrongValues("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  }
  if (keys.length < 2) {
    throw wrongValues(
      "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
    );
  }
  for (const index of indexes) {
    if (index.keys[0]?.AttributeName !== keys[0]?.AttributeName) {
      throw wrongValues(
        `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index.name}`,
      );
    }
    if (index.keys.length < 2) {
      throw wrongValues(`Index KeySchema does not have a range key for index: ${index.name}`);
    }
  }
}

function nameOf({ AttributeName }: { readonly AttributeName: string }): string {
  return AttributeName;
}
