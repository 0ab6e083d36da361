import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";
import { claimName } from "../names/index.ts";
import { namedCertificates } from "../pool/named-certificates.ts";
import type { Answers } from "./answers.ts";
import { ownerOf, staysLonger } from "./claim.ts";
import type { Claim } from "./claim.ts";
import type { Effect } from "./decision.ts";
import { overlapCandidates } from "./overlap-candidates.ts";
import { inspectDns } from "./public-dns.ts";
import type { ClaimWorld } from "./world.ts";

type Context = Pick<ReconcileContext<DomainClaim>, "client" | "signal">;

/** Does one effect, and gives the answers with what it brought. Nothing waits for AWS to finish: orders are asked for again. */
export async function perform(
  world: ClaimWorld,
  context: Context,
  claim: Claim,
  effect: Effect,
  answers: Answers,
): Promise<Answers> {
  const { zones, certificates } = world;
  const { signal } = context;
  const { zoneId } = claim.spec;
  const owner = ownerOf(claim);
  switch (effect.type) {
    case "lookAround":
      return { ...answers, around: await lookAround(context, claim) };
    case "readZone":
      return { ...answers, zone: await trying(() => zones.zone(zoneId, signal), signal) };
    case "requestCertificate": {
      const progress = certificates.request(effect.order);
      return { ...answers, request: { ...progress, token: effect.order.token } };
    }
    case "changeRecord": {
      const { key, change, patient = false } = effect;
      const tries = (answers.changes.get(key)?.tries ?? 0) + 1;
      const progress = zones.change({ zoneId, changes: [change], owner, patient });
      return { ...answers, changes: new Map(answers.changes).set(key, { change, progress, tries }) };
    }
    case "inspect":
      return { ...answers, inspection: await inspect(world, claim, effect.record, signal) };
    case "findUsers": {
      const { arn } = effect;
      const others = await otherUsers(world, context, claim, arn);
      return { ...answers, users: { arn, others, named: others.length === 0 && (await isNamed(world, context, arn)) } };
    }
    case "describeCertificate": {
      const { arn } = effect;
      const described = await trying(() => certificates.describe(arn, signal), signal);
      return { ...answers, described: { arn, certificate: described } };
    }
    case "removeCertificate": {
      const { arn } = effect;
      return { ...answers, removal: { ...certificates.remove(arn, owner), arn } };
    }
  }
}

async function lookAround({ client, signal }: Context, { spec }: Claim): Promise<NonNullable<Answers["around"]>> {
  const { namespace, name, uid } = spec.ownerRef;
  const request = await client.for(GatewayHostnameRequest).find({ namespace, name }, { signal });
  const rivals = await overlapCandidates(client, spec.hostname, signal);
  if (request?.metadata.uid !== uid) return { owner: "absent", rivals };
  return { owner: request.metadata.deletionTimestamp === undefined ? "present" : "going", rivals };
}

/** Trouble with AWS is an answer too: the claim says so and goes on later. */
async function trying<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T | { readonly failed: string }> {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted) throw error;
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

async function inspect(
  world: ClaimWorld,
  { spec }: Claim,
  record: { readonly name: string; readonly value: string },
  signal: AbortSignal,
): Promise<string> {
  if (world.dns === undefined) return "";
  const zone = await trying(() => world.zones.zone(spec.zoneId, signal), signal);
  const known = typeof zone === "object" && !("failed" in zone) ? zone : undefined;
  return inspectDns(world.dns, { record, hostname: spec.hostname, zone: known }, signal);
}

/**
 * Claims besides this one that have the certificate, live: a cache that is behind would let it go under their feet. Those of a
 * certificate without wildcards are found by its names; a wildcard's may be any.
 */
async function otherUsers(
  { certificates }: ClaimWorld,
  { client, signal }: Context,
  claim: Claim,
  arn: string,
): Promise<readonly string[]> {
  const certificate = arn === "" ? undefined : certificates.get(arn);
  const requested = claim.status?.certificate?.request?.names ?? [];
  const names = typeof certificate === "object" ? certificate.names : requested;
  const exact = names.length > 0 && names.every((name) => !name.startsWith("*."));
  const claims = exact
    ? await Promise.all(names.map((name) => client.for(DomainClaim).find({ name: claimName(name) }, { signal })))
    : (await client.for(DomainClaim).list({ signal })).items;
  return claims.flatMap((other) => (other !== undefined && uses(other, claim, arn) ? [ownerOf(other)] : []));
}

/** Whether a load balancer has the certificate or is to get it. The claim is released: who begins to write now does not name it. */
async function isNamed(
  { runs, settings, loadBalancerConfiguration }: ClaimWorld,
  { client, signal }: Context,
  arn: string,
): Promise<boolean> {
  if (arn === "") return false;
  await runs.ended();
  return (await namedCertificates(client, loadBalancerConfiguration, settings.edgeNamespace, signal)).has(arn);
}

function uses(other: Claim, claim: Claim, arn: string): boolean {
  if (!staysLonger(other, claim)) return false;
  const { arn: used, request } = other.status?.certificate ?? {};
  const token = claim.status?.certificate?.request?.token;
  return used !== undefined ? used === arn : request !== undefined && request.token === token;
}
