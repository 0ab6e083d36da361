import type { RecordSet } from "@gatewright/aws";
import type { Claim, LoadBalancer } from "./claim.ts";
import { wishOf } from "./claim.ts";

/** The records that lead from a hostname to its load balancer. AAAA only where that has IPv6: it would answer nothing. */
export function aliasRecords(claim: Claim, { dnsName, zoneId, dualStack }: LoadBalancer): readonly RecordSet[] {
  const {
    recordTypes = ["A", "AAAA"],
    evaluateTargetHealth = true,
    setIdentifier,
    weight,
    failover,
    healthCheckId,
  } = wishOf(claim).dns ?? {};
  const types = recordTypes.filter((type) => type === "A" || dualStack);
  return types.map((type) => ({
    name: claim.spec.hostname,
    type,
    alias: { dnsName, zoneId, evaluateTargetHealth },
    ...(setIdentifier !== undefined && { setIdentifier }),
    ...(weight !== undefined && { weight }),
    ...(failover !== undefined && { failover }),
    ...(healthCheckId !== undefined && { healthCheckId }),
  }));
}
