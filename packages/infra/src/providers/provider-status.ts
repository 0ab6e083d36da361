import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import { removeCondition, setCondition } from "@gatewright/runtime";
import type { Condition } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import type { Known } from "./provider-book.ts";
import type { User } from "./users.ts";

type Status = NonNullable<Immutable<AWSProvider>["status"]>;

/** Condition: resources of users are elsewhere. */
export const ACCOUNT_CHANGED = "AccountChanged";
/** Condition: it is being deleted, and users hold it. */
export const IN_USE = "InUse";
/** Users that are named; there may be thousands. */
const MOST_NAMED = 20;
/** Checks in a row without an answer before it is told: AWS has bad moments, and users of a session notice by themselves. */
const SILENT_CHECKS = 3;

/**
 * The status of a provider. Pure. `lastAuthenticationTime` moves only when something else does, so that checks which find all as it was
 * write nothing. What AWS last said stays there while it says nothing.
 */
export function statusOf(provider: Immutable<AWSProvider>, known: Known, users: readonly User[], now: number): Status {
  const before = provider.status;
  const observedGeneration = provider.metadata.generation ?? 0;
  const ready = readyOf(provider, known);
  let conditions = setCondition(before?.conditions, { ...ready, observedGeneration }, now);
  const set = (type: string, fact: Omit<Condition, "type" | "lastTransitionTime"> | undefined): void => {
    conditions =
      fact === undefined ? removeCondition(conditions, type) : setCondition(conditions, { ...fact, type }, now);
  };
  set(ACCOUNT_CHANGED, elsewhereFact(provider, known, users));
  const deleting = provider.metadata.deletionTimestamp !== undefined;
  set(IN_USE, deleting ? inUseFact(users) : undefined);

  const isReady = ready.status === "True";
  const { account, arn } = known.session?.identity ?? {};
  const accountID = account ?? before?.accountID;
  const callerIdentity = arn ?? before?.callerIdentity;
  const version = known.session === undefined ? before?.credentialsVersion : known.version;
  const same =
    before?.ready === isReady &&
    before.accountID === accountID &&
    before.callerIdentity === callerIdentity &&
    (before.credentialsVersion ?? "") === (version ?? "");
  const lastAuthenticationTime = isReady && !same ? formatTime(now) : before?.lastAuthenticationTime;
  return {
    observedGeneration,
    ready: isReady,
    ...(lastAuthenticationTime !== undefined && { lastAuthenticationTime }),
    ...(accountID !== undefined && { accountID }),
    ...(callerIdentity !== undefined && { callerIdentity }),
    ...(version !== undefined && version !== "" && { credentialsVersion: version }),
    ...(deleting && users.length > 0 && { usedBy: users.slice(0, MOST_NAMED).map(({ name }) => name) }),
    conditions,
  };
}

function readyOf(provider: Immutable<AWSProvider>, known: Known): Omit<Condition, "lastTransitionTime"> {
  const { session, trouble, failures } = known;
  if (session !== undefined && (trouble === undefined || failures < SILENT_CHECKS)) {
    const { account, arn } = session.identity;
    const message = `${arn} in account ${account}, region ${provider.spec.region}.`;
    return { type: "Ready", status: "True", reason: REASONS.Authenticated.reason, message };
  }
  const { reason, message } = trouble ?? { reason: REASONS.Unreachable, message: "AWS was not asked yet." };
  const status = session === undefined ? "False" : "Unknown";
  const told = reason.remedy === "" ? message : `${message} ${reason.remedy}`;
  return { type: "Ready", status, reason: reason.reason, message: told };
}

/** Users whose resources are not where the provider leads now. They are left alone until somebody decides. */
function elsewhereFact(
  provider: Immutable<AWSProvider>,
  { session }: Known,
  users: readonly User[],
): Omit<Condition, "type" | "lastTransitionTime"> | undefined {
  if (session === undefined) return undefined;
  const { account } = session.identity;
  const { region } = provider.spec;
  const elsewhere = users.filter(
    (user) =>
      (user.account ?? account) !== account || (user.account !== undefined && (user.region ?? region) !== region),
  );
  const [first] = elsewhere;
  if (first === undefined) return undefined;
  const { reason, remedy } = REASONS.AccountChanged;
  const where = `account ${first.account ?? account}, region ${first.region ?? region}`;
  const message = `Resources of ${named(elsewhere)} are in ${where}; the provider leads to account ${account}, region ${region}. ${remedy}`;
  return { status: "True", reason, message };
}

function inUseFact(users: readonly User[]): Omit<Condition, "type" | "lastTransitionTime"> | undefined {
  if (users.length === 0) return undefined;
  const { reason, remedy } = REASONS.InUse;
  return { status: "True", reason, message: `It is used by ${named(users)}. ${remedy}` };
}

function named(users: readonly User[]): string {
  const shown = users.slice(0, 3).map(({ name }) => name);
  const more = users.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
