import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from "@gatewright/kube/cel";
import type { CelType } from "@gatewright/kube/cel";

function struct(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return objectType(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

const strings = listType(stringType);
const groupVersionKind = struct("GroupVersionKind", { group: stringType, version: stringType, kind: stringType });
const groupVersionResource = struct("GroupVersionResource", {
  group: stringType,
  version: stringType,
  resource: stringType,
});

/** `request`: what an expression may ask about the request. */
export const requestType: CelType = struct("AdmissionRequest", {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: stringType,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: struct("UserInfo", {
    username: stringType,
    uid: stringType,
    groups: strings,
    extra: mapType(stringType, strings),
  }),
  dryRun: boolType,
  options: dynType,
});

const condition = struct("NamespaceCondition", {
  status: stringType,
  type: stringType,
  lastTransitionTime: timestampType,
  message: stringType,
  reason: stringType,
});

/** `namespaceObject`: the part of the request's Namespace that an expression may see. */
export const namespaceType: CelType = struct("Namespace", {
  metadata: struct("NamespaceMetadata", {
    name: stringType,
    generateName: stringType,
    namespace: stringType,
    labels: mapType(stringType, stringType),
    annotations: mapType(stringType, stringType),
    UID: stringType,
    creationTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    deletionTimestamp: timestampType,
    generation: intType,
    resourceVersion: stringType,
    finalizers: strings,
  }),
  spec: struct("NamespaceSpec", { finalizers: strings }),
  status: struct("NamespaceStatus", { conditions: listType(condition), phase: stringType }),
});
