import { DomainClaim } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import type { Claim } from "../claims/claim.ts";
import { claimName } from "../names/index.ts";
import { allOf, presentCertificates } from "./certificates-on.ts";
import { gatewaysOf, isToBeServed, olderFirst } from "./claim-view.ts";
import type { GatewayDesign, PoolObservation } from "./design.ts";
import { isOfHostname } from "./listeners.ts";

/** The cache shows claims as they were a while ago. Once it has caught up there is another run. */
export class OldClaimsError extends Error {
  constructor(gateway: string, claim: string) {
    super(`DomainClaim ${claim} says other things of Gateway ${gateway} than the cache shows yet`);
    this.name = "OldClaimsError";
  }
}

type Live = Pick<Client, "for">;

/**
 * Asks the server before what hurts if the cache is old, as it may be in a process that has just become leader: making a load balancer
 * that nobody wants any more, and taking away what a hostname needs that was placed meanwhile. Rejects with {@link OldClaimsError}.
 */
export async function confirmDesign(
  client: Live,
  seen: PoolObservation,
  design: GatewayDesign,
  signal: AbortSignal,
): Promise<void> {
  const find = (name: string) => client.for(DomainClaim).find({ name }, { signal });
  if (seen.gateway === undefined) await confirmWanted(find, seen);
  for (const name of lostListeners(seen, design)) {
    const live = await find(name);
    if (live !== undefined && isServedBy(live, seen.name) && isNewer(live, seen)) {
      throw new OldClaimsError(seen.name, name);
    }
  }
  await confirmCertificates(find, seen, design);
}

type Find = (name: string) => Promise<Claim | undefined>;

async function confirmWanted(find: Find, { name, claims }: PoolObservation): Promise<void> {
  const [oldest] = claims.filter(({ status }) => status?.gateway === name).toSorted(olderFirst);
  const claim = oldest?.metadata.name ?? "";
  const live = oldest && (await find(claim));
  if (live?.status?.gateway !== name) throw new OldClaimsError(name, claim);
}

/** Claims of hostnames that lose their listener, except those that are known to be given up: that is never taken back. */
function lostListeners(seen: PoolObservation, design: GatewayDesign): readonly string[] {
  const released = new Set(seen.claims.filter((claim) => !isToBeServed(claim)).map(({ metadata }) => metadata.name));
  return [seen.gateway, ...seen.listenerSets]
    .flatMap((each) => each?.spec.listeners ?? [])
    .filter((each) => isOfHostname(each) && !design.hostnames.has(each.hostname ?? ""))
    .map(({ hostname = "" }) => claimName(hostname))
    .filter((name) => !released.has(name));
}

async function confirmCertificates(find: Find, seen: PoolObservation, design: GatewayDesign): Promise<void> {
  const staying = new Set(allOf(design.certificates));
  const released = seen.claims.filter((claim) => !isToBeServed(claim)).map(({ status }) => status?.certificate?.arn);
  const leaving = allOf(presentCertificates(seen.configuration)).filter(
    (arn) => !staying.has(arn) && !released.includes(arn) && seen.certificate(arn) !== "absent",
  );
  if (leaving.length === 0) return;
  for (const { spec, metadata } of seen.claims) {
    if (!design.hostnames.has(spec.hostname)) continue;
    const live = await find(metadata.name ?? "");
    if (live !== undefined && isServedBy(live, seen.name) && leaving.includes(live.status?.certificate?.arn ?? "")) {
      throw new OldClaimsError(seen.name, metadata.name ?? "");
    }
  }
}

function isServedBy(claim: Claim, gateway: string): boolean {
  return gatewaysOf(claim).includes(gateway) && isToBeServed(claim);
}

function isNewer({ metadata }: Claim, { claims }: PoolObservation): boolean {
  const known = claims.find((each) => each.metadata.uid === metadata.uid);
  return known === undefined || known.metadata.resourceVersion !== metadata.resourceVersion;
}
