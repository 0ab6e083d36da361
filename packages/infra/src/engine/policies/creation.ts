import { deepEqual, formatTime } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Decision, Fact } from "../decision.ts";
import { knownId, remembering, tokenOf } from "../memory.ts";
import type { Memory, Remembered } from "../memory.ts";
import type { Observation } from "../observation.ts";
import { nameIn, SELDOM_MS, SOON_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

const creating: Fact = { ready: "False", reason: REASONS.Creating, message: "The resource is being made." };

/** The memory with what is about to be done to a resource, and where. */
export function intent(
  { object, memory, session, now }: Observation,
  operation: "Create" | "Adopt" | "Replace",
  resource: Remembered | undefined,
  replacements = memory.replacements ?? 0,
): Memory {
  const token = tokenOf(object, replacements);
  const place = "session" in session ? { accountID: session.session.account, region: session.session.region } : {};
  return remembering(memory, {
    ...place,
    resource,
    ...(replacements > 0 && { replacements }),
    pending: { operation, token, since: formatTime(now) },
    plan: undefined,
    drift: undefined,
  });
}

/**
 * What a creation leads to, as far as it is known before: the name, if there is one, and what is declared. That another one was as the
 * spec says is forgotten: this one never was.
 */
export function creationIntent(seen: Observation, replacements: number): Memory {
  const { name = "", declared, versions } = seen;
  const next = intent(seen, "Create", made(name, declared, versions), replacements);
  return remembering(next, { lastSyncTime: undefined });
}

function made(id: string, declared: readonly string[], versions: Observation["versions"]): Remembered {
  return { id, ownership: "Created", fields: declared, ...(Object.keys(versions).length > 0 && { versions }) };
}

/** It was there, and AWS says that it is not. What holds data is not made anew without a person's word: it would hide the loss. */
export const lost: Policy = (seen) => {
  const { memory, resource, object, holdsData, name } = seen;
  if (resource.is !== "absent" || knownId(memory) === undefined) return undefined;
  const named = name !== undefined && resource.id === name;
  if (memory.pending?.operation === "Create" && named) return undefined;
  const why = resource.why === undefined ? "" : `: ${resource.why}`;
  const gone: Fact = {
    ready: "False",
    reason: REASONS.Missing,
    message: `${nameIn(seen)} is not there any more${why}.`,
  };
  if (resource.believedInMs > 0) {
    const message = `AWS does not tell of ${nameIn(seen)}: it is looked again before that is believed.`;
    return rest({ reason: REASONS.Looking, message, synced: "Unknown" }, resource.believedInMs);
  }
  const next = (memory.replacements ?? 0) + 1;
  const neverSeen = memory.pending !== undefined;
  const reports = object.spec.management?.drift?.mode === "Report";
  if (neverSeen || !(holdsData || reports)) return remember(creationIntent(seen, next));
  const { approved, hash, changes } = resource.recreation;
  if (approved) return remember(creationIntent(seen, next));
  if (memory.plan?.hash !== hash) {
    return remember(remembering(memory, { plan: { hash, action: "Recreate", changes }, drift: undefined }));
  }
  const message = `${gone.message} It is made anew when the annotation aws-infra-operator.runner.codes/approve is ${hash}.`;
  return rest({ ...gone, message }, SELDOM_MS);
};

/** Nothing is there and nothing was decided: that it will be made is written down first. */
export const notIntended: Policy = (seen) => {
  const { memory, resource } = seen;
  if (resource.is !== "absent" && resource.is !== "unnamed") return undefined;
  if (memory.pending !== undefined) return undefined;
  return remember(creationIntent(seen, memory.replacements ?? 0));
};

/** It is decided, and nothing is there: looked for after the decision, and long enough where AWS gives ids. */
export const notCreated: Policy = (seen) => {
  const { memory, resource } = seen;
  if (memory.pending === undefined) return undefined;
  if (resource.is === "unnamed") return createUnnamed(seen, memory.pending.token);
  if (resource.is !== "absent") return undefined;
  if (seen.creationUnclearMs > 0) return rest(creating, Math.min(seen.creationUnclearMs, SOON_MS));
  if (!resource.fresh) return ask({ type: "read", id: resource.id }, creating);
  const promised = made(resource.id, everDeclared(seen), seen.versions);
  if (!deepEqual(memory.resource as Json | undefined, promised as unknown as Json)) {
    return remember(remembering(memory, { resource: promised }));
  }
  return ask({ type: "create", token: memory.pending.token }, creating);
};

/** What was declared when the creation was first tried may be in AWS, whatever the spec says now. */
function everDeclared({ memory, declared }: Observation): readonly string[] {
  const before = memory.resource?.fields ?? [];
  return [...before, ...declared.filter((path) => !before.includes(path))];
}

function createUnnamed(seen: Observation, token: string): Decision {
  const { answers, memory, canFind } = seen;
  const fields = everDeclared(seen);
  const promised = (id: string): Decision =>
    remember(remembering(memory, { resource: made(id, fields, seen.versions) }));
  if (answers.created !== undefined) return promised(answers.created);
  if (memory.resource === undefined || fields.length > (memory.resource.fields ?? []).length) return promised("");
  if (seen.untried || !canFind) return ask({ type: "create", token }, creating);
  if (answers.found === undefined) return ask({ type: "search", by: "uid" }, creating);
  const [id, ...others] = answers.found;
  if (others.length > 0) {
    const message = `${answers.found.length} resources have this object's tags: ${answers.found.slice(0, 5).join(", ")}.`;
    return rest({ ready: "False", reason: REASONS.Ambiguous, message }, SELDOM_MS);
  }
  if (id !== undefined) return promised(id);
  if (seen.creationUnclearMs > 0) return rest(creating, seen.creationUnclearMs);
  return ask({ type: "create", token }, creating);
}
