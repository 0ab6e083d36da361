import type { Immutable } from "@gatewright/kube";
import type { SessionAnswer } from "../providers/session-for.ts";
import type { Answers } from "./answers.ts";
import type { Managed, ResourceState } from "./aws-kind.ts";
import type { Paced } from "./book.ts";
import type { Comparison } from "./compare.ts";
import type { TagChange } from "./compare-tags.ts";
import type { Given } from "./given.ts";
import type { Memory } from "./memory.ts";

/** What the references of a spec lead to, or the first that leads nowhere yet. */
export type GivenAnswer =
  | { readonly given: Given }
  | { readonly missing: { readonly path: string; readonly message: string } };

/** A plan that waits for a person's word, or has it. */
export interface PlanView {
  readonly hash: string;
  readonly changes: NonNullable<Memory["plan"]>["changes"];
  readonly approved: boolean;
}

/** What is known of the resource. */
export type ResourceView =
  /** It has to be read: not yet, not since the last write, or not for too long. */
  | { readonly is: "unknown"; readonly id: string }
  /** AWS gives ids and there is none yet. */
  | { readonly is: "unnamed" }
  | {
      readonly is: "absent";
      readonly id: string;
      /** Read in this run. */
      readonly fresh: boolean;
      /** How long it takes until this is believed of something that was there; 0: it is. */
      readonly believedInMs: number;
      readonly recreation: PlanView;
      /** Why it is so, where AWS tells. */
      readonly why: string | undefined;
    }
  | {
      readonly is: "present";
      readonly id: string;
      readonly fresh: boolean;
      readonly state: ResourceState;
      /** The tags say that it is this object's. */
      readonly own: boolean;
      /** Whose it is by its tags. */
      readonly owner: string | undefined;
      /** It is another object's by its tags, and that object is there: nobody takes it over from under it. */
      readonly ownerLives: boolean;
      /** Of what is not the object's own: how long it takes until this is believed. */
      readonly believedInMs: number;
      /** Undefined while references lead nowhere. */
      readonly comparison: Comparison | undefined;
      readonly tags: TagChange | undefined;
      /** Its tags that are of the operator's own. */
      readonly ownerTags: readonly string[];
      readonly replacement: PlanView | undefined;
    };

/** Everything that a decision about an object needs. */
export interface Observation {
  readonly object: Immutable<Managed>;
  readonly memory: Memory;
  /** Wall clock, for what is written. */
  readonly now: number;
  readonly holdsData: boolean;
  /** Whether resources that AWS gave ids to can be found by a tag. */
  readonly canFind: boolean;
  readonly session: SessionAnswer;
  /** The AWSProvider was ready when it was last looked at, and this process has not looked yet. */
  readonly providerUnchecked: boolean;
  /** There is no such AWSProvider: nobody can say that it will ever lead anywhere. */
  readonly providerGone: boolean;
  readonly given: GivenAnswer;
  /** Fields and tags that the spec declares. Empty while references lead nowhere. */
  readonly declared: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  /** What AWS knows the resource by when the spec says so. */
  readonly name: string | undefined;
  /** All was as the spec says at some time since it was last changed, as the status had it when the run began. */
  readonly wasInSync: boolean;
  /** An older object that stands for a resource of the same name. */
  readonly rival: string | undefined;
  readonly resource: ResourceView;
  /** Until the creation that was tried or intended, by whoever, must have come through everywhere. */
  readonly creationUnclearMs: number;
  /** The intent was not tried yet by anybody: nothing can have come of it. */
  readonly untried: boolean;
  /** The removal was accepted by AWS, in this term. */
  readonly removed: boolean;
  /** When it is looked again at what is as it should be. */
  readonly lookAgainMs: number;
  /** Fields that were written too often. */
  readonly loops: { readonly paths: readonly string[]; readonly waitMs: number };
  /** Fields that were just written and are not written again yet, whatever a read says. */
  readonly paced: Paced;
  /** Objects that refer to this one. */
  readonly users: readonly string[];
  readonly answers: Answers;
}
