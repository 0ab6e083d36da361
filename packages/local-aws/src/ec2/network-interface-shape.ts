import type { GroupIdentifier, InstanceNetworkInterface } from "@gatewright/aws-wire/types/ec2";
import type { Place } from "./ec2-store.ts";
import type { InstanceRecord } from "./records.ts";

/** How an instance is connected: by the one interface that it was launched with. */
export function networkInterfaceTold(
  { account }: Place,
  record: InstanceRecord,
  groups: readonly GroupIdentifier[],
  names: { readonly private: string; readonly public: string },
  publicIp: string | undefined,
): InstanceNetworkInterface {
  const digits = record.interfaceId.slice("eni-".length);
  const association = publicIp !== undefined && {
    Association: { IpOwnerId: "amazon", PublicDnsName: names.public, PublicIp: publicIp },
  };
  return {
    ...association,
    Attachment: {
      AttachTime: record.launchedAt,
      AttachmentId: `eni-attach-${digits}`,
      DeleteOnTermination: true,
      DeviceIndex: 0,
      NetworkCardIndex: 0,
      Status: "attached",
    },
    Description: "",
    Groups: groups,
    InterfaceType: "interface",
    Ipv6Addresses: [],
    MacAddress: ["02", ...(digits.slice(-10).match(/../g) ?? [])].join(":"),
    NetworkInterfaceId: record.interfaceId,
    OwnerId: account,
    PrivateDnsName: names.private,
    PrivateIpAddress: record.privateIp,
    PrivateIpAddresses: [
      { ...association, Primary: true, PrivateDnsName: names.private, PrivateIpAddress: record.privateIp },
    ],
    SourceDestCheck: record.sourceDestCheck,
    Status: "in-use",
    SubnetId: record.subnetId,
    VpcId: record.vpcId,
  };
}
