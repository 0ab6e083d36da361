import type { ApiObject, Immutable, Resource } from "@gatewright/kube";

/** An object in another version. apiVersion and kind are set for it, and metadata is taken over where it gives none. */
export type Converted<T> = {
  readonly [K in keyof T as K extends "apiVersion" | "kind" | "metadata" ? never : K]: Immutable<T[K]>;
} & {
  /** Of metadata only labels and annotations can change; identity is the server's. */
  readonly metadata?: Immutable<ApiObject["metadata"]>;
};

/** How a version is translated to the hub and back. Nothing may get lost on the way: keep in an annotation what has no field. */
export interface Spoke {
  readonly version: string;
  toHub(object: Immutable<ApiObject>): Converted<ApiObject>;
  fromHub(object: Immutable<ApiObject>): Converted<ApiObject>;
}

/** The versions of a kind, all of which are translated by way of one. */
export interface HubConversion {
  readonly hub: Resource;
  readonly spokes: readonly Spoke[];
}

/** One more version of the hub's kind. */
export function spoke<T extends ApiObject, Hub extends ApiObject>(
  resource: Resource<T>,
  conversions: {
    toHub(object: Immutable<T>): Converted<Hub>;
    fromHub(object: Immutable<Hub>): Converted<T>;
  },
): Spoke {
  return { version: resource.version, ...(conversions as unknown as Omit<Spoke, "version">) };
}
