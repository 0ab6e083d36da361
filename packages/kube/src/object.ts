import type { Json, JsonObject } from "./json/json.ts";

/** A reference to the object that owns another. Owners are matched by uid. */
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** One writer's ownership of fields, as `metadata.managedFields` has it. */
export type ManagedFieldsEntry = {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
};

/** Standard metadata. Fields that the API does not know never appear on a decoded object. */
export type ObjectMeta = {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
};

/** A Kubernetes object of any kind. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: Json;
}

/** Metadata of a list. */
export type ListMeta = { resourceVersion?: string; continue?: string; remainingItemCount?: number };
