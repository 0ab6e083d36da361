import type { ApiObject, GroupVersionKind, GroupVersionResource, Immutable } from "@gatewright/kube";

/** Who makes a request. */
export interface AdmissionUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

interface AdmissionFacts {
  /** Names this review. A request that passes several webhooks is reviewed more than once. */
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Empty when the object itself is written. */
  readonly subresource: string;
  /** Empty for an object whose name is yet to be generated. */
  readonly name: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly user: AdmissionUser;
  /** Nothing will be stored, so the handler must change nothing elsewhere either. */
  readonly dryRun: boolean;
  /** The request's CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options: unknown;
}

/** A request that waits for a verdict. Objects are frozen. */
export type AdmissionRequest<T extends ApiObject = ApiObject> = AdmissionFacts &
  (
    | { readonly operation: "CREATE" | "CONNECT"; readonly object: Immutable<T>; readonly oldObject: undefined }
    | { readonly operation: "UPDATE"; readonly object: Immutable<T>; readonly oldObject: Immutable<T> }
    | { readonly operation: "DELETE"; readonly object: undefined; readonly oldObject: Immutable<T> }
  );

export type AdmissionOperation = AdmissionRequest["operation"];
