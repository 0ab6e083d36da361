import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { Selection } from "@gatewright/runtime";

/** Why something could not be read. */
export interface Unreadable {
  /** `Forbidden`: a right is missing. `NotServed`: the API server has no such kind. `NoAnswer`: anything else. */
  readonly reason: "Forbidden" | "NotServed" | "NoAnswer";
  /** `get pods in namespace shop`: what was tried, and the right that it takes. */
  readonly attempt: string;
  /** What the API server said. */
  readonly message: string;
}

/** What is known of one object. An error never means absent. */
export type Seen<T> =
  | { readonly state: "present"; readonly object: Immutable<T> }
  | { readonly state: "absent" }
  | { readonly state: "unknown"; readonly problem: Unreadable };

/** What is known of several objects. */
export type SeenAll<T> =
  | { readonly state: "known"; readonly items: readonly Immutable<T>[] }
  | { readonly state: "unknown"; readonly problem: Unreadable };

/** The only way to a cluster that explanations have: reads, with the rights of whoever asks. Neither call rejects but by its signal. */
export interface Reader {
  get<T extends ApiObject>(resource: Resource<T>, ref: ObjectRef, signal?: AbortSignal): Promise<Seen<T>>;
  list<T extends ApiObject>(resource: Resource<T>, selection: Selection, signal?: AbortSignal): Promise<SeenAll<T>>;
}
