import type { GroupResource, KubeObject, ObjectRef, Resource } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { Program } from "./process/program.ts";
import type { SystemDefinition, SystemPort, SystemResource } from "./systems/simulated-system.ts";

/** A change that somebody makes. */
export type Task =
  | { readonly create: KubeObject }
  /** Changes an object by a merge patch. */
  | { readonly patch: GroupVersionObject; readonly with: object; readonly subresource?: string }
  | { readonly delete: GroupVersionObject };

/** What a user does, at a time of the world. A user's requests always get through, and are repeated until they are taken. */
export type Step = { readonly at: number } & Task;

/** An object by its kind and name. */
export type GroupVersionObject = Pick<Resource, "group" | "version" | "plural" | "namespaced"> & ObjectRef;

/** Somebody else in the cluster: looks at each object of a kind a while after it changed, and does something about it. */
export type Actor = {
  readonly name: string;
  readonly watches: GroupResource;
  /** Other kinds: a change of one of theirs counts as one of the object that `of` names. */
  readonly also?: readonly {
    readonly watches: GroupResource;
    readonly of: (object: KubeObject) => ObjectRef | undefined;
  }[];
  readonly afterMs: number;
} & (
  | {
      /**
       * Edits the copy it is given, of which the status is kept; returns false to leave the object alone, or "delete" to delete it
       * without further ado.
       */
      react(object: KubeObject): boolean | "delete";
    }
  | {
      /** Does tasks and calls systems. Never twice at once for one object; a change meanwhile lets it look once more. */
      act(object: KubeObject, world: ActorWorld): Promise<void>;
    }
);

/** What an actor has of the world. As users' requests, its calls always get through. */
export interface ActorWorld {
  readonly clock: Clock;
  readonly random: Random;
  /** An object as it is now. */
  readonly get: (resource: GroupResource, namespace: string, name: string) => KubeObject | undefined;
  /** Does a task at once. Returns false when it found its object changed, gone or there already. */
  readonly take: (task: Task) => Promise<boolean>;
  readonly system: (name: string) => SystemPort;
}

/** What is wrong with the state after a change, if anything is. */
export type Law = (resource: string, type: "ADDED" | "MODIFIED" | "DELETED", object: KubeObject) => string | undefined;

/** The same for a system, told of all that it has after each change. */
export type SystemLaw = (system: string, resources: ReadonlyMap<string, SystemResource>) => string | undefined;

/** What watches over the server and the systems together. */
export interface Laws {
  readonly objects?: Law;
  readonly systems?: SystemLaw;
}

/** A piece of a story that can be told without the others, such as the life of an object. */
export interface Part {
  readonly name: string;
  /** In the order of their times, which are those of the whole story. Steps that another part has too are done once. */
  readonly steps: readonly Step[];
  /** From when on faults happen where not all parts are played. Default: from the beginning. */
  readonly calmMs?: number;
  /** Another than the scenario's. */
  readonly longestWaitMs?: number;
}

/** A world to put programs into. All of it is data, apart from programs and actors. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** What exists before anything starts: definitions, namespaces. */
  readonly before: readonly KubeObject[];
  /** What the user does in every run. */
  readonly steps: readonly Step[];
  /**
   * What the user does besides. Each seed draws which parts it plays: mostly one or two, sooner than in the whole story, and is judged
   * by the run without faults of the same parts. Planned faults happen in the whole story.
   */
  readonly parts?: readonly Part[];
  /** The longest wait between two steps of a part where not all are played. Default: as long as in the whole story. */
  readonly longestWaitMs?: number;
  readonly actors?: readonly Actor[];
  /** Each starts as a process of its own. */
  readonly processes: readonly { readonly name: string; readonly program: Program }[];
  /** The lease without which processes must not write. Undefined: they need none. */
  readonly lease?: { readonly namespace: string; readonly name: string };
  /**
   * Makes what watches over a run: told of each change of the server's state (`pods`, `deployments.apps`), it says what must never
   * be.
   */
  readonly law?: () => Law | Laws;
  /**
   * Whether it matters who owns which field in the end. Default: true. Where controllers replace whole objects it depends on which
   * states in between they saw.
   */
  readonly judgesOwnership?: boolean;
  /** Systems beside the API server. Each is opened anew for a run. */
  readonly systems?: readonly SystemDefinition[];
  /** Names of fields of objects whose values are drawn anew in each run, and compared by no oracle. */
  readonly drawn?: readonly string[];
  /** Names of fields of objects that are there in some runs and not in others, all of which are as good. */
  readonly incidental?: readonly string[];
  /**
   * Names of what may end otherwise than without faults, and come and go more often: where several ends are as good. All else is
   * judged of it, leaks above all.
   */
  readonly unjudged?: RegExp;
  /**
   * Objects (`resource namespace/name`), and what is in systems, that may come and go more often than without faults, where that
   * depends on what is seen when.
   */
  readonly recurring?: RegExp;
  /** Names of what stays on purpose when the user has deleted everything (`aws queue kept`): it is no leak. */
  readonly stays?: RegExp;
  /** From when on faults happen. Default: from the beginning. */
  readonly calmMs?: number;
  /** Until when faults happen. Default: 20 s after the last step. */
  readonly faultsMs?: number;
  /** How soon after that the world must be as it should. Default: half an hour. */
  readonly convergeMs?: number;
  /** How long nothing may change in the run without faults before it counts as done. Default: a minute. */
  readonly quietMs?: number;
  /** How soon all that the user deleted must be gone. Default: ten minutes. */
  readonly teardownMs?: number;
  /**
   * How long it is watched for needless writes then. Default: 20 s; for one seed in 10 two minutes, for one in 100 a quarter of an
   * hour, for one in 10,000 a day.
   */
  readonly idleMs?: number;
}
