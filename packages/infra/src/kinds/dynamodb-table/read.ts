import { AwsCallError, byNextToken, everyPage, isAbsent } from "@gatewright/aws";
import type { JsonObject } from "@gatewright/kube";
import { atWork } from "../../engine/at-work.ts";
import type { Ground } from "../../engine/session.ts";
import { tableOf } from "./table.ts";
import type { Table } from "./table.ts";

const LONGEST_RECOVERY = 35;
/** While a table comes or goes AWS tells that it is there, and nothing else: not its tags, so not whose it is. */
const UNTOLD: ReadonlyMap<string | undefined, string> = new Map([
  ["CREATING", "is being created"],
  ["DELETING", "is being deleted"],
]);

/** Reads a table; its recovery and what ends its items where the spec has or had that, for a call each. */
export async function readTable(
  ground: Ground,
  name: string,
  declared: ReadonlySet<string>,
): Promise<Table | "absent"> {
  const told = await described(ground, name);
  if (told === undefined) return "absent";
  const untold = UNTOLD.get(told.TableStatus);
  if (untold !== undefined) throw atWork("dynamodb", "DescribeTable", `${name} ${untold}`);
  try {
    return tableOf(told, await readMore(ground, name, told.TableArn ?? "", declared));
  } catch (error) {
    if (isBehind(error)) throw atWork("dynamodb", "DescribeTable", `AWS does not tell all of ${name} yet`);
    throw error;
  }
}

/** Whether the table came or goes just now, and what was told of it before was behind. */
function isBehind(error: unknown): boolean {
  return isAbsent(error) || (error instanceof AwsCallError && /while table is in \w+ state/.test(error.said));
}

/** What AWS tells by calls of their own. */
async function readMore(
  ground: Ground,
  name: string,
  arn: string,
  declared: ReadonlySet<string>,
): Promise<Pick<Table, "tags" | "recoveryDays" | "timeToLive">> {
  const { aws, signal } = ground;
  const recovers = declared.has("pointInTimeRecovery") || declared.has("recoveryPeriodInDays");
  const { ContinuousBackupsDescription: backups } = recovers
    ? await aws.dynamodb.describeContinuousBackups({ TableName: name }, { signal })
    : {};
  const { TimeToLiveDescription: ending } = declared.has("timeToLive")
    ? await aws.dynamodb.describeTimeToLive({ TableName: name }, { signal })
    : {};
  const recovery = backups?.PointInTimeRecoveryDescription;
  return {
    tags: await tagsOf(ground, arn),
    recoveryDays:
      recovery === undefined
        ? undefined
        : recovery.PointInTimeRecoveryStatus === "ENABLED"
          ? (recovery.RecoveryPeriodInDays ?? LONGEST_RECOVERY)
          : 0,
    timeToLive: ending && endingOf(ending.TimeToLiveStatus, ending.AttributeName),
  };
}

async function described({ aws, signal }: Ground, TableName: string) {
  try {
    const { Table: told } = await aws.dynamodb.describeTable({ TableName }, { signal });
    // An answer without a table is no answer of AWS's; it is not taken for absence.
    if (told === undefined) throw new Error(`DynamoDB told nothing of ${TableName}`);
    return told;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function tagsOf({ aws, signal }: Ground, ResourceArn: string): Promise<Readonly<Record<string, string>>> {
  const tags = new Map<string, string>();
  const listing = byNextToken(aws.dynamodb.listTagsOfResource);
  for await (const page of everyPage(listing, { ResourceArn }, { signal })) {
    for (const { Key, Value } of page.Tags ?? []) tags.set(Key, Value);
  }
  return Object.fromEntries(tags);
}

/** What is being put on is on, and what is being put off is off. */
function endingOf(status: string | undefined, attributeName: string | undefined): JsonObject {
  return status === "ENABLED" || status === "ENABLING"
    ? { enabled: true, attributeName: attributeName ?? "" }
    : { enabled: false };
}
