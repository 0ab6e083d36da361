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

/** From which size on gp3 is striped, of the engines that there are, and takes other figures than AWS's own. */
const STRIPED_FROM = 400;

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
  if (type === "gp3" && size < STRIPED_FROM && (iops !== undefined || storage.StorageThroughput !== undefined)) {
    throw invalidCombination(
      `You can't specify IOPS or storage throughput for engine ${engine} and a storage size less than 400.`,
    );
  }
  if (most !== undefined && most <= size) {
    throw invalidCombination(`Invalid max storage size for engine name ${engine} and storage type ${type}: ${most}`);
  }
}

/** The figures of storage for which none were said. */
export function usualFigures({
  StorageType: type,
  AllocatedStorage: size,
}: Pick<Storage, "StorageType" | "AllocatedStorage">): Pick<Storage, "Iops" | "StorageThroughput"> {
  if (type !== "gp3") return {};
  return size < STRIPED_FROM ? { Iops: 3000, StorageThroughput: 125 } : { Iops: 12_000, StorageThroughput: 500 };
}

/** Storage with provisioned operations changes, and keeps its type, when its size and its operations are both said. */
export function checkSaidTogether(
  { StorageType: type, AllocatedStorage: size }: Pick<Storage, "StorageType" | "AllocatedStorage">,
  said: { readonly [Name in "StorageType" | "AllocatedStorage" | "Iops"]?: Storage[Name] | undefined },
): void {
  if ((said.StorageType ?? type) !== type) return;
  if (!PROVISIONED.includes(type) && (type !== "gp3" || size < STRIPED_FROM)) return;
  if (said.AllocatedStorage !== undefined && said.Iops !== undefined) return;
  throw invalidCombination(
    "You must specify both the storage size and iops when modifying the storage size or iops on a DB instance that has iops.",
  );
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
