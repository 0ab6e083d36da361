import { AwsCallError, isAbsent } from "@gatewright/aws";
import type { dynamodb } from "@gatewright/aws";
import { isObject } from "@gatewright/kube";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { DynamoDBTable } from "@gatewright/resources";
import type { AwsKind, Change, Creation, Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { viewWanted } from "./fields.ts";
import { definitionsOf, indexInput, keysInput, localIndexInput, newCeilings, throughputInput } from "./indexes.ts";
import type { Table } from "./table.ts";
import { updatesOf } from "./updates.ts";

/**
 * Makes a table with all that creation takes; the rest follows as a change. One of this name that is there already is whoever's it is:
 * its tags say so.
 */
export async function createTable(
  { aws, signal }: Ground,
  { object, wanted, tags }: Creation<DynamoDBTable>,
): Promise<string> {
  const { tableName: TableName } = object.spec;
  try {
    await aws.dynamodb.createTable({ TableName, ...creationInput(wanted), Tags: tagList(tags) }, { signal });
  } catch (error) {
    if (!isCode(error, "ResourceInUseException")) throw error;
  }
  return TableName;
}

function creationInput(wanted: ReadonlyMap<string, Json>): Omit<dynamodb.CreateTableInput, "TableName"> {
  const keys = { hashKey: wanted.get("hashKey") ?? {}, rangeKey: wanted.get("rangeKey") ?? null };
  const indexes = objects(wanted.get("globalSecondaryIndexes"));
  const locals = objects(wanted.get("localSecondaryIndexes"));
  const units = throughputInput(wanted.get("provisionedThroughput"));
  const most = newCeilings(wanted.get("onDemandThroughput"));
  const [{ AttributeName: hashKey } = { AttributeName: "" }] = keysInput(keys);
  const key = wanted.get("serverSideEncryption.kmsMasterKeyId");
  return {
    KeySchema: keysInput(keys),
    AttributeDefinitions: definitionsOf([keys, ...locals, ...indexes]),
    BillingMode: String(wanted.get("billingMode") ?? "PAY_PER_REQUEST"),
    ...(units && { ProvisionedThroughput: units }),
    ...(most && { OnDemandThroughput: most }),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes.map(indexInput) }),
    ...(locals.length > 0 && { LocalSecondaryIndexes: locals.map((index) => localIndexInput(index, hashKey)) }),
    ...(wanted.get("streamEnabled") === true && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: viewWanted(wanted) },
    }),
    ...(wanted.get("serverSideEncryption.enabled") === true && {
      SSESpecification: { Enabled: true, SSEType: "KMS", ...(key !== undefined && { KMSMasterKeyId: String(key) }) },
    }),
    ...(wanted.has("tableClass") && { TableClass: String(wanted.get("tableClass")) }),
    DeletionProtectionEnabled: wanted.get("deletionProtection") === true,
  };
}

/** Until AWS, which has just made a table, can keep what recovery needs. */
const RECOVERY_MS = 5_000;

/**
 * Writes what differs; of what makes AWS work on the table one thing, and the rest when it is done. What AWS does not take now keeps
 * nothing else from being written.
 */
export async function changeTable(
  ground: Ground,
  table: Table,
  change: Change<DynamoDBTable>,
): Promise<Obstacle | "partly" | void> {
  const { fields } = change;
  const recovers = fields.has("pointInTimeRecovery") || fields.has("recoveryPeriodInDays");
  const unready = recovers ? await changeRecovery(ground, table, change) : undefined;
  const early = fields.has("timeToLive") ? await changeTimeToLive(ground, table, fields.get("timeToLive")) : undefined;
  let late = unready ?? early;
  const parts = updatesOf(table, change);
  for (const [index, part] of parts.entries()) {
    const refused = await update(ground, { TableName: table.name, ...part });
    if (refused === "partly") return "partly";
    late ??= refused;
    if (refused !== undefined) continue;
    const follows = index + 1 < parts.length || "StreamSpecification" in part || isOnline(part);
    return follows ? "partly" : late;
  }
  return late;
}

async function changeRecovery(
  { aws, signal }: Ground,
  { name: TableName }: Table,
  change: Change<DynamoDBTable>,
): Promise<Obstacle | undefined> {
  const PointInTimeRecoverySpecification = recoveryInput(change);
  try {
    await aws.dynamodb.updateContinuousBackups({ TableName, PointInTimeRecoverySpecification }, { signal });
  } catch (error) {
    if (!isCode(error, "ContinuousBackupsUnavailableException")) throw error;
    const message = `AWS is still getting ${TableName} ready for recovery to a point in time`;
    return { reason: "NotNow", message, afterMs: RECOVERY_MS };
  }
  return undefined;
}

/** Whether an index is being made or removed: then others may have to follow. */
function isOnline({
  GlobalSecondaryIndexUpdates: updates = [],
}: Pick<dynamodb.UpdateTableInput, "GlobalSecondaryIndexUpdates">): boolean {
  return updates.some(({ Update }) => Update === undefined);
}

async function update(
  { aws, signal }: Ground,
  input: dynamodb.UpdateTableInput,
): Promise<Obstacle | "partly" | undefined> {
  try {
    await aws.dynamodb.updateTable(input, { signal });
    return undefined;
  } catch (error) {
    // What was read was behind: AWS works on the table, and the next read will say so.
    if (isCode(error, "ResourceInUseException")) return "partly";
    if (!isCode(error, "LimitExceededException")) throw error;
    return { reason: "NotNow", message: `AWS lets ${input.TableName} be changed so only so often: ${error.said}` };
  }
}

/** One attribute is ended before another begins, and AWS takes one such change an hour. */
async function changeTimeToLive(
  { aws, signal }: Ground,
  { name: TableName, timeToLive: has }: Table,
  want: Json | undefined,
): Promise<Obstacle | undefined> {
  const isOn = has?.["enabled"] === true;
  const wish = isObject(want) && want["enabled"] === true && !isOn ? want : undefined;
  const AttributeName = String((wish ?? has)?.["attributeName"] ?? "");
  try {
    await aws.dynamodb.updateTimeToLive(
      { TableName, TimeToLiveSpecification: { Enabled: wish !== undefined, AttributeName } },
      { signal },
    );
  } catch (error) {
    if (isCode(error, "ResourceInUseException")) return undefined;
    if (!isCode(error, "ValidationException") || !/modified multiple times/.test(error.said)) throw error;
    return {
      reason: "NotNow",
      message: `timeToLive of ${TableName} was changed within the last hour: AWS takes one change an hour`,
    };
  }
  return undefined;
}

function recoveryInput({ fields, wanted }: Change<DynamoDBTable>): dynamodb.PointInTimeRecoverySpecification {
  const on = fields.has("pointInTimeRecovery") ? fields.get("pointInTimeRecovery") : wanted.get("pointInTimeRecovery");
  const days = fields.get("recoveryPeriodInDays") ?? wanted.get("recoveryPeriodInDays");
  return {
    PointInTimeRecoveryEnabled: on === true,
    ...(on === true && days !== undefined && { RecoveryPeriodInDays: Number(days) }),
  };
}

/** What goes is taken away first: together they might be more than a table can have. */
export const tagTable: AwsKind<DynamoDBTable, Table>["tag"] = async (
  { aws, signal },
  { arn: ResourceArn },
  { set, remove },
) => {
  const Tags = tagList(set);
  if (remove.length > 0) await aws.dynamodb.untagResource({ ResourceArn, TagKeys: remove }, { signal });
  if (Tags.length > 0) await aws.dynamodb.tagResource({ ResourceArn, Tags }, { signal });
};

/** Deletes a table with its items. Protection that the spec says off is lifted first, which AWS takes a while for. */
export async function removeTable(
  { aws, signal }: Ground,
  { name: TableName, isProtected }: Table,
  { spec }: Immutable<DynamoDBTable>,
): Promise<Obstacle | undefined> {
  if (isProtected && spec.deletionProtection !== false) {
    return {
      reason: "DeletionProtected",
      message: `${TableName} is protected against deletion: set deletionProtection: false to delete it, or deletionPolicy Retain to keep it`,
    };
  }
  try {
    if (isProtected) await aws.dynamodb.updateTable({ TableName, DeletionProtectionEnabled: false }, { signal });
    else await aws.dynamodb.deleteTable({ TableName }, { signal });
  } catch (error) {
    // AWS works on it, or on its end: it is asked again after the next look.
    if (!isAbsent(error) && !isCode(error, "ResourceInUseException")) throw error;
  }
  return undefined;
}

function isCode(error: unknown, code: string): error is AwsCallError {
  return error instanceof AwsCallError && error.code === code;
}

function objects(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function tagList(tags: Readonly<Record<string, string>>): dynamodb.Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}
