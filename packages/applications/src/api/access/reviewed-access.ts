import { StatusError } from "@gatewright/kube";
import { authorization } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import type { Client } from "@gatewright/runtime";
import type { Access } from "./access.ts";
import { BriefMemory } from "./brief-memory.ts";

export interface ReviewOptions {
  /** Needs `create` on subjectaccessreviews, and where tokens are reviewed, on tokenreviews. */
  readonly client: Client;
  readonly clock: Clock;
  /** How long an answer is believed. Default: 10 s. */
  readonly ttlMs?: number;
}

const SIZE = 4_096;
const PATIENCE_MS = 10_000;
const ASKING = 100;

export function memoryFor<T>({ clock, ttlMs = 10_000 }: ReviewOptions): BriefMemory<T> {
  return new BriefMemory<T>({ clock, ttlMs, size: SIZE, patienceMs: PATIENCE_MS, asking: ASKING });
}

/** What the caller of the API is told when the API server could not be asked: nothing is shown then. */
export function notReviewed(cause: unknown): StatusError {
  const message = "the API server could not be asked whether this is allowed; try again";
  return new StatusError({
    code: 503,
    reason: "ServiceUnavailable",
    message,
    details: { retryAfterSeconds: 1 },
    cause,
  });
}

/** Asks the API server by SubjectAccessReview, and believes the answer for a short while. */
export function reviewedAccess(options: ReviewOptions): Access {
  const memory = memoryFor<boolean>(options);
  return {
    async may(caller, verb, { group, version, plural }, namespace) {
      const { username, uid, groups, extra } = caller;
      const resourceAttributes = { group, version, resource: plural, verb, namespace };
      const spec = {
        user: username,
        groups: [...groups],
        ...(uid !== undefined && { uid }),
        ...(extra !== undefined && { extra }),
        resourceAttributes,
      };
      try {
        return await memory.get(JSON.stringify(spec), async (signal) => {
          const reviews = options.client.for(authorization.SubjectAccessReview);
          const { status } = await reviews.create({ metadata: {}, spec }, { signal });
          return status?.allowed === true && status.denied !== true;
        });
      } catch (error) {
        throw notReviewed(error);
      }
    },
  };
}
