import type { DBInstance, DBSnapshot, PendingModifiedValues } from "@gatewright/aws-wire/types/rds";
import type { Life } from "./life.ts";

/** Tags in the order in which they were given. */
export type Tags = readonly (readonly [key: string, value: string])[];

/** What is told of an instance as it is stored; the rest follows from its life and its neighbours. */
export type InstanceFacts = DBInstance & {
  readonly DBInstanceIdentifier: string;
  readonly DBInstanceClass: string;
  readonly Engine: string;
  readonly EngineVersion: string;
  readonly AllocatedStorage: number;
  readonly StorageType: string;
  readonly BackupRetentionPeriod: number;
  readonly PreferredMaintenanceWindow: string;
  readonly PreferredBackupWindow: string;
  readonly DbiResourceId: string;
};

/** Values that are going to be others. */
export type PendingValues = {
  readonly [Name in keyof PendingModifiedValues]?: Exclude<PendingModifiedValues[Name], undefined>;
};

/** Changes that wait for the maintenance window, or are being made. They count from `until` on. */
export interface PendingChange {
  readonly values: PendingValues;
  readonly from: number;
  readonly until: number;
  /** What the instance does meanwhile: `modifying`, `upgrading`. */
  readonly status: string;
  /** The parameters of the next major version. */
  readonly parameterGroup?: string | undefined;
  /** Until when storage is rearranged afterwards. */
  readonly optimizedAt?: number | undefined;
}

export interface InstanceRecord {
  readonly account: string;
  readonly region: string;
  readonly facts: InstanceFacts;
  readonly port: number;
  readonly subnetGroup: string;
  readonly parameterGroup: string;
  /** Whether a new parameter group counts only after a reboot. */
  readonly rebootNeeded: boolean;
  readonly life: Life;
  readonly pending?: PendingChange | undefined;
  readonly tags: Tags;
}

export interface SnapshotRecord {
  readonly account: string;
  readonly region: string;
  readonly facts: DBSnapshot & { readonly DBSnapshotIdentifier: string; readonly DBInstanceIdentifier: string };
  /** What an instance that is restored from it begins with. */
  readonly source: Pick<InstanceRecord, "facts" | "port" | "subnetGroup" | "parameterGroup">;
  readonly availableAt: number;
  readonly tags: Tags;
}

export interface SubnetGroupRecord {
  readonly account: string;
  readonly region: string;
  readonly name: string;
  readonly description: string;
  readonly vpcId: string;
  readonly subnets: readonly { readonly id: string; readonly zone: string }[];
  readonly tags: Tags;
}

export interface ParameterGroupRecord {
  readonly account: string;
  readonly region: string;
  readonly name: string;
  readonly family: string;
  readonly description: string;
  readonly tags: Tags;
}
