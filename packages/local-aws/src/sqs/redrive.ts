import { isFifoName, queueArn, readArn } from "./queue-names.ts";
import type { Place, QueueRecord } from "./records.ts";
import { invalidParameter } from "./refusals.ts";

/** Where messages go that nobody could handle, and after how many receives. */
export interface RedrivePolicy {
  readonly target: string;
  readonly most: number;
}

const DEFAULT_RECEIVES = 10;
const MOST_RECEIVES = 1_000;
const MOST_SOURCES = 10;

/** The policy that a text says. Throws when it says none. */
export function readRedrivePolicy(text: string): RedrivePolicy {
  const { deadLetterTargetArn: target, maxReceiveCount = DEFAULT_RECEIVES } = JSON.parse(text) as Readonly<
    Record<string, unknown>
  >;
  const most = Number(maxReceiveCount);
  const fault =
    typeof target !== "string" || readArn(target) === undefined
      ? "Redrive policy does not contain a valid deadLetterTargetArn"
      : !Number.isInteger(most) || most < 1 || most > MOST_RECEIVES
        ? `Invalid value for maxReceiveCount: ${String(maxReceiveCount).slice(0, 32)}, valid values are from 1 to ${MOST_RECEIVES} both inclusive.`
        : undefined;
  if (fault !== undefined) throw refused("RedrivePolicy", text, fault);
  return { target: target as string, most };
}

/** As AWS gives the policy back. */
export function redrivePolicyText({ target, most }: RedrivePolicy): string {
  return JSON.stringify({ deadLetterTargetArn: target, maxReceiveCount: most });
}

/** Refuses a policy whose target is not there, is of another kind or place, or does not want the queue's messages. */
export function checkTarget(
  policy: RedrivePolicy,
  place: Place,
  name: string,
  find: (name: string) => QueueRecord | undefined,
): void {
  const text = redrivePolicyText(policy);
  const arn = readArn(policy.target);
  const target = arn?.account === place.account && arn.region === place.region ? find(arn.name) : undefined;
  if (target === undefined) throw refused("RedrivePolicy", text, "Dead letter target does not exist.");
  if (isFifoName(target.name) !== isFifoName(name)) {
    throw refused("RedrivePolicy", text, "Dead-letter queue must be same type of queue as the source.");
  }
  if (!allows(target, queueArn(place, name))) {
    throw refused("RedrivePolicy", text, "Queue does not have permissions to use the specified dead letter queue.");
  }
}

/** Refuses a text that says no policy on who may send failed messages here. */
export function checkAllowPolicy(text: string): void {
  const { redrivePermission, sourceQueueArns } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const permissions: readonly unknown[] = ["allowAll", "denyAll", "byQueue"];
  if (!permissions.includes(redrivePermission)) throw refused("RedriveAllowPolicy", text, "Invalid redrivePermission.");
  const arns: readonly unknown[] = Array.isArray(sourceQueueArns) ? sourceQueueArns : [];
  const right =
    redrivePermission === "byQueue" ? arns.length > 0 && arns.length <= MOST_SOURCES : sourceQueueArns === undefined;
  if (!right || !arns.every((arn) => typeof arn === "string")) {
    throw refused("RedriveAllowPolicy", text, "Invalid sourceQueueArns.");
  }
}

function allows({ attributes }: QueueRecord, source: string): boolean {
  const text = new Map(attributes).get("RedriveAllowPolicy");
  if (text === undefined) return true;
  const { redrivePermission, sourceQueueArns } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (redrivePermission === "byQueue") return Array.isArray(sourceQueueArns) && sourceQueueArns.includes(source);
  return redrivePermission !== "denyAll";
}

function refused(name: string, value: string, reason: string): Error {
  return invalidParameter(`Value ${value.slice(0, 512)} for parameter ${name} is invalid. Reason: ${reason}`);
}
