import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { EC2Instance } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import { sameKeyOrAlias } from "../same-key.ts";
import type { Disk, Machine } from "./machine.ts";

export type MachineSpec = Immutable<EC2Instance["spec"]>;
type MachineField = Field<MachineSpec, Machine>;
type Ebs = NonNullable<NonNullable<MachineSpec["blockDeviceMappings"]>[number]["ebs"]>;

/** A wish for one device. */
interface Wish {
  readonly device: string;
  readonly [what: string]: Json | undefined;
}

/** One thing about every volume of the spec that says something of it. Other volumes of the instance are left alone. */
function perVolume(
  path: string,
  change: MachineField["change"],
  wish: (ebs: Ebs) => Readonly<Record<string, Json | undefined>>,
  isSame: (want: Wish, disk: Disk) => boolean,
): MachineField {
  return {
    path,
    change,
    want: ({ blockDeviceMappings = [] }) => {
      const wishes = blockDeviceMappings.flatMap(({ deviceName: device, ebs }) => {
        const said = Object.entries(ebs === undefined ? {} : wish(ebs)).filter(([, value]) => value !== undefined);
        return said.length === 0 ? [] : [{ device, ...Object.fromEntries(said) }];
      });
      return wishes.length === 0 ? undefined : wishes;
    },
    have: ({ disks }) => disks.map((disk) => JSON.parse(JSON.stringify(disk)) as Json),
    // What was written a moment ago is had as it was wanted, whatever a late read tells.
    same: (want, have, { disks }) =>
      (have !== undefined && deepEqual(want, have)) ||
      wishesOf(want).every((one) => {
        const disk = disks.find(({ device }) => device === one.device);
        return disk === undefined || isSame(one, disk);
      }),
  };
}

/** What a value of such a field says of each device. */
export function wishesOf(want: Json | undefined): readonly Wish[] {
  return Array.isArray(want) ? (want as unknown as readonly Wish[]) : [];
}

const isSaid = (want: Json | undefined, have: Json | undefined): boolean => want === undefined || want === have;

/** Whether a volume is as wanted. Volumes only grow. */
export function isVolumeAs({ size, type, iops, throughput }: Wish, disk: Disk): boolean {
  return (
    (disk.size ?? 0) >= Number(size ?? 0) &&
    isSaid(type, disk.type) &&
    isSaid(iops, disk.iops) &&
    isSaid(throughput, disk.throughput)
  );
}

export const VOLUMES = "blockDeviceMappings";
export const KEEPING = "blockDeviceMappings.deleteOnTermination";
export const ENCRYPTION = "blockDeviceMappings.encryption";

/** The fields of volumes. */
export const VOLUME_FIELDS: readonly MachineField[] = [
  perVolume(
    VOLUMES,
    "in-place",
    ({ volumeSize: size, volumeType: type, iops, throughput }) => ({ size, type, iops, throughput }),
    isVolumeAs,
  ),
  perVolume(
    KEEPING,
    "in-place",
    ({ deleteOnTermination }) => ({ deleteOnTermination }),
    (want, disk) => want["deleteOnTermination"] === disk.deleteOnTermination,
  ),
  perVolume(
    ENCRYPTION,
    "replace",
    ({ encrypted, kmsKeyID: key }) => ({ encrypted, key }),
    ({ encrypted, key }, disk) =>
      isSaid(encrypted, disk.encrypted) && (key === undefined || sameKeyOrAlias(key, disk.key)),
  ),
  {
    path: "blockDeviceMappings.devices",
    change: "replace",
    want: ({ blockDeviceMappings = [] }) => {
      const devices = blockDeviceMappings.filter(({ ebs }) => ebs !== undefined).map(({ deviceName }) => deviceName);
      return devices.length === 0 ? undefined : devices.toSorted();
    },
    have: ({ disks }) => disks.map(({ device }) => device).toSorted(),
    same: (want, have) => Array.isArray(want) && Array.isArray(have) && want.every((device) => have.includes(device)),
  },
];
