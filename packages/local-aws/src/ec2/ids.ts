import { createHash } from "node:crypto";
import type { Random } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";

/** What ids begin with, by the kind that tags call it. */
const PREFIXES = {
  instance: "i-",
  volume: "vol-",
  vpc: "vpc-",
  subnet: "subnet-",
  "security-group": "sg-",
  "security-group-rule": "sgr-",
  "key-pair": "key-",
  "elastic-ip": "eipalloc-",
  "network-interface": "eni-",
  reservation: "r-",
  image: "ami-",
  "profile-association": "iip-assoc-",
} as const;

export type Kind = keyof typeof PREFIXES;

/** How EC2 refuses ids of a kind: that they are no ids, and that there is none. */
const REFUSALS: { readonly [Of in Kind]?: readonly [malformed: string, notFound: string, noun: string] } = {
  instance: ["InvalidInstanceID.Malformed", "InvalidInstanceID.NotFound", "instance ID"],
  volume: ["InvalidVolumeID.Malformed", "InvalidVolume.NotFound", "volume"],
  vpc: ["InvalidVpcID.Malformed", "InvalidVpcID.NotFound", "vpc ID"],
  subnet: ["InvalidSubnetID.Malformed", "InvalidSubnetID.NotFound", "subnet ID"],
  "security-group": ["InvalidGroupId.Malformed", "InvalidGroup.NotFound", "security group"],
  "security-group-rule": [
    "InvalidSecurityGroupRuleId.Malformed",
    "InvalidSecurityGroupRuleId.NotFound",
    "security group rule ID",
  ],
  "key-pair": ["InvalidParameterValue", "InvalidKeyPair.NotFound", "key pair"],
  "elastic-ip": ["InvalidAllocationID.Malformed", "InvalidAllocationID.NotFound", "allocation ID"],
  "network-interface": [
    "InvalidNetworkInterfaceId.Malformed",
    "InvalidNetworkInterfaceID.NotFound",
    "networkInterface ID",
  ],
  image: ["InvalidAMIID.Malformed", "InvalidAMIID.NotFound", "image id"],
  "profile-association": ["InvalidAssociationID.Malformed", "InvalidAssociationID.NotFound", "association ID"],
};

export function newId(random: Random, kind: Kind): string {
  return PREFIXES[kind] + Buffer.from(random.bytes(9)).toString("hex").slice(0, 17);
}

/** An id that is always the same for the same name. */
export function fixedId(kind: Kind, name: string): string {
  return PREFIXES[kind] + createHash("sha256").update(name).digest("hex").slice(0, 17);
}

/** The kind of thing that an id is of. */
export function kindOf(id: string): Kind | undefined {
  const kinds = Object.keys(PREFIXES) as Kind[];
  return kinds.find((kind) => id.startsWith(PREFIXES[kind]));
}

/** Refuses what is no id of the kind. */
export function checkId(kind: Kind, id: string): void {
  const rest = id.startsWith(PREFIXES[kind]) ? id.slice(PREFIXES[kind].length) : "";
  if (!/^[0-9a-f]{8}([0-9a-f]{9})?$/.test(rest)) {
    const [malformed = "InvalidID"] = REFUSALS[kind] ?? [];
    throw new AwsError(malformed, `Invalid id: "${id}" (expecting "${PREFIXES[kind]}...")`);
  }
}

export function notFound(kind: Kind, ids: readonly string[]): AwsError {
  const [, code = "InvalidID", noun = "ID"] = REFUSALS[kind] ?? [];
  if (kind === "image") return new AwsError(code, `The image id '[${ids.join(", ")}]' does not exist`);
  return new AwsError(
    code,
    ids.length === 1 ? `The ${noun} '${ids[0]}' does not exist` : `The ${noun}s '${ids.join(", ")}' do not exist`,
  );
}
