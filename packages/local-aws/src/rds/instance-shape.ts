import type { DBInstance } from "@gatewright/aws-wire/types/rds";
import { hostOf, rdsArn } from "./arn.ts";
import type { Ground } from "./ground.ts";
import { statusAt } from "./life.ts";
import type { InstanceRecord } from "./records.ts";
import { usualFigures } from "./storage-rules.ts";
import { subnetGroupOf, subnetGroupTold } from "./subnet-groups.ts";
import { tagList } from "./tags.ts";

const RESTORABLE_AFTER_MS = 5 * 60_000;

/** Where names of instances live in Route 53. */
const HOSTED_ZONES: ReadonlyMap<string, string> = new Map([
  ["us-east-1", "Z2R2ITUGPM61AM"],
  ["us-east-2", "Z2XHWR1WZ565X2"],
  ["us-west-1", "Z10WI91S59XXQN"],
  ["us-west-2", "Z1PVIF0B656C1W"],
  ["eu-west-1", "Z29XKXDKYMONMX"],
  ["eu-central-1", "Z1RLNUO7B9Q6NB"],
]);

/** All that is told of an instance at a moment. Before it was made it has no endpoint. */
export function instanceTold(ground: Ground, record: InstanceRecord): DBInstance {
  const now = ground.world.clock.now();
  const { facts, pending } = record;
  const status = statusAt(record, now);
  const usual = usualFigures(facts);
  const identifier = facts.DBInstanceIdentifier;
  const hasEndpoint = status !== "creating" && status !== "failed";
  const restart =
    status === "stopped" ? record.life.phases.find((phase) => phase.status === "stopped")?.until : undefined;
  const zone = HOSTED_ZONES.get(record.region) ?? "Z2R2ITUGPM61AM";
  return {
    ...facts,
    Iops: facts.Iops ?? usual.Iops,
    StorageThroughput: facts.StorageThroughput ?? usual.StorageThroughput,
    DBInstanceStatus: status,
    DBInstanceArn: rdsArn(record, "db", identifier),
    DbInstancePort: 0,
    DBSubnetGroup: subnetGroupTold(subnetGroupOf(ground, record, record.subnetGroup)),
    DBSecurityGroups: [],
    DBParameterGroups: [
      {
        DBParameterGroupName: record.parameterGroup,
        ParameterApplyStatus: record.rebootNeeded ? "pending-reboot" : "in-sync",
      },
    ],
    ReadReplicaDBInstanceIdentifiers: [],
    DomainMemberships: [],
    AssociatedRoles: [],
    PendingModifiedValues: pending?.values ?? {},
    TagList: tagList(record.tags),
    ...(hasEndpoint && {
      Endpoint: { Address: hostOf(record, identifier), Port: record.port, HostedZoneId: zone },
    }),
    ...(hasEndpoint && facts.BackupRetentionPeriod > 0 && { LatestRestorableTime: now - RESTORABLE_AFTER_MS }),
    ...(restart !== undefined && { AutomaticRestartTime: restart }),
    ...(status === "creating" && { InstanceCreateTime: undefined }),
  };
}
