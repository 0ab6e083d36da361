import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";

/** The chain under an object, and where it answers. */
export interface Explained {
  readonly root: Cause;
  readonly url?: string;
}

/** Explains the objects of a kind. Pure. */
export type Explainer<T extends ApiObject = ApiObject> = (known: Known, object: Immutable<T>) => Explained | Cause;
