import { keyOf } from "@gatewright/kube";
import type { ObjectRef } from "@gatewright/kube";
import { DomainClaim, GatewayHostnameRequest } from "@gatewright/resources";
import { isAlreadyExists, isMissing } from "@gatewright/runtime";
import type { ReconcileContext } from "@gatewright/runtime";
import { CLAIM_FINALIZER, claimLabels } from "../claims/claim-labels.ts";
import { overlapCandidates } from "../claims/overlap-candidates.ts";
import { rivalOf, standing } from "../claims/overlap.ts";
import { claimName } from "../names/index.ts";
import type { ClaimingTurns } from "./claiming-turns.ts";
import type { Effect } from "./decide.ts";
import type { Claim, Request } from "./observation.ts";
import { heldBy, overlappedBy, RefusedError } from "./refusal.ts";
import type { WantedName } from "./wanted-names.ts";
import { wishOf } from "./wish.ts";

type Context = Pick<ReconcileContext<GatewayHostnameRequest>, "client" | "signal" | "ref">;

/** The cache shows an older request than the server has. Once it has caught up there is another run. */
export class OutdatedError extends Error {
  constructor(ref: ObjectRef) {
    super(`GatewayHostnameRequest ${keyOf(ref)} was changed or deleted, and the cache does not show it yet`);
    this.name = "OutdatedError";
  }
}

/** Does one effect. Rejects with {@link RefusedError} when it turns out, live, that the hostname cannot be had. */
export async function perform(context: Context, turns: ClaimingTurns, request: Request, effect: Effect): Promise<void> {
  // A process that has just become leader may decide by what was wanted a while ago.
  await confirmCurrent(context, request);
  switch (effect.type) {
    case "claim":
      return turns(effect.name.hostname, () => claim(context, request, effect.name));
    case "wish":
      return write(context, effect);
    case "contest":
      return contest(context, effect.claim);
    case "release":
      return release(context, effect.claim);
  }
}

async function confirmCurrent({ client, signal, ref }: Context, { metadata }: Request): Promise<void> {
  const live = await client.for(GatewayHostnameRequest).find(ref, { signal });
  const { uid, generation, deletionTimestamp } = live?.metadata ?? {};
  if (uid !== metadata.uid || generation !== metadata.generation || deletionTimestamp !== undefined) {
    throw new OutdatedError(ref);
  }
}

async function claim({ client, signal }: Context, request: Request, name: WantedName): Promise<void> {
  const { hostname } = name;
  const { namespace = "", name: requestName = "", uid = "" } = request.metadata;
  const rival = rivalOf({ hostname, namespace }, await overlapCandidates(client, hostname, signal));
  if (rival !== undefined) throw new RefusedError(hostname, overlappedBy(hostname, rival));
  const ref = { name: claimName(hostname) };
  try {
    await client.for(DomainClaim).create(
      {
        metadata: { ...ref, labels: claimLabels(hostname, uid), finalizers: [CLAIM_FINALIZER] },
        spec: {
          zoneId: request.spec.zoneId,
          hostname,
          ownerRef: { namespace, name: requestName, uid },
          wish: wishOf(request, name),
        },
      },
      { signal },
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const holder = await client.for(DomainClaim).find(ref, { signal });
    // Its own when the answer to an earlier try was lost; gone again when its holder gave it up: both are told by the watch.
    if (holder !== undefined && holder.spec.ownerRef.uid !== uid) throw new RefusedError(hostname, heldBy(holder));
  }
}

/** Gives this very claim another wish; as a whole, so that what is no longer wished for goes. */
export async function write(
  { client, signal }: Pick<Context, "client" | "signal">,
  { claim: { metadata }, wish }: Pick<Extract<Effect, { type: "wish" }>, "claim" | "wish">,
): Promise<void> {
  await client.for(DomainClaim).patch(
    { name: metadata.name ?? "" },
    {
      json: [
        { op: "test", path: "/metadata/uid", value: metadata.uid },
        { op: "add", path: "/spec/wish", value: wish },
      ],
    },
    { signal },
  );
}

async function contest({ client, signal }: Context, seen: Claim): Promise<void> {
  const { name = "", uid } = seen.metadata;
  const own = await client.for(DomainClaim).find({ name }, { signal });
  if (own === undefined || own.metadata.uid !== uid) return;
  const { hostname } = own.spec;
  const stands = standing(own, await overlapCandidates(client, hostname, signal));
  if (stands.state !== "yields") return;
  const { resourceVersion = "" } = own.metadata;
  await remove({ client, signal }, own, { resourceVersion });
  throw new RefusedError(hostname, overlappedBy(hostname, stands.to));
}

/** Gives a claim up: its finalizer lets it go when all that was made for it is gone. Only this very claim. */
export function release(context: Pick<Context, "client" | "signal">, seen: Claim): Promise<void> {
  return remove(context, seen);
}

async function remove(
  { client, signal }: Pick<Context, "client" | "signal">,
  { metadata: { name = "", uid = "" } }: Claim,
  more: { readonly resourceVersion?: string } = {},
): Promise<void> {
  try {
    await client.for(DomainClaim).delete({ name }, { preconditions: { uid, ...more }, signal });
  } catch (error) {
    if (!isMissing(error, DomainClaim, { name })) throw error;
  }
}
