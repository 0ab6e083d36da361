import { createApiServer } from "@gatewright/apiserver";
import type { Immutable, Resource } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, PassingTime, seededRandom, untilHolds } from "@gatewright/ports";
import {
  DomainClaim,
  Gateway,
  GatewayHostnameRequest,
  GRPCRoute,
  HTTPRoute,
  LoadBalancerConfiguration,
} from "@gatewright/resources";
import { createClient, createManager } from "@gatewright/runtime";
import type { Client, Manager } from "@gatewright/runtime";
import { claimName } from "../../names/index.ts";
import { DEFAULT_SETTINGS } from "../../settings.ts";
import type { HostnameSettings } from "../../settings.ts";
import type { Claim, Wish } from "../claim.ts";
import { claimLabels } from "../claim-labels.ts";
import { domainClaims } from "../controller.ts";
import type { DomainClaimsDependencies } from "../controller.ts";
import { fakeCertificates } from "./fake-certificates.ts";
import type { FakeCertificates } from "./fake-certificates.ts";
import { fakeZones } from "./fake-zones.ts";
import type { FakeZones } from "./fake-zones.ts";
import { playPool } from "./play-pool.ts";

const KINDS = [DomainClaim, GatewayHostnameRequest, Gateway, GRPCRoute, HTTPRoute, LoadBalancerConfiguration];
const TURNS = 3_000;
const TURN_MS = 250;
const POOL_EVERY = 8;

/** A server in memory, claims at work on it, and an AWS and a pool that are played. All on virtual time. */
export interface ClaimWorld extends AsyncDisposable {
  readonly user: Client;
  readonly clock: ManualClock;
  readonly zones: FakeZones;
  readonly certificates: FakeCertificates;
  /** Whether the pool and the load balancer controller work. */
  pool: boolean;
  /** A request, and the claim that its controller would make. */
  claim(hostname: string, wish?: Partial<Wish>, namespace?: string): Promise<void>;
  get(hostname: string): Promise<Claim | undefined>;
  until<T>(what: string, look: () => Promise<T> | T, holds: (seen: T) => boolean): Promise<T>;
  /** Waits until a claim is as it should be. */
  untilClaim(hostname: string, holds: (claim: Claim) => boolean): Promise<Claim>;
  untilReady(hostname: string): Promise<Claim>;
  /** Deletes a claim and waits until it is gone. */
  remove(hostname: string): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Ends the process and starts another one with empty memory. */
  restart(): Promise<void>;
}

export async function createClaimWorld(
  settings: Partial<HostnameSettings> = {},
  more: Partial<DomainClaimsDependencies> = {},
): Promise<ClaimWorld> {
  const clock = new ManualClock();
  const server = await createApiServer({ clock, random: seededRandom(7) });
  const transport = server.transport();
  const user = createClient(transport, { clock, random: seededRandom(8), fieldManager: "user" });
  const zones = fakeZones(clock);
  const certificates = fakeCertificates(clock, zones);
  const time = new PassingTime(clock, { turnMs: TURN_MS, breaths: 12 });
  let turns = 0;

  const start = (): (() => Promise<void>) => {
    const manager: Manager = createManager({ name: "hostnames-test", transport, clock, random: seededRandom(9) });
    manager.add(domainClaims({ zones, certificates, clock, ...more }, { ...DEFAULT_SETTINGS, ...settings }));
    const stopping = new AbortController();
    let ended = false;
    const running = manager.run(stopping.signal).finally(() => void (ended = true));
    return async () => {
      stopping.abort();
      while (!ended) await turn();
      await running;
    };
  };
  const turn = async (): Promise<void> => {
    await time.turn();
    if (world.pool && ++turns % POOL_EVERY === 0) await playPool(user, certificates);
  };

  const world: ClaimWorld = {
    user,
    clock,
    zones,
    certificates,
    pool: false,
    async claim(hostname, wish = {}, namespace = "shop") {
      const name = claimName(hostname);
      await user.for(core.Namespace).apply({ metadata: { name: namespace } });
      const request = await user.for(GatewayHostnameRequest).apply({
        metadata: { namespace, name },
        spec: { zoneId: "Z1", hostname },
      });
      const uid = request.metadata.uid ?? "";
      await user.for(DomainClaim).create({
        metadata: { name, labels: { ...claimLabels(hostname, uid) } },
        spec: {
          zoneId: "Z1",
          hostname,
          ownerRef: { namespace, name, uid },
          wish: {
            visibility: "internet-facing",
            gatewayClass: "aws-alb",
            namespaces: [namespace],
            deletionPolicy: "Delete",
            ...wish,
          },
        },
      });
    },
    get: (hostname) => user.for(DomainClaim).find({ name: claimName(hostname) }),
    until: (what, look, holds) => untilHolds(what, look, holds, { turn, turns: TURNS }),
    async untilClaim(hostname, holds) {
      const holding = (seen: Claim | undefined): boolean => seen !== undefined && holds(seen);
      return (await world.until(`claim ${hostname}`, () => world.get(hostname), holding))!;
    },
    untilReady: (hostname) => world.untilClaim(hostname, (claim) => conditionOf(claim, "Ready")?.status === "True"),
    async remove(hostname) {
      await user.for(DomainClaim).delete({ name: claimName(hostname) });
      await world.until(
        `the end of ${hostname}`,
        () => world.get(hostname),
        (seen) => seen === undefined,
      );
    },
    async pass(ms) {
      for (const end = clock.monotonic() + ms; clock.monotonic() < end;) await turn();
    },
    async restart() {
      await stop();
      stop = start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await server.close();
    },
  };

  for (const kind of KINDS) await user.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  for (const kind of KINDS) await world.until(`the kind ${kind.kind}`, () => isServed(user, kind), Boolean);
  await user.for(core.Namespace).apply({ metadata: { name: "edge" } });
  let stop = start();
  world.pool = true;
  return world;
}

export function conditionOf({ status }: Claim, type: string) {
  return status?.conditions?.find((each) => each.type === type);
}

async function isServed(user: Client, { group, version, plural }: Immutable<Resource>): Promise<boolean> {
  return (await user.request({ method: "GET", path: `/apis/${group}/${version}/${plural}` })).status === 200;
}
