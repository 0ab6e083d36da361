import type { Immutable } from "@gatewright/kube";
import type { ManagedStatus } from "@gatewright/resources";
import type { Managed } from "./aws-kind.ts";

const KEYS = [
  "resource",
  "replacements",
  "pending",
  "plan",
  "drift",
  "reconciledNow",
  "lastSyncTime",
  "accountID",
  "region",
] as const satisfies readonly (keyof ManagedStatus)[];

/** Of a status what decisions go by: it is written before anything relies on it. None of it proves that a resource is the object's. */
export type Memory = Immutable<Pick<ManagedStatus, (typeof KEYS)[number]>>;

export type Remembered = NonNullable<Memory["resource"]>;

/** What the status of an object remembers. */
export function memoryOf({ status }: Immutable<Managed>): Memory {
  const known = KEYS.flatMap((key) => (status?.[key] === undefined ? [] : [[key, status[key]] as const]));
  return Object.fromEntries(known);
}

/** The memory with some of it other than it was; what is undefined is forgotten. */
export function remembering(
  memory: Memory,
  change: { readonly [Key in keyof Memory]?: Memory[Key] | undefined },
): Memory {
  const next = Object.entries({ ...memory, ...change }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(next);
}

/** What AWS knows the resource by, once it has said so. */
export function knownId({ resource }: Memory): string | undefined {
  return resource?.id === "" ? undefined : resource?.id;
}

/** The token of the resource that an object has after so many replacements: the same however often its creation is tried. */
export function tokenOf({ metadata }: Immutable<Managed>, replacements: number): string {
  return `${metadata.uid ?? ""}-${replacements}`;
}
