import type { Certificate } from "@gatewright/aws";
import { DomainClaim } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";
import { namedCertificates } from "../pool/named-certificates.ts";
import type { Claim } from "./claim.ts";
import { BY_CERTIFICATE, BY_REQUESTED_NAME, BY_VALIDATION } from "./indexes.ts";
import { tokenOfOwn, zoneOfOwn } from "./own-tags.ts";
import { provenName, validationRecord } from "./validation-record.ts";
import type { ClaimWorld } from "./world.ts";

/** Between two looks at the most. */
const SWEEP_MS = 600_000;
/** While something is on its way. */
const BUSY_MS = 30_000;
const OWNER = "orphans";

type Context = Pick<ReconcileContext<DomainClaim>, "cached" | "client" | "signal">;

/** Removes certificates of this cluster that no claim uses or has requested. Gives the time until the next look. */
export type OrphanSweep = (context: Context) => Promise<number>;

/**
 * What failed attempts, replaced certificates and claims whose finalizer somebody took off have left behind. Slow on purpose, and sure:
 * only what this cluster has tagged, what no claim has had any use for in a while, and what the server says so of at the end: neither
 * claims nor LoadBalancerConfigurations name it.
 */
export function createOrphanSweep(world: ClaimWorld): OrphanSweep {
  const { certificates, clock, settings, loadBalancerConfiguration } = world;
  const since = new Map<string, number>();
  return async (context) => {
    const { cached, client, signal } = context;
    const own = certificates.own();
    if (own === "unknown") return BUSY_MS;
    const orphans = own.filter((each) => !each.inUse && !usersIn(cached, each).some((claim) => uses(claim, each)));
    const now = clock.monotonic();
    const known = new Set(orphans.map(({ arn }) => arn));
    for (const arn of since.keys()) if (!known.has(arn)) since.delete(arn);
    for (const { arn } of orphans) since.set(arn, since.get(arn) ?? now);
    const ripe = orphans.filter(({ arn }) => now - since.get(arn)! >= settings.orphanMs);
    if (ripe.length === 0) return Math.min(SWEEP_MS, settings.orphanMs);
    const claims = (await client.for(DomainClaim).list({ signal })).items;
    const named = await namedCertificates(client, loadBalancerConfiguration, settings.edgeNamespace, signal);
    let busy = false;
    for (const orphan of ripe) {
      if (named.has(orphan.arn) || claims.some((claim) => uses(claim, orphan))) since.delete(orphan.arn);
      else if (!(await remove(world, context, orphan))) busy = true;
    }
    return busy ? BUSY_MS : Math.min(SWEEP_MS, settings.orphanMs);
  };
}

/** Whether it is gone. Its records go first: of what they prove only the certificate tells. */
async function remove(
  { certificates, zones }: ClaimWorld,
  { cached, signal }: Context,
  orphan: Certificate,
): Promise<boolean> {
  const described = await certificates.describe(orphan.arn, signal);
  if (described === "absent") return true;
  const zoneId = zoneOfOwn(orphan);
  for (const { record } of described.validations ?? []) {
    if (record === undefined || zoneId === undefined) continue;
    const carriers = certificates.carrying(provenName(record));
    if (carriers === "unknown") return false;
    const needed = carriers.some(({ arn }) => arn !== orphan.arn);
    if (needed || cached(DomainClaim).byIndex(BY_VALIDATION, record.name).length > 0) continue;
    const change = { action: "delete", record: validationRecord(record) } as const;
    const { state } = zones.change({ zoneId, changes: [change], owner: OWNER });
    if (state === "waiting" || state === "pending") return false;
  }
  return certificates.remove(orphan.arn, OWNER).state === "gone";
}

/** Claims that may have to do with a certificate: all that name it, and all that have requested one of its names. */
function usersIn(cached: Context["cached"], { arn, names }: Certificate): readonly Claim[] {
  const claims = cached(DomainClaim);
  return [...claims.byIndex(BY_CERTIFICATE, arn), ...names.flatMap((name) => claims.byIndex(BY_REQUESTED_NAME, name))];
}

function uses({ status }: Claim, certificate: Certificate): boolean {
  const { arn, request } = status?.certificate ?? {};
  return arn === certificate.arn || (request !== undefined && request.token === tokenOfOwn(certificate));
}
