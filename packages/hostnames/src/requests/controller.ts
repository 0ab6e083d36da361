import { core } from "@gatewright/kube/api";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import { after, done, isConflict, isMissing, retry, watching, withFinalizer } from "@gatewright/runtime";
import type { ControllerDefinition, Metrics, Outcome, ReconcileContext } from "@gatewright/runtime";
import { createRequestMetrics } from "../metrics/request-metrics.ts";
import { REASONS } from "../reasons.ts";
import type { HostnameSettings } from "../settings.ts";
import { createClaimingTurns } from "./claiming-turns.ts";
import { cleanUp, giveUpOrphans } from "./cleanup.ts";
import { decide, needsZone } from "./decide.ts";
import { OutdatedError, perform } from "./effects.ts";
import { expiryOf } from "./expiry.ts";
import { judge } from "./judge.ts";
import { BY_REQUEST, observe, ownerOf, requestKeysOf } from "./observation.ts";
import type { Observation, Request } from "./observation.ts";
import { RefusedError } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { createServerTime } from "./server-time.ts";
import { createWaiters } from "./waiters.ts";
import { writeStatus } from "./write-status.ts";
import { findZone } from "./zone-directory.ts";
import type { ZoneDirectory } from "./zone-directory.ts";

const FINALIZER = "gateway-orchestrator.opendi.com/finalizer";

/** How often it is looked at what nobody tells: whether a zone is there now. */
const LOOK_AGAIN_MS = 300_000;
/** Timers of this length at most: a ttl can be longer than one can be set. */
const LONGEST_WAIT_MS = 86_400_000;

type Context = ReconcileContext<GatewayHostnameRequest>;

export interface RequestDependencies {
  readonly zones: ZoneDirectory;
  readonly metrics?: Metrics;
}

/**
 * Claims the hostnames of each request, keeps in the claims what the request asks for, and says in its status how they are. Claims are
 * made before the ones that they take the place of are given up. A request goes when its claims have gone.
 */
export function hostnameRequests(
  { zones, metrics }: RequestDependencies,
  settings: HostnameSettings,
): ControllerDefinition<GatewayHostnameRequest> {
  const waiters = createWaiters();
  const counted = createRequestMetrics(metrics);
  const time = createServerTime();
  const turns = createClaimingTurns();

  const timeLeft = async (context: Context, request: Request): Promise<number> => {
    const expiry = expiryOf(request);
    if (expiry === undefined) return Infinity;
    const left = expiry - (await time.now(context));
    return left > 0 ? left : expiry - (await time.ask(context));
  };
  const look = (context: Context, request: Request): Observation => {
    const seen = observe(context, request);
    waiters.wait(context.ref, unheld(seen));
    return seen;
  };

  const reconcile = async (context: Context, request: Request): Promise<Outcome> => {
    const left = await timeLeft(context, request);
    if (left <= 0) return expire(context, request);
    const seen = look(context, request);
    const zone = needsZone(seen, settings) ? await findZone(zones, request.spec.zoneId, context.signal) : undefined;
    const { effects, refusals } = decide(seen, zone, settings);
    const found = new Map(refusals);
    for (const effect of effects) {
      try {
        await perform(context, turns, request, effect);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        found.set(error.hostname, error.refusal);
      }
    }
    await writeStatus(context, request, judge(look(context, request), found, settings), counted);
    return outcomeOf([...found.values()], left);
  };

  return {
    name: "hostname-requests",
    for: GatewayHostnameRequest,
    telling: ({ spec: { hostname, zoneId } }) => ({ hostname, zoneId }),
    watches: [
      watching(DomainClaim, {
        map: (claim) => [ownerOf(claim), ...waiters.waitingFor(claim.spec.hostname)],
        indexes: { [BY_REQUEST]: requestKeysOf },
      }),
      // Only read: what is in a namespace that goes is deleted one by one.
      watching(core.Namespace, { map: () => [], scope: { metadataOnly: true } }),
    ],
    access: [
      { resource: GatewayHostnameRequest, verbs: ["patch", "delete"] },
      { resource: GatewayHostnameRequest, verbs: ["patch"], subresource: "status" },
      { resource: DomainClaim, verbs: ["create", "patch", "delete"] },
    ],
    concurrency: 8,
    async reconcile(context) {
      await giveUpOrphans(context);
      if (context.object === undefined || context.object.metadata.deletionTimestamp !== undefined) {
        waiters.wait(context.ref, []);
      }
      try {
        return await withFinalizer(context, {
          resource: GatewayHostnameRequest,
          finalizer: FINALIZER,
          reconcile: (request) => reconcile(context, request),
          cleanup: (request) => cleanUp(context, request, settings),
        });
      } catch (error) {
        // The cache is behind; when it has caught up there is another run.
        if (error instanceof OutdatedError) return done();
        throw error;
      }
    },
  };
}

/** Hostnames that the request wants and nobody has confirmed to be its own yet. */
function unheld({ wanted, own }: Observation): readonly string[] {
  const held = new Set(own.filter(({ status }) => status?.claimedAt !== undefined).map(({ spec }) => spec.hostname));
  return "names" in wanted ? wanted.names.map(({ hostname }) => hostname).filter((name) => !held.has(name)) : [];
}

/** Deletes a request whose time is over; only as it was seen, since its ttl may have become longer. */
async function expire({ client, events, ref, signal }: Context, request: Request): Promise<Outcome> {
  const { uid = "", resourceVersion = "" } = request.metadata;
  try {
    await client.for(GatewayHostnameRequest).delete(ref, { preconditions: { uid, resourceVersion }, signal });
  } catch (error) {
    // Whoever changed or deleted it leads to another run.
    if (isMissing(error, GatewayHostnameRequest, ref) || isConflict(error)) return done();
    throw error;
  }
  const note = `its ttl of ${request.spec.ttl} is over`;
  events.record(request, { type: "Normal", reason: REASONS.Expired.reason, action: "Expire", note });
  return done();
}

function outcomeOf(refusals: readonly Refusal[], left: number): Outcome {
  for (const refusal of refusals) if (refusal.kind === "failed") return retry(refusal.error);
  const looksAgain = refusals.some((refusal) => refusal.kind === "denied" && refusal.looksAgain === true);
  const wait = Math.min(left, looksAgain ? LOOK_AGAIN_MS : Infinity, LONGEST_WAIT_MS);
  return left === Infinity && !looksAgain ? done() : after(wait);
}
