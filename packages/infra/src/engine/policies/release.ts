import { REASONS } from "../../reasons.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Decision, Fact } from "../decision.ts";
import { remembering } from "../memory.ts";
import type { Observation } from "../observation.ts";
import { nameIn, neverTried, SELDOM_MS, SOON_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

const gone = (why: Extract<Decision, { kind: "gone" }>["why"]): Decision => ({ kind: "gone", why });

/** How often it is looked whether AWS still denies it. */
const DOUBT_MS = 15_000;

/** What becomes of a resource by its policy while its object goes. */
const BECOMES: ReadonlyMap<string, string> = new Map([
  ["Stop", "is being stopped, and stays in AWS"],
  ["Orphan", "is being let go, and stays in AWS"],
]);

const leaving = (seen: Observation): Fact => ({
  ready: "False",
  reason: REASONS.Deleting,
  message: `${nameIn(seen)} ${BECOMES.get(seen.object.spec.deletionPolicy) ?? "is being deleted"}.`,
});

/** Once it is let go nobody looks for it any more, so AWS must have denied it, or that it is ours, for a while. */
const doubted = (seen: Observation, denied: string, forMs: number): Decision => {
  const message = `AWS says that ${nameIn(seen)} is ${denied}: that is believed when it was said for long enough.`;
  return rest({ ...leaving(seen), message }, Math.min(forMs, DOUBT_MS));
};

/** The resource stays as it is, whatever is known of it, and whether there is a way to it or not. */
export const retained: Policy = ({ object, memory }) => {
  const { management, deletionPolicy } = object.spec;
  const observes = management?.mode === "Observe" || memory.resource?.ownership === "Observed";
  return observes || deletionPolicy === "Retain" ? gone("Retained") : undefined;
};

/** Nothing was ever decided to be made. */
export const neverMade: Policy = ({ memory }) =>
  memory.resource === undefined && memory.pending === undefined ? gone("NeverMade") : undefined;

/** Nothing leads to the account any more, so an orphan keeps its tags. A provider that is not ready at the moment is waited for. */
export const orphanedBlindly: Policy = ({ object, providerGone }) =>
  object.spec.deletionPolicy === "Orphan" && providerGone ? gone("Orphaned") : undefined;

/** Others refer to it, and would be left with nothing. */
export const inUse: Policy = ({ object, users }) => {
  if (users.length === 0 || object.spec.deletionPolicy === "Orphan") return undefined;
  const message = `Still used by ${users.slice(0, 5).join(", ")}${users.length > 5 ? ` and ${users.length - 5} more` : ""}.`;
  return rest({ reason: REASONS.InUse, message }, SOON_MS * 6);
};

/** AWS gave no id, and something may have come of the intent: it is looked for until AWS must know of it. */
export const lookedFor: Policy = (seen) => {
  const { resource, answers, canFind, memory } = seen;
  if (resource.is !== "unnamed") return undefined;
  if (neverTried(seen) || !canFind) return gone("NeverMade");
  if (answers.found === undefined) return ask({ type: "search", by: "uid" }, leaving(seen));
  const [id] = answers.found;
  if (id !== undefined) return remember(remembering(memory, { resource: { id, ownership: "Created" } }));
  return seen.creationUnclearMs === 0 ? gone("NeverMade") : doubted(seen, "not there", seen.creationUnclearMs);
};

/** AWS says that it is not there. */
export const isGone: Policy = (seen) => {
  const { resource, removed } = seen;
  if (resource.is !== "absent") return undefined;
  if (neverTried(seen)) return gone("NeverMade");
  if (!resource.fresh) return ask({ type: "read", id: resource.id }, leaving(seen));
  if (removed || resource.believedInMs === 0) return gone("Deleted");
  return doubted(seen, "not there", resource.believedInMs);
};

/** What is not this object's by its tags is never deleted for it. */
export const notOurs: Policy = (seen) => {
  const { resource } = seen;
  if (resource.is !== "present" || resource.own) return undefined;
  if (!resource.fresh) return ask({ type: "read", id: resource.id }, leaving(seen));
  return resource.believedInMs === 0 ? gone("NotOurs") : doubted(seen, "not this object's", resource.believedInMs);
};

/** Its tags were taken away in this run: that it is not this object's by its tags any more is what was wanted, and needs no proof. */
export const untagged: Policy = ({ answers }) => (answers.untagged === true ? gone("Orphaned") : undefined);

/** Its tags go and it stays. */
export const orphaned: Policy = (seen) => {
  const { object, resource } = seen;
  if (object.spec.deletionPolicy !== "Orphan" || resource.is !== "present") return undefined;
  if (!resource.fresh) return ask({ type: "read", id: resource.id }, leaving(seen));
  const change = { set: {}, remove: resource.ownerTags };
  return ask({ type: "tag", change, why: "Orphan" }, leaving(seen));
};

/** It is stopped and stays. */
export const stopped: Policy = (seen) => {
  const { object, resource, answers } = seen;
  if (object.spec.deletionPolicy !== "Stop" || resource.is !== "present") return undefined;
  if (resource.state.is === "going") return undefined;
  if (answers.retired === true) return gone("Stopped");
  if (answers.retired === false) return rest(leaving(seen), SOON_MS * 2);
  return resource.fresh
    ? ask({ type: "retire" }, leaving(seen))
    : ask({ type: "read", id: resource.id }, leaving(seen));
};

/** It is deleted, and waited for until AWS says that it is gone. */
export const notRemoved: Policy = (seen) => {
  const { resource, answers } = seen;
  if (resource.is !== "present") return undefined;
  if (answers.obstacle !== undefined) {
    return rest({ reason: REASONS[answers.obstacle.reason], message: answers.obstacle.message }, SELDOM_MS);
  }
  if (resource.state.is === "going")
    return rest({ ...leaving(seen), message: resource.state.message }, resource.state.pollMs);
  if (answers.removed === true) return rest(leaving(seen), SOON_MS);
  return resource.fresh
    ? ask({ type: "remove" }, leaving(seen))
    : ask({ type: "read", id: resource.id }, leaving(seen));
};
