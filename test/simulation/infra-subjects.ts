import type { Aws } from "@gatewright/aws";
import type { JsonObject } from "@gatewright/kube";
import type { createMemoryState } from "@gatewright/local-aws";
import type { SystemResource } from "@gatewright/runtime/simulation";

export type State = ReturnType<typeof createMemoryState>;
export type Pairs = readonly (readonly [name: string, value: string])[];

/** A kind of AWS resource as it is put through the scenario of AWS resources. */
export interface InfraSubject {
  /** As in ALL_KINDS. */
  readonly kind: string;
  /** What the spec of the resource of this name has at least. */
  readonly base: (name: string) => JsonObject;
  /** Pieces of specs that are set one after the other, and back. Merge patches: null takes away. */
  readonly changes: readonly [JsonObject, JsonObject, JsonObject];
  /** A reference to the object `web` of the same kind, where there can be one. */
  readonly refers?: JsonObject;
  /** A piece of a spec that takes another resource: it is set where a person approves that. */
  readonly replaced?: JsonObject;
  /** Makes a resource that is nobody's. Missing: AWS gives ids, and nothing can be taken over by name. */
  readonly make?: (aws: Aws, name: string, signal: AbortSignal) => Promise<unknown>;
  /** Makes one that is nobody's, with tags: what can be taken over by them. */
  readonly makeTagged?: (
    aws: Aws,
    name: string,
    tags: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<unknown>;
  /** Deletes a resource behind everybody's back, by the id in the status. */
  readonly unmake?: (aws: Aws, id: string, signal: AbortSignal) => Promise<unknown>;
  /** Takes tags off a resource behind everybody's back, by the id in the status. Later reads tell of it, those that are behind too. */
  readonly untag?: (aws: Aws, id: string, keys: readonly string[], signal: AbortSignal) => Promise<unknown>;
  /** How long nothing may change before all is done. Default: two minutes. */
  readonly quietMs?: number;
  /** All that there is, without what is on its way out. */
  readonly found: (state: State) => Iterable<Found>;
}

/** A resource, by its id. */
export interface Found {
  readonly id: string;
  readonly name: string;
  /** What it is like, without what is drawn. */
  readonly content: JsonObject;
  readonly tags: Pairs;
  /** What else is drawn of it. */
  readonly aliases?: readonly string[];
}

/** The resources of a kind as oracles see them, by what they are. Uids are drawn anew in each run. */
export function infraResources(subject: InfraSubject): (state: State) => ReadonlyMap<string, SystemResource> {
  return (state) =>
    new Map(
      [...subject.found(state)].map(({ id, name, content, tags, aliases = [] }) => {
        const shown = tags.filter(([key]) => key !== "gatewright.dev/uid");
        return [id, { name: `${subject.kind} ${name}`, aliases, content: { ...content, tags: sortedPairs(shown) } }];
      }),
    );
}

/** Pairs in the order of their names. */
export function sortedPairs(pairs: Pairs): string[][] {
  return pairs.map((pair) => [...pair]).sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}
