import type { dynamodb } from "@gatewright/aws";
import { deepEqual, isObject } from "@gatewright/kube";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { DynamoDBTable } from "@gatewright/resources";
import { indexShape } from "./table.ts";
import type { SeenIndex, Table } from "./table.ts";

type Spec = Immutable<DynamoDBTable["spec"]>;
type Projected = Pick<NonNullable<Spec["globalSecondaryIndexes"]>[number], "projectionType" | "nonKeyAttributes">;

/** Types of attributes, as the spec says them. */
function typesOf({ hashKey, rangeKey, attributes = [] }: Spec): ReadonlyMap<string, string> {
  return new Map([...attributes, hashKey, ...(rangeKey ? [rangeKey] : [])].map(({ name, type }) => [name, type]));
}

/** Indexes as the field shows them, in the order of their names. */
export function indexesWanted(spec: Spec): Json | undefined {
  const types = typesOf(spec);
  return spec.globalSecondaryIndexes
    ?.map((index): JsonObject & { indexName: string } => ({
      indexName: index.indexName,
      ...indexShape(keyOf(index.hashKey, types), keyOf(index.rangeKey, types), projectionOf(index)),
      ...(index.provisionedThroughput && { provisionedThroughput: { ...index.provisionedThroughput } }),
      ...ceilings(index.onDemandThroughput),
    }))
    .toSorted((one, other) => (one.indexName < other.indexName ? -1 : 1));
}

export function localIndexesWanted(spec: Spec): Json | undefined {
  const types = typesOf(spec);
  return spec.localSecondaryIndexes
    ?.map((index) => ({
      indexName: index.indexName,
      ...indexShape(undefined, keyOf(index.rangeKey, types), projectionOf(index)),
    }))
    .toSorted((one, other) => (one.indexName < other.indexName ? -1 : 1));
}

/** What is to be done to indexes next: of those that are made or removed AWS takes one at a time. */
export function indexWork(want: Json | undefined, table: Table) {
  const wanted = new Map(listed(want).map((each) => [String(each["indexName"]), each]));
  const isKept = ({ name, shape }: SeenIndex): boolean => {
    const wish = wanted.get(name);
    return wish !== undefined && deepEqual(shapeIn(wish), shape);
  };
  const missing = [...wanted].filter(([name]) => !table.indexes.some((index) => index.name === name));
  return {
    /** Those that nobody wants, or wants otherwise. */
    surplus: table.indexes.filter((index) => !isKept(index)).map(({ name }) => name),
    missing: missing.map(([, wish]) => wish),
    /** Those that stay, with what is wanted of them. */
    kept: table.indexes.filter(isKept).map((index) => ({ index, wish: wanted.get(index.name) ?? {} })),
  };
}

/** Whether the indexes are as wanted. Units that are not said are whatever they are. */
export function sameIndexes(want: Json | undefined, have: Json | undefined): boolean {
  const [ours, theirs] = [listed(want), listed(have)];
  return (
    ours.length === theirs.length &&
    ours.every((wish, i) => {
      const { provisionedThroughput: units, ...rest } = theirs[i] ?? {};
      const told = units !== undefined && wish["provisionedThroughput"] !== undefined;
      return deepEqual(wish, told ? { ...rest, provisionedThroughput: units } : rest);
    })
  );
}

/** A wish for an index of a table that is there: AWS asks for units where the table has some, and gets those where none are said. */
export function wishBeside({ throughput }: Pick<Table, "throughput">, wish: JsonObject): JsonObject {
  return { ...(throughput && { provisionedThroughput: throughput }), ...wish };
}

/** A new index as AWS takes it. */
export function indexInput(wish: JsonObject): dynamodb.GlobalSecondaryIndex {
  const units = throughputInput(wish["provisionedThroughput"]);
  const most = newCeilings(wish["onDemandThroughput"]);
  return {
    IndexName: String(wish["indexName"]),
    KeySchema: keysInput(wish),
    Projection: projectionInput(wish),
    ...(units && { ProvisionedThroughput: units }),
    ...(most && { OnDemandThroughput: most }),
  };
}

export function localIndexInput(wish: JsonObject, hashKey: string): dynamodb.LocalSecondaryIndex {
  return {
    IndexName: String(wish["indexName"]),
    KeySchema: [{ AttributeName: hashKey, KeyType: "HASH" }, ...keysInput(wish)],
    Projection: projectionInput(wish),
  };
}

/** Definitions of the attributes that these parts of a table, or wishes for them, have as keys. */
export function definitionsOf(parts: readonly JsonObject[]): readonly dynamodb.AttributeDefinition[] {
  const keys = parts.flatMap((part) => [part["hashKey"], part["rangeKey"]]).filter((key) => isObject(key));
  const types = new Map(keys.map((key) => [String(key["name"]), String(key["type"])]));
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

export function keysInput({ hashKey, rangeKey }: JsonObject): dynamodb.KeySchemaElement[] {
  return (
    [
      [hashKey, "HASH"],
      [rangeKey, "RANGE"],
    ] as const
  ).flatMap(([key, KeyType]) => (isObject(key) ? [{ AttributeName: String(key["name"]), KeyType }] : []));
}

export function throughputInput(units: Json | undefined): dynamodb.ProvisionedThroughput | undefined {
  if (!isObject(units)) return undefined;
  return {
    ReadCapacityUnits: Number(units["readCapacityUnits"]),
    WriteCapacityUnits: Number(units["writeCapacityUnits"]),
  };
}

/** Ceilings of something new: AWS refuses to take away what was never there. */
export function newCeilings(most: Json | undefined): dynamodb.OnDemandThroughput | undefined {
  if (!isObject(most)) return undefined;
  const { maxReadRequestUnits: read, maxWriteRequestUnits: write } = most;
  return {
    ...(read !== undefined && { MaxReadRequestUnits: Number(read) }),
    ...(write !== undefined && { MaxWriteRequestUnits: Number(write) }),
  };
}

/** Ceilings of what is there: those that are not wanted are taken away. */
export function ceilingsInput(most: Json | undefined): dynamodb.OnDemandThroughput {
  const { maxReadRequestUnits: read = -1, maxWriteRequestUnits: write = -1 } = isObject(most) ? most : {};
  return { MaxReadRequestUnits: Number(read), MaxWriteRequestUnits: Number(write) };
}

function listed(value: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(value) ? value : []).filter(isObject);
}

function shapeIn(wish: JsonObject): JsonObject {
  const { indexName: _, provisionedThroughput: __, onDemandThroughput: ___, ...shape } = wish;
  return shape;
}

function projectionInput({ projectionType, nonKeyAttributes }: JsonObject): dynamodb.Projection {
  return {
    ProjectionType: String(projectionType),
    ...(Array.isArray(nonKeyAttributes) && { NonKeyAttributes: nonKeyAttributes.map(String) }),
  };
}

function projectionOf({ projectionType, nonKeyAttributes }: Projected): dynamodb.Projection {
  return { ProjectionType: projectionType, ...(nonKeyAttributes && { NonKeyAttributes: nonKeyAttributes }) };
}

function ceilings(most: NonNullable<Spec["globalSecondaryIndexes"]>[number]["onDemandThroughput"]) {
  const { maxReadRequestUnits: read, maxWriteRequestUnits: write } = most ?? {};
  if (read === undefined && write === undefined) return undefined;
  return {
    onDemandThroughput: {
      ...(read !== undefined && { maxReadRequestUnits: read }),
      ...(write !== undefined && { maxWriteRequestUnits: write }),
    },
  };
}

function keyOf(name: string | undefined, types: ReadonlyMap<string, string>): JsonObject | undefined {
  return name === undefined ? undefined : { name, type: types.get(name) ?? "" };
}
