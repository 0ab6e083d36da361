import type { RotationRules, SecretRecord } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RATE = /^rate\((\d{1,4}) (hours?|days?)\)$/;

/** Refuses rules that say too much, or what is no schedule. */
export function checkRules(rules: RotationRules): void {
  const { AutomaticallyAfterDays: days, ScheduleExpression: schedule, Duration: duration } = rules;
  if (days !== undefined && schedule !== undefined) {
    throw invalidParameter("You can't specify both AutomaticallyAfterDays and ScheduleExpression.");
  }
  if (duration !== undefined && !/^[1-9][0-9]?h$/.test(duration)) {
    throw invalidParameter(`Duration ${duration} is not a number of hours such as 3h.`);
  }
  if (schedule === undefined) return;
  const rate = RATE.exec(schedule);
  if (rate === null && !/^cron\(\S+( \S+){5}\)$/.test(schedule)) {
    throw invalidParameter(`ScheduleExpression ${schedule} is neither a rate() nor a cron() expression.`);
  }
  if (rate !== null && rateMs(rate) < 4 * HOUR) {
    throw invalidParameter("A secret can be rotated every four hours at most.");
  }
}

/** When a secret would be rotated next; of a cron() schedule nothing is told here. */
export function nextRotation({ rotation, changedAt }: SecretRecord): number | undefined {
  const { AutomaticallyAfterDays: days, ScheduleExpression: schedule = "" } = rotation?.rules ?? {};
  if (days !== undefined) return changedAt + days * DAY;
  const rate = RATE.exec(schedule);
  return rate === null ? undefined : changedAt + rateMs(rate);
}

function rateMs([, count = "", unit = ""]: RegExpExecArray): number {
  return Number(count) * (unit.startsWith("hour") ? HOUR : DAY);
}
