import { REASONS } from "../../reasons.ts";
import { remember, rest } from "../decision.ts";
import { remembering } from "../memory.ts";
import type { Observation } from "../observation.ts";
import { neverTried, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

const PAUSED = "aws-infra-operator.runner.codes/paused";

/** Something that was tried in this run failed: it is told, and tried again when its class says. */
export const effectFailed: Policy = ({ answers }) => {
  if (answers.failed === undefined) return undefined;
  const { afterMs, ...fact } = answers.failed;
  return rest(fact, afterMs);
};

/** Somebody wants the operator to keep its hands off. Ready says what it said. */
export const paused: Policy = ({ object }) => {
  const byAnnotation = object.metadata.annotations?.[PAUSED] === "true";
  if (object.spec.management?.paused !== true && !byAnnotation) return undefined;
  const how = byAnnotation ? `the annotation ${PAUSED}` : "management.paused";
  return rest({ reason: REASONS.Paused, message: `Nothing is read or changed: ${how} says so.` }, SELDOM_MS);
};

/** A process that has just begun has not looked at providers yet: nobody is told that they are not ready. */
export const providerUnchecked: Policy = (seen) =>
  seen.providerUnchecked ? { kind: "wait", afterMs: SELDOM_MS } : undefined;

/** There is no way into the account. The provider wakes the object. */
export const providerNotReady: Policy = ({ session }) =>
  "missing" in session ? rest(session.missing, SELDOM_MS) : undefined;

/** The provider leads elsewhere than where the resource is, or was to be made. */
function isElsewhere({ session, memory }: Observation): boolean {
  if ("missing" in session || (memory.resource === undefined && memory.pending === undefined)) return false;
  const { account, region } = session.session;
  return (memory.accountID ?? account) !== account || (memory.region ?? region) !== region;
}

/** Nothing came of what was decided while the provider led elsewhere: it is decided anew, for where it leads now. */
export const decidedElsewhere: Policy = (seen) => {
  if (!isElsewhere(seen) || !neverTried(seen)) return undefined;
  const nothing = { resource: undefined, pending: undefined, accountID: undefined, region: undefined };
  return remember(remembering(seen.memory, nothing));
};

/** The resource is elsewhere: nothing is made here, and nothing is believed gone there. */
export const accountChanged: Policy = (seen) => {
  const { session, memory } = seen;
  if (!isElsewhere(seen) || "missing" in session) return undefined;
  const { accountID, region } = memory;
  const { account, region: here } = session.session;
  const message = `The resource is in account ${accountID}, region ${region}; the provider leads to account ${account}, region ${here}.`;
  return rest({ reason: REASONS.AccountChanged, message }, SELDOM_MS);
};

/** A reference leads nowhere yet. What it names wakes the object. */
export const referenceMissing: Policy = ({ given }) => {
  if (!("missing" in given)) return undefined;
  return rest({ reason: REASONS.WaitingForReference, message: given.missing.message }, SELDOM_MS);
};

/** Two objects for one name would undo each other's changes: the older one has it. */
export const nameTaken: Policy = ({ rival, object }) => {
  if (rival === undefined) return undefined;
  const message = `${object.kind} ${rival} is older and stands for the resource of this name.`;
  return rest({ ready: "False", reason: REASONS.NameTaken, message }, SELDOM_MS);
};
