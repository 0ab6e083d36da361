import type { AddressInfo } from "node:net";
import type { Resource } from "@gatewright/kube";
import { authentication, authorization } from "@gatewright/kube/api";
import type { Clock, Random } from "@gatewright/ports";
import type { DeclaredAccess, Log, Manager } from "@gatewright/runtime";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import { reviewedAccess } from "../access/reviewed-access.ts";
import { reviewedTokens } from "../access/token-callers.ts";
import { createEventApi } from "../create-event-api.ts";
import type { HistoryLimits } from "../history/event-history.ts";
import { createEventHistory } from "../history/open-history.ts";
import { createRecorder } from "../recorder/create-recorder.ts";
import { createEventServer } from "./create-event-server.ts";

export interface ServeEventsOptions {
  /** The kinds whose changes are told. */
  readonly resources: readonly Resource[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** Default: 9446. 0: any free one. */
  readonly port?: number;
  /** Default: all addresses. */
  readonly host?: string;
  /** Without it the server speaks plain HTTP, where others on the way can read tokens. */
  readonly certificates?: CertificateSource;
  /** Whom tokens must be meant for. Default: the API server itself. */
  readonly audiences?: readonly string[];
  /** How long the API server's word on a token or a right is believed. Default: 10 s. */
  readonly ttlMs?: number;
  readonly limits?: Partial<HistoryLimits>;
  /** Told where it listens. */
  readonly listening?: (address: AddressInfo) => void;
}

/**
 * Adds `/watch` and `/events` to an operator. Each replica serves from a history of its own, in memory: it needs no lease, and a
 * client that is sent to another replica, or comes back after a restart, starts anew and is told so.
 */
export async function serveEvents(
  manager: Pick<Manager, "ungated" | "addRunnable" | "addCheck">,
  options: ServeEventsOptions,
): Promise<void> {
  const { resources, clock, random, limits, audiences, ttlMs } = options;
  const review = { client: manager.ungated, clock, ...(ttlMs !== undefined && { ttlMs }) };
  const history = await createEventHistory({ clock, random, ...(limits && { limits }) });
  const recorder = createRecorder({ ...options, client: manager.ungated, history });
  const api = createEventApi({ resources, history, clock, access: reviewedAccess(review) });
  const callers = reviewedTokens({ ...review, ...(audiences && { audiences }) });
  manager.addRunnable(recorder);
  manager.addCheck(recorder.check);
  manager.addRunnable(createEventServer({ ...options, api, callers }));
}

/** What {@link serveEvents} needs to be allowed, for `rbacFor`. */
export function eventAccess([first, ...others]: readonly [Resource, ...Resource[]]): DeclaredAccess {
  return {
    for: first,
    owns: others,
    access: [
      { resource: authentication.TokenReview, verbs: ["create"] },
      { resource: authorization.SubjectAccessReview, verbs: ["create"] },
    ],
  };
}
