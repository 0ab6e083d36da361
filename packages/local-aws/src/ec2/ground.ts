import type { AwsWorld } from "../world.ts";
import type { Ec2Store } from "./ec2-store.ts";
import type { MachineImage } from "./images.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: Ec2Store;
  /** Images that can be launched, in every region. */
  readonly images: readonly MachineImage[];
  /** Whether the metadata service of instances tells their tags when a launch does not say: the default of the account. */
  readonly metadataTags: "enabled" | "disabled";
}
