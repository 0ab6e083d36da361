import type { Managed } from "@gatewright/infra";
import type { Json, JsonObject, Resource } from "@gatewright/kube";
import type { Cli } from "./cli.ts";
import type { TourWorld } from "./tour-world.ts";

/** Parts of what the looks of a kind tell, by look: members that are not named may be anything, null is for what is not there. */
export type Sees = Readonly<Record<string, Json>>;

/** A field that a user changes in place, and what the `aws` command tells of it then. */
export interface FieldStop {
  /** As the reference names it. */
  readonly field: string;
  /** Members of the spec that become other; null takes one out. */
  readonly put: JsonObject;
  readonly sees: Sees;
}

/** A tour that is ready to begin: what it needs besides is there. */
export interface OpenTour {
  /** The spec as a user writes it, without provider and policy. The name stands for the resource in AWS too. */
  readonly spec: (name: string) => JsonObject;
  readonly made: Sees;
  /** What is seen of one that was taken over: what the spec says, and what others made that it says nothing of. Default: as made. */
  readonly adopted?: Sees;
  readonly changes: readonly FieldStop[];
  /** Changes that cannot be taken back, after all others. The last one holds for the rest of the life. */
  readonly noWayBack?: readonly FieldStop[];
  /** A change that is another resource, and what is seen of it after the approval. */
  readonly replacement?: { readonly put: JsonObject; readonly sees: Sees };
  /** Looks whose answers do not come back with the spec that they began with, with the reason. */
  readonly oneWay?: Readonly<Record<string, string>>;
}

/** What happens to a resource that is not for its object to lose. */
export interface Hold {
  /** What keeps it: done with the `aws` command, or in the spec. */
  readonly by?: (cli: Cli, id: string) => Promise<unknown>;
  readonly put?: JsonObject;
  /** Reason of the condition while it stays. */
  readonly reason: string;
  /** The spec's word that lets it go. */
  readonly letGo: JsonObject;
}

/**
 * One kind of AWS resource as its users meet it: a table of cases. What is done goes through the API server or the `aws` command;
 * what is judged is what the `aws` command tells.
 */
export interface KindTour {
  readonly title: string;
  readonly resource: Resource<Managed>;
  /** Fields that another tour of the same kind has. */
  readonly elsewhere?: readonly string[];
  readonly open: (cli: Cli, world: TourWorld) => Promise<OpenTour>;
  /** What the looks take for the resource of this name; undefined: AWS says that there is none. */
  readonly find: (cli: Cli, name: string) => Promise<string | undefined>;
  /** What AWS tells, by command. */
  readonly looks: Readonly<Record<string, (cli: Cli, id: string) => Promise<Json | undefined>>>;
  readonly tags: (cli: Cli, id: string) => Promise<Readonly<Record<string, string>>>;
  readonly drift?: { readonly by: (cli: Cli, id: string) => Promise<unknown>; readonly sees: Sees };
  /** Makes with the `aws` command what a later object is to take over. It has the tag `team=old`. */
  readonly makeByHand?: (cli: Cli, name: string) => Promise<unknown>;
  /** How the object consents. Default: by name. */
  readonly consent?: (name: string) => JsonObject;
  readonly hold?: Hold;
  /** Whether the tour has a `replacement`. */
  readonly isReplaceable?: true;
  /** A policy of the kind's own by which it stays, and what is seen of it then. */
  readonly retired?: { readonly policy: string; readonly sees: Sees };
  /** What is left of one that was deleted. */
  readonly leaves?: (cli: Cli, name: string, id: string) => Promise<void>;
}

/** What the AWS of a world does not do as AWS does, with the reasons. All of it is tried, and has to fail. */
export interface Gaps {
  /** Changes of fields: each is tried on an object of its own. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whole steps, by the names of their tests. */
  readonly steps?: Readonly<Record<string, string>>;
  /** What is told otherwise, or does not come back: `look.member`. */
  readonly seen?: Readonly<Record<string, string>>;
}
