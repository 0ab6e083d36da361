import type { dynamodb } from "@gatewright/aws";
import type { JsonObject } from "@gatewright/kube";

/** What is read of a table, in the form of the spec. */
export interface Table {
  readonly name: string;
  readonly arn: string;
  readonly status: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly items: number;
  readonly bytes: number;
  readonly streamArn: string | undefined;
  readonly hashKey: JsonObject;
  readonly rangeKey: JsonObject | undefined;
  readonly billingMode: string;
  readonly throughput: JsonObject | undefined;
  readonly onDemand: JsonObject | undefined;
  readonly indexes: readonly SeenIndex[];
  readonly localIndexes: readonly JsonObject[];
  readonly streamViewType: string | undefined;
  /** ARN of the key of KMS, where there is one. */
  readonly key: string | undefined;
  /** ENABLING, UPDATING or DISABLING while AWS changes the key: the table is ACTIVE, and told with the one before. */
  readonly encrypting: string | undefined;
  readonly tableClass: string;
  readonly isProtected: boolean;
  /** Read where the spec has or had it; days while it is on, 0 when it is off. */
  readonly recoveryDays: number | undefined;
  /** Read where the spec has or had it. */
  readonly timeToLive: JsonObject | undefined;
}

/** An index over the whole table. Its keys have their types, so that another type is another index. */
export interface SeenIndex {
  readonly name: string;
  readonly status: string;
  /** All that cannot be changed. */
  readonly shape: JsonObject;
  readonly throughput: JsonObject | undefined;
  readonly onDemand: JsonObject | undefined;
}

const ENCRYPTING: ReadonlySet<string> = new Set(["ENABLING", "UPDATING", "DISABLING"]);

/** What is kept of AWS's answers. */
export function tableOf(
  told: dynamodb.TableDescription,
  more: Pick<Table, "tags" | "recoveryDays" | "timeToLive">,
): Table {
  const typeOf = new Map((told.AttributeDefinitions ?? []).map((each) => [each.AttributeName, each.AttributeType]));
  const key = (keys: readonly dynamodb.KeySchemaElement[] | undefined, type: "HASH" | "RANGE") => {
    const name = keys?.find(({ KeyType }) => KeyType === type)?.AttributeName;
    return name === undefined ? undefined : { name, type: typeOf.get(name) ?? "" };
  };
  const billingMode = told.BillingModeSummary?.BillingMode ?? "PROVISIONED";
  const rangeKey = key(told.KeySchema, "RANGE");
  return {
    ...more,
    name: told.TableName ?? "",
    arn: told.TableArn ?? "",
    status: told.TableStatus ?? "",
    items: told.ItemCount ?? 0,
    bytes: told.TableSizeBytes ?? 0,
    streamArn: told.StreamSpecification?.StreamEnabled === true ? told.LatestStreamArn : undefined,
    hashKey: key(told.KeySchema, "HASH") ?? {},
    rangeKey,
    billingMode,
    throughput: billingMode === "PROVISIONED" ? throughputOf(told.ProvisionedThroughput) : undefined,
    onDemand: onDemandOf(told.OnDemandThroughput),
    indexes: (told.GlobalSecondaryIndexes ?? []).map((index) => {
      const range = key(index.KeySchema, "RANGE");
      return {
        name: index.IndexName ?? "",
        status: index.IndexStatus ?? "ACTIVE",
        shape: indexShape(key(index.KeySchema, "HASH"), range, index.Projection),
        throughput: billingMode === "PROVISIONED" ? throughputOf(index.ProvisionedThroughput) : undefined,
        onDemand: onDemandOf(index.OnDemandThroughput),
      };
    }),
    localIndexes: (told.LocalSecondaryIndexes ?? [])
      .map((index) => ({
        indexName: index.IndexName ?? "",
        ...indexShape(undefined, key(index.KeySchema, "RANGE"), index.Projection),
      }))
      .toSorted((one, other) => (one.indexName < other.indexName ? -1 : 1)),
    streamViewType:
      told.StreamSpecification?.StreamEnabled === true ? told.StreamSpecification.StreamViewType : undefined,
    key: told.SSEDescription?.Status === "DISABLED" ? undefined : told.SSEDescription?.KMSMasterKeyArn,
    encrypting: ENCRYPTING.has(told.SSEDescription?.Status ?? "") ? told.SSEDescription?.Status : undefined,
    tableClass: told.TableClassSummary?.TableClass ?? "STANDARD",
    isProtected: told.DeletionProtectionEnabled === true,
  };
}

/** Of an index what cannot be changed: keys with types, and what it has of items. */
export function indexShape(
  hashKey: JsonObject | undefined,
  rangeKey: JsonObject | undefined,
  projection: dynamodb.Projection | undefined,
): JsonObject {
  const { ProjectionType: projectionType = "ALL", NonKeyAttributes: others } = projection ?? {};
  return {
    ...(hashKey && { hashKey }),
    ...(rangeKey && { rangeKey }),
    projectionType,
    ...(others && others.length > 0 && { nonKeyAttributes: [...others].sort() }),
  };
}

function throughputOf(told: dynamodb.ProvisionedThroughputDescription | undefined): JsonObject {
  return { readCapacityUnits: told?.ReadCapacityUnits ?? 0, writeCapacityUnits: told?.WriteCapacityUnits ?? 0 };
}

/** Ceilings that there are; -1 is none. */
function onDemandOf(told: dynamodb.OnDemandThroughput | undefined): JsonObject | undefined {
  const { MaxReadRequestUnits: read = -1, MaxWriteRequestUnits: write = -1 } = told ?? {};
  if (read < 0 && write < 0) return undefined;
  return { ...(read >= 0 && { maxReadRequestUnits: read }), ...(write >= 0 && { maxWriteRequestUnits: write }) };
}
