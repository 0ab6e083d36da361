import type { GroupVersionKind, GroupVersionResource, JsonObject, KubeObject } from "@gatewright/kube";
import type { UserInfo } from "../auth/user.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** A write on its way to the store, as admission sees it. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespaced: boolean;
  readonly namespace: string;
  /** Empty on CREATE with generateName. */
  readonly name: string;
  /** Mutating plugins change this in place or replace it. Undefined on DELETE. */
  object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions or DeleteOptions with kind and apiVersion. */
  readonly options: JsonObject;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
  /**
   * Brings `object` back into shape after a plugin changed it: unknown fields dropped, defaults set.
   */
  normalize(object: KubeObject): KubeObject;
}

/** One step of admission. Throws a StatusError to refuse the write. */
export interface AdmissionPlugin {
  readonly name: string;
  mutate?(attributes: AdmissionAttributes): Promise<void> | void;
  validate?(attributes: AdmissionAttributes): Promise<void> | void;
}
