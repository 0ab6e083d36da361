import type { Certificates, Zones } from "@gatewright/aws";
import { core } from "@gatewright/kube/api";
import type { ObjectRef } from "@gatewright/kube";
import { aborted } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { DomainClaim, Gateway, GatewayHostnameRequest, ListenerSet } from "@gatewright/resources";
import {
  after,
  createConfirmed,
  done,
  generationChanged,
  OutdatedObjectError,
  watching,
  withFinalizer,
} from "@gatewright/runtime";
import type {
  ControllerDefinition,
  MetricsRegistry,
  Outcome,
  ReconcileContext,
  Source,
  Watch,
} from "@gatewright/runtime";
import { addPoolMetrics } from "../metrics/pool-metrics.ts";
import { namedBy } from "../pool/certificates-on.ts";
import { PoolBook } from "../pool/pool-book.ts";
import { gatewayAwsKinds, NEWEST_GATEWAY_AWS } from "../pool/pool-kinds.ts";
import type { GatewayAws } from "../pool/pool-kinds.ts";
import { gatewayNamed } from "../pool/pool-effects.ts";
import { POOL_LABEL } from "../pool/pool-names.ts";
import { PoolRuns } from "../pool/pool-runs.ts";
import type { HostnameSettings } from "../settings.ts";
import { createBundler } from "./bundler.ts";
import { ownerOf } from "./claim.ts";
import type { Claim } from "./claim.ts";
import { CLAIM_FINALIZER } from "./claim-labels.ts";
import { createClaimMetrics } from "./claim-metrics.ts";
import { decide } from "./decide.ts";
import { decideRelease } from "./decide-release.ts";
import { claimIndexes } from "./indexes.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { createOrphanSweep } from "./orphans.ts";
import type { PublicDns } from "./public-dns.ts";
import { runClaim } from "./run.ts";
import type { RunEnd, RunParts } from "./run.ts";
import { createSettling } from "./settling.ts";
import { createTelling } from "./telling.ts";
import { changeOf, createTopics, HELD, namingOf, ofCertificate, ofGateway, ofZone, requestWith } from "./topics.ts";
import { topicsOf } from "./topics-of.ts";
import type { ClaimWorld } from "./world.ts";

/** How soon is looked again when the cache is behind. */
const CATCH_UP_MS = 1_000;
/** Certificates forget those that nobody asks about within an hour. */
const RESYNC_MS = 1_800_000;
/** A key beside those of claims, whose names have a dot. */
const ORPHANS: ObjectRef = { name: "orphans" };

export interface DomainClaimsDependencies {
  readonly zones: Zones;
  readonly certificates: Certificates;
  readonly clock: Clock;
  /** Default: the newest. Must be what the pool has. */
  readonly gatewayAws?: GatewayAws;
  /** Runs of the pool. Must be what the pool has. */
  readonly runs?: PoolRuns;
  /** For saying why a certificate is not issued. Without it the missing record is named and no more. */
  readonly dns?: PublicDns;
  readonly metrics?: MetricsRegistry;
}

/**
 * Gives each claim what its hostname needs: the name itself, a certificate, its validation record, a place on a Gateway, the record that
 * leads there; and takes it all away, in the safe order, when the claim goes. Every step is in the claim's status before it is taken.
 */
export function domainClaims(
  deps: DomainClaimsDependencies,
  settings: HostnameSettings,
): ControllerDefinition<DomainClaim> {
  const { zones, certificates, clock, gatewayAws = NEWEST_GATEWAY_AWS } = deps;
  const { loadBalancerConfiguration } = gatewayAwsKinds(gatewayAws);
  const topics = createTopics();
  const world: ClaimWorld = {
    zones,
    certificates,
    clock,
    settings,
    dns: deps.dns,
    book: new PoolBook(settings),
    runs: deps.runs ?? new PoolRuns(),
    bundler: createBundler(settings.bundleMs),
    topics,
    settling: createSettling(clock),
    loadBalancerConfiguration,
  };
  const confirmed = createConfirmed(DomainClaim);
  const telling = createTelling(createClaimMetrics(deps.metrics), clock);
  const alone = oneAtATime();
  const sweepOrphans = createOrphanSweep(world);
  /** Undefined while another process leads: what it makes of the pool is for it to tell. */
  let cached: ReconcileContext<DomainClaim>["cached"] | undefined;
  if (deps.metrics !== undefined) {
    addPoolMetrics(deps.metrics, () => (cached === undefined ? [] : world.book.filled(cached)), settings);
  }
  const begin = (): void => {
    confirmed.clear();
    world.book.begin();
    telling.clear();
  };
  const end = (): void => {
    telling.clear();
    cached = undefined;
  };
  const news = newsOf(world, begin, end);

  const forget = (name: string): void => {
    follow(world, name, []);
    confirmed.forget(name);
    telling.forget(name);
    world.settling.settled(name);
  };
  const run = async (
    context: ReconcileContext<DomainClaim>,
    claim: Claim,
    decider: RunParts["decide"],
  ): Promise<RunEnd> => {
    follow(world, ownerOf(claim), topicsOf(claim));
    const performed: RunParts["performed"] = (effect, seen, then) =>
      telling.performed(context.events, effect, seen, then);
    const end = await runClaim({ world, confirmed, alone, decide: decider, performed }, context, claim);
    follow(world, ownerOf(claim), topicsOf(end.claim));
    telling.ended(context.events, claim, end);
    return end;
  };

  return {
    name: "domain-claims",
    for: DomainClaim,
    telling: ({ spec: { hostname, zoneId } }) => ({ hostname, zoneId }),
    // Statuses are this controller's own: what it wrote it has seen.
    when: generationChanged,
    indexes: claimIndexes,
    watches: [...watchesOf(world), ...world.book.watches()],
    sources: [news],
    access: [
      { resource: DomainClaim, verbs: ["get", "list", "patch"] },
      { resource: DomainClaim, verbs: ["update"], subresource: "status" },
      { resource: DomainClaim, verbs: ["update"], subresource: "finalizers" },
      { resource: GatewayHostnameRequest, verbs: ["get"] },
    ],
    concurrency: 16,
    resyncMs: RESYNC_MS,
    async reconcile(context) {
      const { object: claim, ref } = context;
      cached = context.cached;
      if (ref.name === ORPHANS.name) return after(await sweepOrphans(context));
      if (claim === undefined) forget(ref.name);
      try {
        return await withFinalizer(context, {
          resource: DomainClaim,
          finalizer: CLAIM_FINALIZER,
          reconcile: async (held) => outcomeOf(await run(context, held, decide)),
          async cleanup(held) {
            world.bundler.leave(held.spec.hostname);
            const end = await run(context, held, decideRelease);
            return end.fact === undefined ? done() : outcomeOf(end, CATCH_UP_MS);
          },
        });
      } catch (error) {
        confirmed.forget(ref.name);
        if (error instanceof OutdatedObjectError) return after(CATCH_UP_MS);
        throw error;
      }
    },
  };
}

/** `done` would mean that a claim which is being deleted may go, so there is always a time at which it is looked at again. */
function outcomeOf({ afterMs }: RunEnd, otherwise?: number): Outcome {
  const ms = afterMs ?? otherwise;
  return ms === undefined ? done() : after(ms);
}

/** A zone that no claim is in any more is not read any more. */
function follow({ topics, zones }: ClaimWorld, claim: string, wanted: readonly string[]): void {
  const left = topics.follow(claim, wanted);
  for (const topic of left) if (topic.startsWith("zone ")) zones.unwatch(topic.slice(5));
  for (const topic of wanted) if (topic.startsWith("zone ")) zones.watch(topic.slice(5));
}

/** What zones and certificates tell wakes the claims that it concerns. Nothing is kept of a term in which somebody else led. */
function newsOf({ zones, certificates, topics }: ClaimWorld, begin: () => void, end: () => void): Source {
  let wake: (claims: readonly string[]) => void = () => {};
  zones.onProgress((owner) => wake([owner]));
  zones.onReading((zoneId) => wake(topics.followers(ofZone(zoneId))));
  certificates.onChange((arn, owners) =>
    wake([...owners, ...(arn === "" ? [] : topics.followers(ofCertificate(arn)))]),
  );
  return async (enqueue, signal) => {
    begin();
    enqueue(ORPHANS);
    wake = (claims) => claims.forEach((name) => enqueue({ name }));
    await aborted(signal);
    wake = () => {};
    end();
  };
}

function watchesOf({ topics, settings, loadBalancerConfiguration }: ClaimWorld): readonly Watch[] {
  const { edgeNamespace: namespace, listeners } = settings;
  const followersOf = (topic: string): readonly ObjectRef[] => topics.followers(topic).map((name) => ({ name }));
  // The same as the pool's, so that they are watched once.
  const pooled = { namespace, labelSelector: `${POOL_LABEL}=true` };
  const listenerSets = watching(ListenerSet, {
    scope: pooled,
    map: ({ spec }) => spec.listeners.map(({ name }) => ({ name })),
  });
  return [
    // A claim that goes, or yields, lets those in that overlap with it; one that asks for a certificate takes those along that wait.
    watching(DomainClaim, {
      map: ({ spec, status }) =>
        [...changeOf(spec.hostname), ...(status?.certificate?.request?.names ?? []).map(requestWith)].flatMap(
          followersOf,
        ),
    }),
    watching(Gateway, { scope: { namespace }, map: ({ metadata }) => followersOf(ofGateway(metadata.name ?? "")) }),
    watching(loadBalancerConfiguration, {
      scope: pooled,
      // Those that go wait until no configuration names their certificate.
      map: (configuration) =>
        [...gatewayNamed(configuration).map(ofGateway), ...namedBy(configuration).map(namingOf)].flatMap(followersOf),
    }),
    ...(listeners === "listener-sets" ? [listenerSets] : []),
    watching(core.Namespace, {
      scope: { fieldSelector: `metadata.name=${namespace}` },
      map: () => followersOf(HELD),
    }),
  ];
}
