import type { Random } from "@gatewright/ports";
import { specMs } from "../../configuration/spec-duration.ts";
import type { Balancer } from "./balancer.ts";
import { byChance, leastRequest } from "./by-chance.ts";
import { consistentHash } from "./consistent-hash.ts";
import { requestKey } from "./request-key.ts";
import type { RequestKeySpec } from "./request-key.ts";
import { roundRobin } from "./round-robin.ts";
import { Sticky } from "./sticky.ts";

/** The field `loadBalancer` of backends. */
export interface LoadBalancerSpec {
  readonly algorithm?: string;
  readonly consistentHash?: RequestKeySpec;
  readonly sticky?: { readonly cookieName?: string; readonly ttl?: string };
}

/** The balancer that a backend asks for; round robin by weight where it asks for none. */
export function balancerOf(
  spec: LoadBalancerSpec | undefined,
  backend: string,
  random: Random,
  stickySecret: string,
): Balancer | Sticky {
  switch (spec?.algorithm) {
    case "leastConn":
    case "leastRequest":
      return leastRequest(random);
    case "random":
      return byChance(random);
    case "consistentHash":
      return consistentHash(requestKey(spec.consistentHash ?? {}), roundRobin);
    case "sticky": {
      const { cookieName, ttl } = spec.sticky ?? {};
      const ttlMs = specMs(ttl, 0);
      return new Sticky(
        {
          ...(cookieName !== undefined && { cookie: cookieName }),
          ...(ttlMs > 0 && { maxAgeSeconds: Math.ceil(ttlMs / 1000) }),
        },
        backend,
        stickySecret,
        roundRobin,
      );
    }
    default:
      return roundRobin;
  }
}
