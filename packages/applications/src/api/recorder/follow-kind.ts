import { StatusError } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import { deadline, linkSignals } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { isExpired } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import type { EventHistory } from "../history/event-history.ts";
import { ChangeInbox } from "./change-inbox.ts";
import { differences } from "./differences.ts";

export interface FollowDeps {
  readonly client: Client;
  readonly history: EventHistory;
  readonly clock: Clock;
  /** Which cluster this is: versions of another one mean nothing here. */
  readonly cluster: string;
  /** The history shows all objects of the kind as of now. */
  caughtUp(): void;
}

const WATCH_SECONDS = 300;
/** How much longer than the server said a watch may last: then the connection is dead, though nobody said so. */
const GRACE_MS = 30_000;
const CHUNK = 200;

/**
 * Brings the history up to date with one kind and follows it until the server ends the watch. Begins where the history stands; when
 * the server no longer reaches back so far, with a list. Rejects for what is worth another try after a while.
 */
export async function followKind(resource: Resource, deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { history, cluster } = deps;
  if (history.cursor(resource, cluster) === undefined) await recordList(resource, deps, signal);
  try {
    await recordWatch(resource, deps, signal);
  } catch (error) {
    if (!isExpired(error) && !isAhead(error)) throw error;
    await recordList(resource, deps, signal);
    await recordWatch(resource, deps, signal);
  }
}

async function recordList(resource: Resource, deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { history, client, cluster } = deps;
  const initial = history.cursor(resource, cluster) === undefined;
  const { items, resourceVersion } = await client.for(resource).list({ signal });
  const changes = differences(history.known(resource), items);
  for (let at = 0; at < changes.length; at += CHUNK) {
    await history.record(resource, changes.slice(at, at + CHUNK), { initial });
    signal.throwIfAborted();
  }
  await history.record(resource, [], { cursor: { resourceVersion, cluster } });
}

async function recordWatch(resource: Resource, deps: FollowDeps, signal: AbortSignal): Promise<void> {
  const { history, client, clock, cluster } = deps;
  const failed = new AbortController();
  using linked = linkSignals([signal, failed.signal]);
  using limit = deadline(clock, WATCH_SECONDS * 1000 + GRACE_MS, linked.signal);
  const inbox = new ChangeInbox(history, resource, cluster, (error) => failed.abort(error));
  const resourceVersion = history.cursor(resource, cluster) ?? "";
  const watch = client.for(resource).watch({ resourceVersion, timeoutSeconds: WATCH_SECONDS, signal: limit.signal });
  deps.caughtUp();
  for await (const event of watch) {
    if (event.type === "BOOKMARK") await inbox.take(undefined, event.resourceVersion);
    else await inbox.take(event, event.object.metadata.resourceVersion ?? "");
  }
  await inbox.settled();
  failed.signal.throwIfAborted();
}

/** The server has never been where the history stands: it is another one, or lost what it had. */
function isAhead(error: unknown): boolean {
  return error instanceof StatusError && (error.details?.causes ?? []).some(({ reason }) => reason === TOO_LARGE);
}

const TOO_LARGE = "ResourceVersionTooLarge";
