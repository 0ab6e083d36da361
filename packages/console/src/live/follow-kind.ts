import { StatusError } from "@gatewright/kube";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { deadline, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { isExpired } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";

/** How a kind stands with a reader. `forbidden`: they may not list or watch it. `absent`: the server has no such kind. */
export type Standing = "live" | "forbidden" | "absent" | "interrupted";

export type KindNews =
  /** All objects there are, instead of those that were told before. */
  | { readonly type: "snapshot"; readonly objects: readonly Immutable<ApiObject>[]; readonly version: string }
  | {
      readonly type: "change";
      readonly change: "ADDED" | "MODIFIED" | "DELETED";
      readonly object: Immutable<ApiObject>;
    }
  /** Nothing happened up to this version. */
  | { readonly type: "position"; readonly version: string }
  | { readonly type: "standing"; readonly standing: Standing; readonly message: string };

export interface FollowOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly resource: Resource;
  /** Default: all namespaces. */
  readonly namespace: string | undefined;
  /** What the reader has already. Default: nothing. */
  readonly version: string | undefined;
  /** Resolves when the reader can take more. */
  readonly tell: (news: KindNews) => Promise<void>;
}

/** Rights are looked at when a watch begins, so none lasts for long. */
const WATCH_SECONDS = 240;
/** How much longer than the server said a watch may last: then the connection is dead, though nobody said so. */
const GRACE_MS = 30_000;
/** How soon a kind that may not be read, or is not served, is tried again. */
const REFUSED_MS = 20_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Follows a kind with the reader's own rights until the signal aborts. Rejects with 401 when the reader's credentials are no good. */
export async function followKind(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { clock, tell } = options;
  let version = options.version;
  let failures = 0;
  while (!signal.aborted) {
    try {
      if (version === undefined) version = await snapshot(options, signal);
      await tell({ type: "standing", standing: "live", message: "" });
      for await (const next of changes(options, version, signal)) {
        version = next;
        failures = 0;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StatusError && error.code === 401) throw error;
      if (version !== undefined && (isExpired(error) || isAhead(error))) {
        version = undefined;
        continue;
      }
      const standing = standingOf(error);
      if (standing !== "interrupted") version = undefined;
      await tell({ type: "standing", standing, message: error instanceof Error ? error.message : String(error) });
      const wait = standing === "interrupted" ? Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS) : REFUSED_MS;
      // Rejects only as aborted, which the loop sees.
      await sleep(clock, wait, signal).catch(() => {});
    }
  }
}

async function snapshot({ client, resource, namespace, tell }: FollowOptions, signal: AbortSignal): Promise<string> {
  const { items, resourceVersion } = await client
    .for(resource)
    .list({ signal, ...(namespace !== undefined && { namespace }) });
  await tell({ type: "snapshot", objects: items, version: resourceVersion });
  return resourceVersion;
}

async function* changes(
  { client, clock, resource, namespace, tell }: FollowOptions,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  using limit = deadline(clock, WATCH_SECONDS * 1000 + GRACE_MS, signal);
  const watch = client.for(resource).watch({
    resourceVersion,
    timeoutSeconds: WATCH_SECONDS,
    signal: limit.signal,
    ...(namespace !== undefined && { namespace }),
  });
  for await (const event of watch) {
    if (event.type === "BOOKMARK") {
      await tell({ type: "position", version: event.resourceVersion });
      yield event.resourceVersion;
    } else {
      await tell({ type: "change", change: event.type, object: event.object });
      yield event.object.metadata.resourceVersion ?? resourceVersion;
    }
  }
}

/** The server has never been where the reader is: it is another one, or lost what it had. */
function isAhead(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.details?.causes ?? []).some(({ reason }) => reason === "ResourceVersionTooLarge")
  );
}

function standingOf(error: unknown): Standing {
  if (!(error instanceof StatusError)) return "interrupted";
  if (error.code === 403) return "forbidden";
  return error.code === 404 ? "absent" : "interrupted";
}
