import type { Change, ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { canonicalName } from "./canonical.ts";
import type { RecordChange, RecordSet } from "./record-set.ts";

/** A set as Route 53 takes it. */
export function toWire(record: RecordSet): ResourceRecordSet {
  const { alias, values } = record;
  return {
    Name: `${canonicalName(record.name)}.`,
    Type: record.type,
    ...(record.setIdentifier !== undefined && { SetIdentifier: record.setIdentifier }),
    ...(record.weight !== undefined && { Weight: record.weight }),
    ...(record.failover !== undefined && { Failover: record.failover }),
    ...(record.healthCheckId !== undefined && { HealthCheckId: record.healthCheckId }),
    ...(alias === undefined && record.ttl !== undefined && { TTL: record.ttl }),
    ...(values !== undefined && { ResourceRecords: values.map((Value) => ({ Value })) }),
    ...(alias !== undefined && {
      AliasTarget: {
        HostedZoneId: alias.zoneId,
        DNSName: alias.dnsName,
        EvaluateTargetHealth: alias.evaluateTargetHealth,
      },
    }),
  };
}

/** A set as Route 53 tells it. */
export function fromWire(set: ResourceRecordSet): RecordSet {
  const { AliasTarget: alias } = set;
  const foreign =
    set.Region !== undefined ||
    set.GeoLocation !== undefined ||
    set.MultiValueAnswer !== undefined ||
    set.TrafficPolicyInstanceId !== undefined ||
    set.CidrRoutingConfig !== undefined ||
    set.GeoProximityLocation !== undefined;
  return {
    name: canonicalName(set.Name),
    type: set.Type,
    ...(set.TTL !== undefined && { ttl: set.TTL }),
    ...(set.ResourceRecords?.length && { values: set.ResourceRecords.map(({ Value }) => Value) }),
    ...(alias !== undefined && {
      alias: {
        dnsName: canonicalName(alias.DNSName),
        zoneId: alias.HostedZoneId,
        evaluateTargetHealth: alias.EvaluateTargetHealth,
      },
    }),
    ...(set.SetIdentifier !== undefined && { setIdentifier: set.SetIdentifier }),
    ...(set.Weight !== undefined && { weight: set.Weight }),
    ...(set.Failover !== undefined && { failover: set.Failover === "PRIMARY" ? "PRIMARY" : "SECONDARY" }),
    ...(set.HealthCheckId !== undefined && { healthCheckId: set.HealthCheckId }),
    ...(foreign && { foreign }),
  };
}

/** A change as Route 53 takes it: never an UPSERT, which costs double and overwrites what others made. */
export function changesToWire(change: RecordChange): readonly Change[] {
  const make = (Action: string, record: RecordSet): Change => ({ Action, ResourceRecordSet: toWire(record) });
  switch (change.action) {
    case "create":
      return [make("CREATE", change.record)];
    case "delete":
      return [make("DELETE", change.record)];
    case "replace":
      return [make("DELETE", change.from), make("CREATE", change.to)];
  }
}
