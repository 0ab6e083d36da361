import { AwsError } from "../aws-error.ts";
import type { VolumeRecord } from "./records.ts";

/** Bounds by type: size in GiB, and operations per second where they can be asked for. */
const TYPES: ReadonlyMap<
  string,
  { readonly size: readonly [number, number]; readonly iops?: readonly [number, number] }
> = new Map([
  ["gp2", { size: [1, 16_384] }],
  ["gp3", { size: [1, 65_536], iops: [3000, 80_000] }],
  ["io1", { size: [4, 16_384], iops: [100, 64_000] }],
  ["io2", { size: [4, 65_536], iops: [100, 256_000] }],
  ["st1", { size: [125, 16_384] }],
  ["sc1", { size: [125, 16_384] }],
  ["standard", { size: [1, 1024] }],
]);

/** Refuses a volume that cannot be had. */
export function checkVolume({ type, size, iops }: Pick<VolumeRecord, "type" | "size" | "iops">): void {
  const bounds = TYPES.get(type);
  if (bounds === undefined)
    throw new AwsError("UnknownVolumeType", `Unsupported volume type '${type}' for volume creation.`);
  const [smallest, largest] = bounds.size;
  if (size < smallest || size > largest) {
    throw new AwsError(
      "InvalidParameterValue",
      `Volume of size ${size}GiB is invalid for volume type ${type}; valid sizes are ${smallest}-${largest} GiB.`,
    );
  }
  if (bounds.iops === undefined) return;
  if (iops === undefined)
    throw new AwsError("MissingParameter", `The parameter iops must be specified for ${type} volumes.`);
  if (iops < bounds.iops[0] || iops > bounds.iops[1]) {
    throw new AwsError("InvalidParameterValue", `Volume iops of ${iops} is invalid for volume type ${type}.`);
  }
}
