import type { CreateDBInstanceMessage, ModifyDBInstanceMessage } from "@gatewright/aws-wire/types/rds";
import type { Place } from "./rds-store.ts";
import type { InstanceFacts } from "./records.ts";
import { kmsKeyArn } from "../kms-key.ts";
import { invalidCombination } from "./refusals.ts";

/** What is told of how an instance is watched. */
type Watching = Pick<
  InstanceFacts,
  | "MonitoringInterval"
  | "MonitoringRoleArn"
  | "PerformanceInsightsEnabled"
  | "PerformanceInsightsKMSKeyId"
  | "PerformanceInsightsRetentionPeriod"
  | "DatabaseInsightsMode"
>;

const ADVANCED_DAYS = 465;

/** Enhanced monitoring and Performance Insights as a request wants them, over what was. What is off is forgotten. */
export function watchingOf(
  input: CreateDBInstanceMessage | ModifyDBInstanceMessage,
  place: Place,
  before: Watching = {},
): Watching {
  const interval = input.MonitoringInterval ?? before.MonitoringInterval ?? 0;
  const role = input.MonitoringRoleArn ?? before.MonitoringRoleArn;
  if (interval > 0 && role === undefined) {
    throw invalidCombination(
      "A MonitoringRoleARN value is required if you specify a MonitoringInterval value other than 0.",
    );
  }
  if (interval === 0 && input.MonitoringRoleArn !== undefined) {
    throw invalidCombination("You must specify a MonitoringInterval other than 0 with a MonitoringRoleARN value.");
  }
  const enabled = input.EnablePerformanceInsights ?? before.PerformanceInsightsEnabled ?? false;
  const days = input.PerformanceInsightsRetentionPeriod ?? before.PerformanceInsightsRetentionPeriod ?? 7;
  const mode = input.DatabaseInsightsMode ?? before.DatabaseInsightsMode ?? "standard";
  if (!enabled && input.PerformanceInsightsRetentionPeriod !== undefined) {
    throw invalidCombination("PerformanceInsightsRetentionPeriod is only valid with Performance Insights enabled.");
  }
  if (mode === "advanced" && (!enabled || days < ADVANCED_DAYS)) {
    throw invalidCombination(
      "To enable the Advanced mode of Database Insights, enable Performance Insights and set its retention period to at least 465 days.",
    );
  }
  return {
    MonitoringInterval: interval,
    MonitoringRoleArn: interval > 0 ? role : undefined,
    PerformanceInsightsEnabled: enabled,
    PerformanceInsightsKMSKeyId: enabled
      ? (before.PerformanceInsightsKMSKeyId ?? kmsKeyArn(place, input.PerformanceInsightsKMSKeyId ?? "aws-rds"))
      : undefined,
    PerformanceInsightsRetentionPeriod: enabled ? days : undefined,
    DatabaseInsightsMode: mode,
  };
}
