import type { Finding, GivenObject, ObjectKind } from "./objects.ts";

/** Which object. */
export interface ObjectName {
  readonly kind: ObjectKind;
  readonly namespace: string;
  readonly name: string;
}

/** Whom configuration is given to. Each call is whole when it returns: requests that begin later meet the new table. */
export interface ConfigurationTarget {
  /** Makes these all there is. Findings of severity error: that object is left out, and one of the same name that was good before stays. */
  replace(objects: readonly GivenObject[]): readonly Finding[];
  /** Changes some and removes some; the rest stays. */
  change(set: readonly GivenObject[], removed: readonly ObjectName[]): readonly Finding[];
  /** What is held, refused objects included. */
  held(): readonly GivenObject[];
}
