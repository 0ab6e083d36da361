import { deepEqual, isObject } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, JsonObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { Client } from "@gatewright/runtime";
import { allowed, denied } from "@gatewright/runtime/webhook";
import type { AdmissionRequest, Verdict, Webhook } from "@gatewright/runtime/webhook";
import type { Claim } from "../feed/conflicts/claim.ts";
import { rivalText } from "../feed/conflicts/conflicts.ts";
import type { Feed } from "../feed/feed.ts";
import { prepareSource } from "../feed/prepared-source.ts";
import type { Prepared } from "../feed/prepared-source.ts";
import { problemText } from "../feed/problem.ts";
import type { Problem } from "../feed/problem.ts";
import type { SourceRef } from "../model/deliverable.ts";
import { sourceKey } from "../model/deliverable.ts";
import { adviceOn } from "./advice.ts";
import { withContents } from "./read-contents.ts";
import { Reservations } from "./reservations.ts";
import { webhooksOf } from "./webhook-scopes.ts";
import type { AskedIngresses } from "./webhook-scopes.ts";

/** What admission asks the feed. */
export type AskedFeed = Pick<Feed, "settings" | "peeking" | "sourceOf" | "standings" | "subscribe" | "isReady">;

export interface RoutingWebhooksOptions {
  readonly feed: AskedFeed;
  readonly clock: Clock;
  /** Reads content that objects refer to. Not held back by the lease. */
  readonly client: Client;
  /** Given when the feed knows Ingresses. */
  readonly ingresses?: AskedIngresses;
}

const MOST_WARNINGS = 10;

/**
 * Refuses what the feed would keep out, in the same words, before it is stored. What only other objects can mend, such as a Secret that
 * is not there yet, is a warning, unless the feed's settings refuse it.
 */
export function routingWebhooks(options: RoutingWebhooksOptions): readonly Webhook[] {
  const reservations = new Reservations(options.clock);
  options.feed.subscribe((seen) => {
    for (const id of seen) reservations.drop(id);
  });
  return webhooksOf(
    options.ingresses,
    (kind) => (request, context) => judge(kind, request, options, reservations, context.signal),
  );
}

async function judge(
  kind: SourceRef["kind"],
  request: AdmissionRequest,
  { feed, client }: RoutingWebhooksOptions,
  reservations: Reservations,
  signal: AbortSignal,
): Promise<Verdict> {
  const { object, oldObject, namespace, dryRun } = request;
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) return allowed();
  if (oldObject !== undefined && !isEdited(kind, object, oldObject)) return allowed();
  if (!feed.isReady)
    return denied("routes are still being read: try again", { code: 503, reason: "ServiceUnavailable" });
  const prepare = (one: Immutable<ApiObject>): Promise<Prepared> =>
    withContents(feed.peeking, client, signal, (around) => {
      const named = { ...one, metadata: { ...one.metadata, namespace } };
      const source = feed.sourceOf(kind, named, around);
      if (source === undefined) throw new TypeError(`${kind} is none of the feed's kinds`);
      return prepareSource(source, around, feed.settings);
    });
  const { problems, candidate } = await prepare(object);
  const refused = problems.filter((problem) => isRefused(problem, feed.settings.missingBackends));
  if (refused.length > 0) return invalid(refused);
  const id = sourceKey({ kind, namespace, name: object.metadata.name ?? "" });
  const before = oldObject === undefined ? [] : ((await prepare(oldObject)).candidate?.claims ?? []);
  const claims = candidate?.claims ?? [];
  const added = without(claims, before);
  // Nothing waits between the question and the reservation, so that of two at once one sees the other.
  const rival = feed.standings.conflicts.wanting(added, id) ?? reservations.rival(added, id);
  if (rival !== undefined) {
    const what = rival.claim.side === undefined ? "duplicate route match found" : "hosts of another protocol found";
    return denied(`${what}: ${rivalText(rival)}`, { code: 422 });
  }
  if (!dryRun && object.metadata.name !== undefined && added.length > 0) reservations.reserve(id, claims);
  const { spec } = object as unknown as { readonly spec?: Json };
  const said = [...problems.map(problemText), ...(kind !== "Ingress" && isObject(spec) ? adviceOn(spec) : [])];
  return allowed({ warnings: fewOf(said) });
}

/** Metadata of the six kinds says nothing; annotations of Ingresses do. */
function isEdited(kind: SourceRef["kind"], now: Immutable<ApiObject>, before: Immutable<ApiObject>): boolean {
  const [a, b] = [now, before] as unknown as readonly [JsonObject, JsonObject];
  if (!deepEqual(a["spec"] ?? null, b["spec"] ?? null)) return true;
  const [notes, old] = [now.metadata.annotations ?? {}, before.metadata.annotations ?? {}];
  return kind === "Ingress" && !deepEqual(notes, old);
}

function isRefused({ severity, reason }: Problem, references: "warn" | "refuse"): boolean {
  return severity === "error" && (reason === "Invalid" || references === "refuse");
}

function invalid(problems: readonly Problem[]): Verdict {
  return denied(`validation failed: ${problems.map(problemText).join("; ")}`, {
    code: 422,
    causes: problems.map(({ field, message }) => ({ reason: "FieldValueInvalid", field, message })),
  });
}

function without(claims: readonly Claim[], before: readonly Claim[]): readonly Claim[] {
  const had = new Set(before.map(({ key }) => key));
  return claims.filter(({ key }) => !had.has(key));
}

function fewOf(said: readonly string[]): readonly string[] {
  const more = said.length - MOST_WARNINGS;
  return more > 0 ? [...said.slice(0, MOST_WARNINGS), `and ${more} more`] : said;
}
