import { isAbsent } from "@gatewright/aws";
import type { JsonObject } from "@gatewright/kube";
import type { Ground } from "../../engine/session.ts";
import { tableOf } from "./table.ts";
import type { Table } from "./table.ts";

const LONGEST_RECOVERY = 35;

/** Reads a table; its recovery and what ends its items where the spec has or had that, for a call each. */
export async function readTable(
  ground: Ground,
  name: string,
  declared: ReadonlySet<string>,
): Promise<Table | "absent"> {
  const { aws, signal } = ground;
  const told = await described(ground, name);
  if (told === undefined) return "absent";
  const recovers = declared.has("pointInTimeRecovery") || declared.has("recoveryPeriodInDays");
  const { ContinuousBackupsDescription: backups } = recovers
    ? await aws.dynamodb.describeContinuousBackups({ TableName: name }, { signal })
    : {};
  const { TimeToLiveDescription: ending } = declared.has("timeToLive")
    ? await aws.dynamodb.describeTimeToLive({ TableName: name }, { signal })
    : {};
  const recovery = backups?.PointInTimeRecoveryDescription;
  return tableOf(told, {
    tags: await tagsOf(ground, told.TableArn ?? ""),
    recoveryDays:
      recovery === undefined
        ? undefined
        : recovery.PointInTimeRecoveryStatus === "ENABLED"
          ? (recovery.RecoveryPeriodInDays ?? LONGEST_RECOVERY)
          : 0,
    timeToLive: ending && endingOf(ending.TimeToLiveStatus, ending.AttributeName),
  });
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
  for (let NextToken: string | undefined; ;) {
    const page = await aws.dynamodb.listTagsOfResource({ ResourceArn, NextToken }, { signal });
    for (const { Key, Value } of page.Tags ?? []) tags.set(Key, Value);
    NextToken = page.NextToken;
    if (NextToken === undefined || NextToken === "") return Object.fromEntries(tags);
  }
}

/** What is being put on is on, and what is being put off is off. */
function endingOf(status: string | undefined, attributeName: string | undefined): JsonObject {
  return status === "ENABLED" || status === "ENABLING"
    ? { enabled: true, attributeName: attributeName ?? "" }
    : { enabled: false };
}
