import { invalid, invalidObject } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { ResourceCall } from "./resource-call.ts";

/** A patch cannot give an object another identity. The real server tells it twice. */
export function checkUid(call: ResourceCall, object: KubeObject, old: KubeObject): void {
  const { uid = "" } = object.metadata;
  if (uid === "" || uid === old.metadata.uid) return;
  const { resource, info } = call;
  const immutable = invalid("metadata.uid", uid, "field is immutable");
  throw invalidObject({ group: resource.group, kind: resource.kind }, info.name, [immutable, immutable]);
}
