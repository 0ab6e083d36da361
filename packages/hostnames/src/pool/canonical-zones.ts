import type { Aws } from "@gatewright/aws";
import { aborted, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/runtime";
import { canonicalZoneOf } from "./canonical-zone.ts";

export interface CanonicalZonesOptions {
  readonly elbv2: Pick<Aws["elbv2"], "allLoadBalancers">;
  readonly clock: Clock;
  readonly log?: Log;
}

/** The hosted zones that alias records name for load balancers: from a table, and from AWS for regions that are not in it. */
export interface CanonicalZones {
  /** Undefined while it is not known; then AWS is asked in the background. It never changes for a name. */
  zoneOf(dnsName: string): string | undefined;
  /** Told the name of each load balancer whose zone has become known. */
  onChange(listener: (dnsName: string) => void): void;
  /** Asks AWS for what is not known, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** How long until AWS is asked again for a load balancer that it did not tell of, and how often. */
const ASK_AGAIN_MS = 30_000;
const MOST_TRIES = 20;

export function createCanonicalZones({ elbv2, clock, log }: CanonicalZonesOptions): CanonicalZones {
  const known = new Map<string, string>();
  /** With how often AWS has been asked. */
  const missing = new Map<string, number>();
  const listeners: ((dnsName: string) => void)[] = [];
  let news = Promise.withResolvers<void>();

  const ask = async (signal: AbortSignal): Promise<void> => {
    for await (const { DNSName = "", CanonicalHostedZoneId } of elbv2.allLoadBalancers({}, { signal })) {
      const name = DNSName.toLowerCase();
      if (CanonicalHostedZoneId === undefined || !missing.delete(name)) continue;
      known.set(name, CanonicalHostedZoneId);
      for (const tell of listeners) tell(name);
    }
    // A load balancer that is gone is not waited for.
    for (const [name, tries] of missing) {
      if (tries + 1 < MOST_TRIES) missing.set(name, tries + 1);
      else missing.delete(name);
    }
  };

  return {
    zoneOf(dnsName) {
      const name = dnsName.toLowerCase();
      const zone = canonicalZoneOf(name) ?? known.get(name);
      if (zone === undefined && !missing.has(name)) {
        missing.set(name, 0);
        news.resolve();
      }
      return zone;
    },
    onChange: (listener) => void listeners.push(listener),
    async run(signal) {
      while (!signal.aborted) {
        if (missing.size === 0) {
          news = Promise.withResolvers();
          await Promise.race([news.promise, aborted(signal)]);
        }
        if (signal.aborted) return;
        try {
          await ask(signal);
          if (missing.size > 0) await sleep(clock, ASK_AGAIN_MS, signal);
        } catch (error) {
          if (signal.aborted) return;
          log?.warn("Load balancers could not be listed; AWS is asked again in a while", { error });
          await sleep(clock, ASK_AGAIN_MS, signal).catch(() => {}); // it aborts, and the loop ends
        }
      }
    },
  };
}
