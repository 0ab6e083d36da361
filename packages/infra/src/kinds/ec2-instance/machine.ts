import type { ec2 } from "@gatewright/aws";

/** A tag that says that the instance was stopped for a change and is to be started again. Never shown as a tag. */
export const START_AGAIN = "gatewright.dev/start-again";

/** A tag that says what AWS refused though the instance was stopped for it. Never shown as a tag. */
export const REFUSED = "gatewright.dev/refused-change";

/** The state of an instance that is no more. */
export const TERMINATED = "terminated";

/** A volume of an instance. What only volumes tell is undefined where it was not read. */
export interface Disk {
  readonly device: string;
  readonly volumeId: string;
  readonly deleteOnTermination: boolean;
  readonly size?: number | undefined;
  readonly type?: string | undefined;
  readonly iops?: number | undefined;
  readonly throughput?: number | undefined;
  readonly encrypted?: boolean | undefined;
  readonly key?: string | undefined;
}

/** What instances tell by calls of their own, each only where it is declared. */
export interface Attributes {
  readonly userData?: string;
  readonly disableApiTermination?: boolean;
  readonly disableApiStop?: boolean;
  readonly instanceInitiatedShutdownBehavior?: string;
  /** The end of its console, and when it was taken. */
  readonly console?: { readonly text: string; readonly at: number | undefined };
}

export const METADATA_OPTIONS = {
  httpTokens: "HttpTokens",
  httpEndpoint: "HttpEndpoint",
  httpPutResponseHopLimit: "HttpPutResponseHopLimit",
  httpProtocolIpv6: "HttpProtocolIpv6",
  instanceMetadataTags: "InstanceMetadataTags",
} as const satisfies Readonly<Record<string, keyof ec2.InstanceMetadataOptionsRequest>>;

/** An instance as it was read. */
export interface Machine {
  readonly id: string;
  /** `pending`, `running`, `stopping`, `stopped`, `shutting-down` or `terminated`. */
  readonly state: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly startAgain: boolean;
  /** What {@link REFUSED} says. */
  readonly refused: string | undefined;
  /** Why it is in its state, in AWS's words. */
  readonly reason: string | undefined;
  readonly type: string | undefined;
  readonly image: string | undefined;
  readonly key: string | undefined;
  readonly subnet: string | undefined;
  readonly groups: readonly string[];
  readonly profile: string | undefined;
  readonly monitoring: boolean;
  readonly ebsOptimized: boolean;
  readonly sourceDestCheck: boolean | undefined;
  readonly metadata: Readonly<Partial<Record<keyof typeof METADATA_OPTIONS, string | number>>>;
  readonly privateIP: string | undefined;
  readonly publicIP: string | undefined;
  readonly privateDNS: string | undefined;
  readonly publicDNS: string | undefined;
  readonly zone: string | undefined;
  readonly launchedAt: number | undefined;
  readonly disks: readonly Disk[];
  readonly attributes: Attributes;
}

/** What is kept of AWS's answer. */
export function machineOf(told: ec2.Instance): Machine {
  const tags = new Map((told.Tags ?? []).map(({ Key: key = "", Value: value = "" }) => [key, value]));
  const startAgain = tags.delete(START_AGAIN);
  const refused = tags.get(REFUSED);
  tags.delete(REFUSED);
  return {
    id: told.InstanceId ?? "",
    state: told.State?.Name ?? "",
    tags: Object.fromEntries(tags),
    startAgain,
    refused,
    reason: told.StateReason?.Message,
    type: told.InstanceType,
    image: told.ImageId,
    key: told.KeyName,
    subnet: told.SubnetId,
    groups: (told.SecurityGroups ?? []).map(({ GroupId: id = "" }) => id).toSorted(),
    profile: told.IamInstanceProfile?.Arn,
    monitoring: ["enabled", "pending"].includes(told.Monitoring?.State ?? ""),
    ebsOptimized: told.EbsOptimized ?? false,
    sourceDestCheck: told.SourceDestCheck,
    metadata: Object.fromEntries(
      Object.entries(METADATA_OPTIONS).flatMap(([name, wire]) => {
        const value = told.MetadataOptions?.[wire];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    privateIP: text(told.PrivateIpAddress),
    publicIP: text(told.PublicIpAddress),
    privateDNS: text(told.PrivateDnsName),
    publicDNS: text(told.PublicDnsName),
    zone: told.Placement?.AvailabilityZone,
    launchedAt: told.LaunchTime,
    disks: (told.BlockDeviceMappings ?? []).map(({ DeviceName: device = "", Ebs: ebs }) => ({
      device,
      volumeId: ebs?.VolumeId ?? "",
      deleteOnTermination: ebs?.DeleteOnTermination ?? true,
    })),
    attributes: {},
  };
}

/** AWS tells names that are not there as empty texts. */
function text(told: string | undefined): string | undefined {
  return told === "" ? undefined : told;
}
