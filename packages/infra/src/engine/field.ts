import type { Json } from "@gatewright/kube";
import type { Given } from "./given.ts";

/** What it takes to change a field of a resource that is there. */
export type FieldChange =
  /** A call. */
  | "in-place"
  /** Another resource: asks for approval first. */
  | "replace"
  /** Said at creation and never looked at again. */
  | "at-creation";

/**
 * One thing that a spec declares and AWS tells. Pure functions: what the spec says and what AWS says, both in the form of the spec, so
 * that they can be compared and shown. What is not declared is not compared.
 */
export interface Field<Spec, Seen> {
  /** As the spec has it: `versioning.enabled`. Stands in plans, drift, `ignoreFields` and the reference. Unique within a kind. */
  readonly path: string;
  readonly change: FieldChange;
  /** What the spec says. Undefined: nothing. */
  readonly want: (spec: Spec, given: Given) => Json | undefined;
  /** What AWS says. Undefined: it is not set there. Missing: AWS never tells (passwords); then `version` says whether it is written. */
  readonly have?: (seen: Seen) => Json | undefined;
  /** Whether AWS has what is wanted. Default: the same as JSON. Sets, policies and sizes that grow by themselves say it here. */
  readonly same?: (want: Json, have: Json | undefined, seen: Seen) => boolean;
  /** What is written when a field that was declared leaves the spec; null: it is taken away. Missing: it stays as it is. */
  readonly unset?: Json;
  /** Of a field that AWS never tells: what changes when it has to be written again. */
  readonly version?: (spec: Spec, given: Given) => string | undefined;
  /** For how long a read may tell what was before a change, where that is longer than for the kind's other fields. */
  readonly settleMs?: number;
  /** Values are never shown. */
  readonly secret?: true;
}
