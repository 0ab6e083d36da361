import type { InstanceMetadataOptionsResponse } from "@gatewright/aws-wire/types/ec2";
import type { Life } from "./instance-life.ts";

/** Tags in the order in which they were given. */
export type Tags = readonly (readonly [key: string, value: string])[];

export interface VpcRecord {
  readonly id: string;
  readonly cidr: string;
  readonly isDefault: boolean;
  readonly tenancy: string;
}

export interface SubnetRecord {
  readonly id: string;
  readonly vpcId: string;
  readonly zone: string;
  readonly cidr: string;
  /** Of the default VPC, with public addresses for everything in it. */
  readonly isDefault: boolean;
}

/** One rule: a protocol, ports, and one that they are open to. */
export interface RuleRecord {
  readonly id: string;
  readonly egress: boolean;
  readonly protocol: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly peer:
    | { readonly kind: "ipv4" | "ipv6" | "prefix"; readonly value: string }
    | { readonly kind: "group"; readonly value: string; readonly account: string };
  readonly description?: string | undefined;
}

export interface GroupRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly vpcId: string;
  readonly rules: readonly RuleRecord[];
}

export interface InstanceRecord {
  readonly id: string;
  readonly reservationId: string;
  readonly launchIndex: number;
  readonly createdAt: number;
  /** When it was started last. */
  readonly launchedAt: number;
  readonly clientToken: string;
  readonly imageId: string;
  readonly type: string;
  readonly keyName?: string | undefined;
  readonly subnetId: string;
  readonly vpcId: string;
  readonly zone: string;
  readonly tenancy: string;
  readonly groups: readonly string[];
  readonly interfaceId: string;
  readonly privateIp: string;
  readonly publicIp?: string | undefined;
  readonly monitoring: boolean;
  readonly ebsOptimized: boolean;
  readonly sourceDestCheck: boolean;
  readonly noTermination: boolean;
  readonly noStop: boolean;
  readonly shutdownBehavior: string;
  readonly userData?: string | undefined;
  readonly metadataOptions: InstanceMetadataOptionsResponse;
  readonly profile?:
    | { readonly associationId: string; readonly arn: string; readonly id: string; readonly since: number }
    | undefined;
  readonly volumes: readonly { readonly device: string; readonly volumeId: string }[];
  readonly life: Life;
}

export interface VolumeRecord {
  readonly id: string;
  readonly zone: string;
  readonly size: number;
  readonly type: string;
  readonly iops?: number | undefined;
  readonly throughput?: number | undefined;
  readonly encrypted: boolean;
  readonly kmsKeyId?: string | undefined;
  readonly snapshotId?: string | undefined;
  readonly createdAt: number;
  readonly instanceId: string;
  readonly device: string;
  readonly deleteOnTermination: boolean;
  /** When the instance lets go of it; it goes then, or stays without one. */
  readonly releasedAt?: number | undefined;
  readonly modification?:
    | {
        readonly startedAt: number;
        readonly optimizingAt: number;
        readonly completedAt: number;
        readonly before: Pick<VolumeRecord, "size" | "type" | "iops" | "throughput">;
      }
    | undefined;
}

export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly createdAt: number;
}

export interface AddressRecord {
  readonly id: string;
  readonly ip: string;
}

/** What a client token was used for. */
export interface TokenRecord {
  readonly parameters: string;
  readonly reservationId: string;
  readonly instances: readonly string[];
}
