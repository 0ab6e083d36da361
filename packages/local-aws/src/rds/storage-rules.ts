import { invalidCombination, invalidValue } from "./refusals.ts";

/** Smallest and largest size by type of storage, in GiB. */
const SIZES: ReadonlyMap<string, readonly [smallest: number, largest: number]> = new Map([
  ["gp2", [20, 65_536]],
  ["gp3", [20, 65_536]],
  ["io1", [100, 65_536]],
  ["io2", [100, 65_536]],
  ["standard", [5, 3072]],
]);

const PROVISIONED = ["io1", "io2"];

/** What is said of storage. */
export interface Storage {
  readonly Engine: string;
  readonly StorageType: string;
  readonly AllocatedStorage: number;
  readonly Iops?: number | undefined;
  readonly StorageThroughput?: number | undefined;
  readonly MaxAllocatedStorage?: number | undefined;
}

/** Refuses storage that cannot be had. */
export function checkStorage(storage: Storage): void {
  const { Engine: engine, StorageType: type, AllocatedStorage: size, Iops: iops, MaxAllocatedStorage: most } = storage;
  const bounds = SIZES.get(type);
  if (bounds === undefined) throw invalidValue(`Invalid storage type: ${type}`);
  const [smallest, largest] = bounds;
  if (!Number.isInteger(size) || size < smallest || size > largest) {
    throw invalidValue(`Invalid storage size for engine name ${engine} and storage type ${type}: ${size}`);
  }
  if (PROVISIONED.includes(type) && (iops === undefined || iops < 1000)) {
    throw invalidCombination(`You must specify IOPS of at least 1000 for storage type ${type}`);
  }
  if ((type === "gp2" || type === "standard") && iops !== undefined) {
    throw invalidCombination(
      `You can't specify IOPS or storage throughput for engine ${engine} and storage type ${type}.`,
    );
  }
  if (type === "gp3" && size < 400 && (iops !== undefined || storage.StorageThroughput !== undefined)) {
    throw invalidCombination(
      `You can't specify IOPS or storage throughput for engine ${engine} and a storage size less than 400.`,
    );
  }
  if (most !== undefined && most <= size) {
    throw invalidCombination(`Invalid max storage size for engine name ${engine} and storage type ${type}: ${most}`);
  }
}

/** Storage only grows, and by a tenth at least. */
export function checkGrowth(engine: string, size: number, wanted: number): void {
  if (wanted < size)
    throw invalidCombination(
      `Requested storage size (${wanted}) cannot be less than the current storage size (${size}).`,
    );
  if (wanted > size && wanted * 10 < size * 11) {
    throw invalidCombination(
      `Invalid storage size for engine name ${engine}: the new value must be at least 10% greater than the current one (${size}).`,
    );
  }
}
