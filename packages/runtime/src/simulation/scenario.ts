import type { GroupResource, KubeObject, ObjectRef, Resource } from "@gatewright/kube";
import type { Program } from "./process/program.ts";

/** What a user does, at a time of the world. A user's requests always get through, and are repeated until they are taken. */
export type Step = { readonly at: number } & (
  | { readonly create: KubeObject }
  /** Changes an object by a merge patch. */
  | { readonly patch: GroupVersionObject; readonly with: object; readonly subresource?: string }
  | { readonly delete: GroupVersionObject }
);

/** An object by its kind and name. */
export type GroupVersionObject = Pick<Resource, "group" | "version" | "plural" | "namespaced"> & ObjectRef;

/** Somebody else in the cluster: looks at each object of a kind a while after it changed, and may change its status. */
export interface Actor {
  readonly name: string;
  readonly watches: GroupResource;
  readonly afterMs: number;
  /** Edits the copy it is given; returns false to leave the object alone, or "delete" to delete it without further ado. */
  react(object: KubeObject): boolean | "delete";
}

/** What is wrong with the state after a change, if anything is. */
export type Law = (resource: string, type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject) => string | undefined;

/** A world to put programs into. All of it is data, apart from programs and actors. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** What exists before anything starts: definitions, namespaces. */
  readonly before: readonly KubeObject[];
  readonly steps: readonly Step[];
  readonly actors?: readonly Actor[];
  /** Each starts as a process of its own. */
  readonly processes: readonly { readonly name: string; readonly program: Program }[];
  /** The lease without which processes must not write. Undefined: they need none. */
  readonly lease?: { readonly namespace: string; readonly name: string };
  /**
   * Makes what watches over a run: told of each change of the server's state (`pods`, `deployments.apps`), it says what must never
   * be.
   */
  readonly law?: () => Law;
  /**
   * Whether it matters who owns which field in the end. Default: true. Where controllers replace whole objects it depends on which
   * states in between they saw.
   */
  readonly judgesOwnership?: boolean;
  /** Until when faults happen. Default: 20 s after the last step. */
  readonly faultsMs?: number;
  /** How soon after that the world must be as it should. Default: half an hour. */
  readonly convergeMs?: number;
  /**
   * How long it is watched for needless writes then. Default: 20 s; for one seed in 10 two minutes, for one in 100 a quarter of an
   * hour, for one in 10,000 a day.
   */
  readonly idleMs?: number;
}
