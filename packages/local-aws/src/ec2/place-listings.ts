import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { chosen } from "./chosen.ts";
import { filtered } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { AMAZON } from "./images.ts";
import type { MachineImage } from "./images.ts";
import { instanceType, LISTED_TYPES } from "./instance-types.ts";
import type { InstanceType } from "./instance-types.ts";
import { page } from "./page.ts";
import { regionNames, zonesOf } from "./regions.ts";

const noTags = (): readonly [] => [];

/** What AWS has to offer: regions, zones, types and images. */
export function placeListings({ images }: Ground): Handlers<Operations> {
  return {
    DescribeRegions(input, { region }) {
      const all = [...new Set([...regionNames(), region])].toSorted();
      const wanted = input.RegionNames ?? [];
      const missing = wanted.filter((name) => !all.includes(name));
      if (missing.length > 0)
        throw new AwsError("InvalidParameterValue", `Invalid region provided: ${missing.join(", ")}`);
      const named = all.filter((name) => wanted.length === 0 || wanted.includes(name));
      const table = new Map([
        ["region-name", (name: string) => [name]],
        ["endpoint", (name: string) => [`ec2.${name}.amazonaws.com`]],
        ["opt-in-status", () => ["opt-in-not-required"]],
      ]);
      return {
        Regions: filtered(named, input.Filters, table, noTags).map((name) => ({
          RegionName: name,
          Endpoint: `ec2.${name}.amazonaws.com`,
          OptInStatus: "opt-in-not-required",
        })),
      };
    },

    DescribeAvailabilityZones(input, { region }) {
      const all = zonesOf(region);
      const wanted = [...(input.ZoneNames ?? []), ...(input.ZoneIds ?? [])];
      const missing = wanted.filter((zone) => !all.some(({ name, id }) => name === zone || id === zone));
      if (missing.length > 0)
        throw new AwsError("InvalidParameterValue", `Invalid availability zone: [${missing.join(", ")}]`);
      const named = all.filter(({ name, id }) => wanted.length === 0 || wanted.includes(name) || wanted.includes(id));
      const table = new Map([
        ["zone-name", ({ name }: (typeof all)[number]) => [name]],
        ["zone-id", ({ id }: (typeof all)[number]) => [id]],
        ["region-name", () => [region]],
        ["state", () => ["available"]],
        ["zone-type", () => ["availability-zone"]],
        ["opt-in-status", () => ["opt-in-not-required"]],
        ["group-name", () => [region]],
      ]);
      return {
        AvailabilityZones: filtered(named, input.Filters, table, noTags).map(({ name, id }) => ({
          ZoneName: name,
          ZoneId: id,
          RegionName: region,
          GroupName: region,
          NetworkBorderGroup: region,
          ZoneType: "availability-zone",
          OptInStatus: "opt-in-not-required",
          State: "available",
          Messages: [],
        })),
      };
    },

    DescribeInstanceTypes(input) {
      const wanted = input.InstanceTypes ?? [];
      const missing = wanted.filter((name) => instanceType(name) === undefined);
      if (missing.length > 0) {
        throw new AwsError(
          "InvalidInstanceType",
          `The following supplied instance types do not exist: [${missing.join(", ")}]`,
        );
      }
      const all = (wanted.length === 0 ? LISTED_TYPES : wanted).flatMap((name) => instanceType(name) ?? []);
      const table = new Map([
        ["instance-type", (type: InstanceType) => [type.name]],
        ["current-generation", () => ["true"]],
        ["processor-info.supported-architecture", (type: InstanceType) => [type.architecture]],
        ["vcpu-info.default-vcpus", (type: InstanceType) => [String(type.vcpus)]],
        ["memory-info.size-in-mib", (type: InstanceType) => [String(type.memoryMiB)]],
        ["burstable-performance-supported", (type: InstanceType) => [String(type.burstable)]],
        ["bare-metal", () => ["false"]],
      ]);
      const { items, next } = page(filtered(all, input.Filters, table, noTags), ({ name }) => name, input);
      return { InstanceTypes: items.map(typeTold), ...next };
    },

    DescribeImages(input, { account }) {
      const owners = (input.Owners ?? []).map((owner) => (owner === "self" ? account : owner));
      const named = chosen("image", images, ({ id }) => id, input.ImageIds).filter(
        (image) =>
          owners.length === 0 ||
          owners.includes(ownerOf(image)) ||
          (owners.includes("amazon") && ownerOf(image) !== account),
      );
      const table = new Map([
        ["image-id", (image: MachineImage) => [image.id]],
        ["name", (image: MachineImage) => [image.name]],
        ["architecture", (image: MachineImage) => [image.architecture]],
        ["owner-id", (image: MachineImage) => [ownerOf(image)]],
        ["owner-alias", (image: MachineImage) => (ownerOf(image) === account ? [] : ["amazon"])],
        ["platform", (image: MachineImage) => (image.platform === undefined ? [] : [image.platform])],
        ["state", () => ["available"]],
        ["is-public", () => ["true"]],
        ["image-type", () => ["machine"]],
        ["root-device-type", () => ["ebs"]],
        ["virtualization-type", () => ["hvm"]],
        ["hypervisor", () => ["xen"]],
        ["ena-support", () => ["true"]],
      ]);
      const { items, next } = page(filtered(named, input.Filters, table, noTags), ({ id }) => id, input);
      return { Images: items.map(imageTold), ...next };
    },
  };
}

function ownerOf({ owner = AMAZON }: MachineImage): string {
  return owner;
}

function typeTold({ name, vcpus, memoryMiB, architecture, burstable }: InstanceType) {
  return {
    InstanceType: name,
    CurrentGeneration: true,
    FreeTierEligible: name === "t3.micro",
    SupportedUsageClasses: ["on-demand", "spot"],
    SupportedRootDeviceTypes: ["ebs"],
    SupportedVirtualizationTypes: ["hvm"],
    BareMetal: false,
    Hypervisor: "nitro",
    ProcessorInfo: { SupportedArchitectures: [architecture] },
    VCpuInfo: { DefaultVCpus: vcpus, DefaultCores: Math.max(1, vcpus / 2), DefaultThreadsPerCore: Math.min(2, vcpus) },
    MemoryInfo: { SizeInMiB: memoryMiB },
    InstanceStorageSupported: false,
    BurstablePerformanceSupported: burstable,
    SupportedBootModes: ["legacy-bios", "uefi"],
  };
}

function imageTold(image: MachineImage) {
  return {
    ImageId: image.id,
    Name: image.name,
    Description: image.description ?? image.name,
    Architecture: image.architecture,
    OwnerId: ownerOf(image),
    ImageOwnerAlias: "amazon",
    ImageLocation: `amazon/${image.name}`,
    ImageType: "machine",
    State: "available",
    Public: true,
    CreationDate: "2025-11-12T00:00:00.000Z",
    PlatformDetails: image.platform === "windows" ? "Windows" : "Linux/UNIX",
    ...(image.platform && { Platform: image.platform }),
    RootDeviceName: image.rootDevice ?? "/dev/xvda",
    RootDeviceType: "ebs",
    VirtualizationType: "hvm",
    Hypervisor: "xen",
    EnaSupport: true,
    ...(image.imdsV2 !== false && { ImdsSupport: "v2.0" }),
    BlockDeviceMappings: [
      {
        DeviceName: image.rootDevice ?? "/dev/xvda",
        Ebs: { VolumeSize: image.size ?? 8, VolumeType: "gp3", DeleteOnTermination: true, Encrypted: false },
      },
    ],
  };
}
