import type { ApiObject, ObjectRef, Resource } from "@gatewright/kube";
import type { Selection } from "@gatewright/runtime";
import type { DnsAnswer, PodPort, Trial } from "./probes.ts";
import type { Seen, SeenAll } from "./reader.ts";

/** All that an explanation may look at. What is asked for and was not read yet counts as unknown, and is read before it is asked again. */
export interface Known {
  /** Milliseconds since the epoch. */
  readonly now: number;
  get<T extends ApiObject>(resource: Resource<T>, ref: ObjectRef): Seen<T>;
  list<T extends ApiObject>(resource: Resource<T>, selection: Selection): SeenAll<T>;
  /** What DNS says. Undefined: it was not asked, or gave no answer. */
  dns(name: string, type: DnsAnswer["type"]): DnsAnswer | undefined;
  /** What a request from outside came to. Undefined: none is made. */
  trial(url: string): Trial | undefined;
  /** Whether somebody listens there. Undefined: nobody looked, or it could not be found out. */
  podPort(pod: { readonly namespace: string; readonly name: string }, port: number): PodPort | undefined;
}
