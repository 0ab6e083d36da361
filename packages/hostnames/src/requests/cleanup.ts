import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import { after, done } from "@gatewright/runtime";
import type { Outcome, ReconcileContext } from "@gatewright/runtime";
import { REQUEST_LABEL } from "../claims/claim-labels.ts";
import type { HostnameSettings } from "../settings.ts";
import { release, write } from "./effects.ts";
import { judge } from "./judge.ts";
import { BY_REQUEST, observe } from "./observation.ts";
import type { Claim, Observation, Request } from "./observation.ts";
import { isAsWished, wishOf } from "./wish.ts";
import { writeStatus } from "./write-status.ts";

/** Claims tell when they go; this is for the case that nobody does. */
const LOOK_AGAIN_MS = 600_000;

type Context = ReconcileContext<GatewayHostnameRequest>;

/** Gives all claims of a deleted request up. Done when they are gone. */
export async function cleanUp(context: Context, request: Request, settings: HostnameSettings): Promise<Outcome> {
  const seen = observe(context, request);
  // A cache that is behind must not let the request go before its claims.
  const claims = seen.own.length > 0 ? seen.own : await liveClaims(context, request);
  if (claims.length === 0) return done();
  for (const claim of claims) {
    if (claim.metadata.deletionTimestamp !== undefined) continue;
    await tellLastWish(context, seen, claim);
    await release(context, claim);
  }
  await writeStatus(context, request, judge(observe(context, request), new Map(), settings));
  return after(LOOK_AGAIN_MS);
}

async function liveClaims({ client, signal }: Context, { metadata: { uid = "" } }: Request): Promise<readonly Claim[]> {
  const { items } = await client.for(DomainClaim).list({ labelSelector: `${REQUEST_LABEL}=${uid}`, signal });
  return items.filter(({ spec }) => spec.ownerRef.uid === uid);
}

/** Whether to keep what is in AWS may have been decided right before the deletion. */
async function tellLastWish(context: Context, { request, wanted }: Observation, claim: Claim): Promise<void> {
  const name = "names" in wanted ? wanted.names.find(({ hostname }) => hostname === claim.spec.hostname) : undefined;
  if (name === undefined) return;
  const wish = wishOf(request, name);
  if (!isAsWished(claim, wish)) await write(context, { claim, wish });
}

/**
 * Gives up claims that name this request but another uid: theirs is gone without a cleanup, its finalizer taken off by hand. Asks the
 * server first. Never takes one over: what was made for it is removed before the hostname is free again.
 */
export async function giveUpOrphans(context: Context): Promise<void> {
  const { cached, client, key, ref, object, signal, log } = context;
  const orphans = cached(DomainClaim)
    .byIndex(BY_REQUEST, key)
    .filter(({ metadata, spec }) => {
      return metadata.deletionTimestamp === undefined && spec.ownerRef.uid !== object?.metadata.uid;
    });
  if (orphans.length === 0) return;
  const live = await client.for(GatewayHostnameRequest).find(ref, { signal });
  for (const claim of orphans) {
    if (claim.spec.ownerRef.uid === live?.metadata.uid) continue;
    log.info("giving up a claim whose request is gone", { claim: claim.metadata.name, hostname: claim.spec.hostname });
    await release(context, claim);
  }
}
