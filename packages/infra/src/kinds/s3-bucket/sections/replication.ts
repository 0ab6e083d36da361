import type { s3 } from "@gatewright/aws";
import type { Json, JsonObject } from "@gatewright/kube";
import type { SectionOf } from "../bucket-spec.ts";
import { byId, compact } from "./compact.ts";
import { filterOf, scopeOf } from "./rule-filter.ts";

type Section = SectionOf<"replication">;
type Rule = Section["rules"][number];

const ON = { Status: "Enabled" } as const;
/** The only time that S3 promises. */
const QUARTER = { Minutes: 15 } as const;

/** Rules as S3 takes them. Those without an id are named by their place, and without a priority the first wins. */
export function replicationToAws({ role, rules }: Section): s3.ReplicationConfiguration {
  return {
    Role: role,
    Rules: rules.map((rule, index) => ({
      ID: rule.id ?? `rule-${index + 1}`,
      Priority: rule.priority ?? rules.length - index,
      Status: rule.enabled ? "Enabled" : "Disabled",
      Filter: filterOf(rule),
      DeleteMarkerReplication: { Status: rule.deleteMarkers === true ? "Enabled" : "Disabled" },
      ...criteriaOf(rule),
      Destination: destinationOf(rule),
    })),
  };
}

/** Rules as specs say them, in one order. */
export function replicationToSpec({ Role: role, Rules: rules }: s3.ReplicationConfiguration): Json {
  return compact({
    role,
    rules: byId(
      rules.map((rule) =>
        compact({
          id: rule.ID,
          priority: rule.Priority,
          enabled: rule.Status === "Enabled",
          ...scopeOf(rule.Filter, rule.Prefix),
          deleteMarkers: isOn(rule.DeleteMarkerReplication),
          replicaModifications: isOn(rule.SourceSelectionCriteria?.ReplicaModifications),
          kmsEncryptedObjects: isOn(rule.SourceSelectionCriteria?.SseKmsEncryptedObjects),
          destination: destinationToSpec(rule.Destination),
        }),
      ),
    ),
  });
}

function criteriaOf({
  kmsEncryptedObjects,
  replicaModifications,
}: Rule): Pick<s3.ReplicationRule, "SourceSelectionCriteria"> {
  const criteria = {
    ...(kmsEncryptedObjects === true && { SseKmsEncryptedObjects: ON }),
    ...(replicaModifications === true && { ReplicaModifications: ON }),
  };
  return Object.keys(criteria).length > 0 ? { SourceSelectionCriteria: criteria } : {};
}

function destinationOf({ destination: to }: Rule): s3.Destination {
  return {
    Bucket: to.bucketARN,
    Account: to.accountID,
    StorageClass: to.storageClass,
    ...(to.ownedByDestination === true && { AccessControlTranslation: { Owner: "Destination" } }),
    ...(to.kmsKeyID !== undefined && { EncryptionConfiguration: { ReplicaKmsKeyID: to.kmsKeyID } }),
    ...(to.replicationTimeControl === true && {
      ReplicationTime: { ...ON, Time: QUARTER },
      Metrics: { ...ON, EventThreshold: QUARTER },
    }),
  };
}

function destinationToSpec(to: s3.Destination): JsonObject {
  return compact({
    bucketARN: to.Bucket,
    accountID: to.Account,
    ownedByDestination: to.AccessControlTranslation?.Owner === "Destination" ? true : undefined,
    storageClass: to.StorageClass,
    kmsKeyID: to.EncryptionConfiguration?.ReplicaKmsKeyID,
    replicationTimeControl: isOn(to.ReplicationTime),
  });
}

function isOn(setting: { readonly Status?: string | undefined } | undefined): true | undefined {
  return setting?.Status === "Enabled" ? true : undefined;
}
