import { parseTime } from "@gatewright/kube";
import { DomainClaim } from "@gatewright/resources";
import type { GatewayHostnameRequest } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";

type Context = Pick<ReconcileContext<GatewayHostnameRequest>, "client" | "clock" | "signal">;

/**
 * The time by the clock of the API server, which says when requests were made. This machine's may be wrong by years, and a request that
 * is deleted too early is an outage.
 */
export interface ServerTime {
  /** As it was told once, carried on by a clock that never jumps. Milliseconds since the epoch. */
  now(context: Context): Promise<number>;
  /** Asks anew. */
  ask(context: Context): Promise<number>;
}

/** Asks by a claim that is never made: servers stamp what they are to create. Needs access to `create` DomainClaims. */
export function createServerTime(): ServerTime {
  let offset: number | undefined;
  const ask: ServerTime["ask"] = async ({ client, clock, signal }) => {
    const { metadata } = await client.for(DomainClaim).create(
      {
        metadata: { generateName: "time-" },
        spec: { zoneId: "Z", hostname: "time.invalid", ownerRef: { namespace: "none", name: "none", uid: "none" } },
      },
      { dryRun: true, signal },
    );
    const told = parseTime(metadata.creationTimestamp ?? "");
    if (told === undefined) throw new Error("the server did not say what time it is");
    offset = told - clock.monotonic();
    return told;
  };
  return {
    ask,
    now: async (context) => (offset === undefined ? ask(context) : context.clock.monotonic() + offset),
  };
}
