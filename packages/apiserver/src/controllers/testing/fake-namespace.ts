import { getPath } from "@gatewright/kube";
import type { GroupResource, JsonObject, KubeObject } from "@gatewright/kube";
import type { Resource } from "../../resources/resource.ts";
import type { FakeCluster } from "./fake-cluster.ts";
import { fakeResource } from "./fake-resource.ts";

export const NAMESPACES: GroupResource = { group: "", resource: "namespaces" };

/** Namespaces with the finalizer that makes their deletion wait for their content. */
export function namespaceResource(): Resource {
  return fakeResource("Namespace", {
    namespaced: false,
    strategy: {
      heldBack: (object) => ((getPath(object, "spec", "finalizers") ?? []) as string[]).length > 0,
      onDeletionMarked: (object) => void (object.status = { ...(object.status as JsonObject), phase: "Terminating" }),
    },
  });
}

export function createNamespace(
  cluster: FakeCluster,
  name: string,
  labels: Record<string, string> = {},
): Promise<KubeObject> {
  const status = { phase: "Active" };
  const spec = { finalizers: ["kubernetes"] };
  return cluster.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name, labels }, spec, status });
}
