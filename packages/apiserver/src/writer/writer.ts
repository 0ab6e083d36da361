import type { Clock, Random } from "@gatewright/ports";
import type { KubeObject } from "@gatewright/kube";
import type { AdmissionAttributes } from "../admission/admission.ts";
import type { Cluster } from "../cluster.ts";
import type { Resource } from "../resources/resource.ts";
import type { Entry, Store } from "../store/store.ts";
import { inWireOrder } from "../resources/wire-form.ts";

export interface Admission {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** What every write needs. `cluster` and `admission` are looked up late: both are built on the writer. */
export interface WriterDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  cluster(): Cluster;
  admission(): Admission;
}

/** The outcome of a write, in the version of the request. */
export interface Written {
  readonly object: KubeObject;
  /** What is stored now; undefined after a dry run or a deletion. */
  readonly entry?: Entry;
  readonly created: boolean;
}

/** An object in the version that the store keeps. */
export async function toStorage(resource: Resource, object: KubeObject): Promise<KubeObject> {
  const [stored] = await resource.convert([object], resource.storageVersion);
  return stored ?? object;
}

/** A stored object in the version of a request. */
export async function fromStorage(resource: Resource, object: KubeObject, version: string): Promise<KubeObject> {
  if (resource.servesStoredBytes(version)) return object;
  const [converted] = await resource.convert([object], version);
  return converted ?? object;
}

/** An object that is about to be stored, with its revision in it and its fields in the order in which they are sent. */
export function stamped(object: KubeObject): (revision: number) => KubeObject {
  return (revision) => inWireOrder(object, String(revision));
}
