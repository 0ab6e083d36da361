import type { ContinuousBackupsDescription, Operations } from "@gatewright/aws-wire/types/dynamodb";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { tableName } from "./arn.ts";
import { DURATIONS, statusAt } from "./life.ts";
import type { TableRecord } from "./records.ts";
import { invalid, untoldWhile } from "./refusals.ts";
import type { DynamoStore } from "./store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DEFAULT_DAYS = 35;
/** For how long a new table is not known to what keeps backups. */
const BACKUP_LAG = 3_000;
/** Recovery reaches up to a few minutes ago. */
const RECOVERY_DELAY = 5 * 60_000;

/** Items that end by themselves, and recovery to a point in time. */
export function featureOperations({ clock, pace }: AwsWorld, store: DynamoStore): Handlers<Operations> {
  const put = (table: TableRecord): Promise<void> => store.commit((commit) => store.put(commit, table));
  /** Operations on backups have a word of their own for tables that are not there. */
  const backedUp = ({ account, region }: CallContext, given: string): TableRecord => {
    const found = store.find({ account, region }, tableName(given));
    const known = found !== undefined && clock.now() >= found.createdAt + BACKUP_LAG * pace.durations;
    if (!known || statusAt(found, clock.now()) === "DELETING") {
      throw new AwsError("TableNotFoundException", `Table not found: ${tableName(given)}`);
    }
    return found;
  };
  return {
    DescribeTimeToLive: ({ TableName }, context) => {
      const table = store.table(context, TableName);
      const status = statusAt(table, clock.now());
      if (status === "CREATING" || status === "DELETING") throw untoldWhile(status);
      return { TimeToLiveDescription: timeToLiveTold(table.timeToLive) };
    },
    UpdateTimeToLive: async ({ TableName, TimeToLiveSpecification: given }, context) => {
      const table = store.activeTable(context, TableName);
      const before = table.timeToLive;
      const isOn = before?.enabled === true;
      if (given.Enabled === isOn) throw invalid(`TimeToLive is already ${isOn ? "enabled" : "disabled"}`);
      if (before !== undefined && clock.now() < before.at + HOUR * pace.durations) {
        throw invalid("Time to live has been modified multiple times within a fixed interval");
      }
      if (isOn && given.AttributeName !== before.attribute) {
        throw invalid(
          "TimeToLive is active on a different AttributeName: current AttributeName is " + before.attribute,
        );
      }
      await put({
        ...table,
        timeToLive: { attribute: given.AttributeName, enabled: given.Enabled, at: clock.now() },
      });
      return { TimeToLiveSpecification: given };
    },
    DescribeContinuousBackups: ({ TableName }, context) => ({
      ContinuousBackupsDescription: recoveryTold(backedUp(context, TableName)),
    }),
    UpdateContinuousBackups: async ({ TableName, PointInTimeRecoverySpecification: given }, context) => {
      const table = backedUp(context, TableName);
      const { creating, backups } = DURATIONS;
      if (clock.now() < table.createdAt + (creating + backups) * pace.durations) {
        throw new AwsError(
          "ContinuousBackupsUnavailableException",
          `Backups are being enabled for the table: ${table.name}. Please retry later`,
        );
      }
      const { PointInTimeRecoveryEnabled: on, RecoveryPeriodInDays: days } = given;
      if (!on && days !== undefined) {
        throw invalid("RecoveryPeriodInDays can only be specified when PointInTimeRecoveryEnabled is true");
      }
      const { recovery, ...rest } = table;
      const next = on
        ? { ...rest, recovery: { days: days ?? recovery?.days ?? DEFAULT_DAYS, since: recovery?.since ?? clock.now() } }
        : rest;
      await put(next);
      return { ContinuousBackupsDescription: recoveryTold(next) };
    },
  };

  function timeToLiveTold(timeToLive: TableRecord["timeToLive"]) {
    if (timeToLive === undefined) return { TimeToLiveStatus: "DISABLED" };
    const { attribute, enabled, at } = timeToLive;
    const settling = clock.now() < at + DURATIONS.timeToLive * pace.durations;
    if (enabled) return { TimeToLiveStatus: settling ? "ENABLING" : "ENABLED", AttributeName: attribute };
    return settling ? { TimeToLiveStatus: "DISABLING", AttributeName: attribute } : { TimeToLiveStatus: "DISABLED" };
  }

  function recoveryTold({ recovery }: TableRecord): ContinuousBackupsDescription {
    if (recovery === undefined) {
      return {
        ContinuousBackupsStatus: "ENABLED",
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
      };
    }
    const now = clock.now();
    const earliest = Math.max(recovery.since, now - recovery.days * DAY);
    return {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: "ENABLED",
        RecoveryPeriodInDays: recovery.days,
        EarliestRestorableDateTime: earliest,
        LatestRestorableDateTime: Math.max(earliest, now - RECOVERY_DELAY),
      },
    };
  }
}
