import type { ApiServer } from "@gatewright/apiserver";
import { groupVersionPath } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { TransportRequest } from "../transport/transport.ts";
import { askServer } from "./network/ask-server.ts";
import type { GroupVersionObject, Step } from "./scenario.ts";

/** The path of an object, and of the collection that it is in when it has no name. */
export function pathOf({
  group,
  version,
  plural,
  namespaced,
  namespace = "default",
  name,
}: GroupVersionObject): string {
  const where = namespaced ? `/namespaces/${namespace}` : "";
  return `${groupVersionPath({ group, version })}${where}/${plural}${name === "" ? "" : `/${name}`}`;
}

/** The kind of an object as the server knows it. Throws when it does not. */
export function refOfObject(server: ApiServer, object: KubeObject): GroupVersionObject {
  const [group, version] = object.apiVersion.includes("/")
    ? (object.apiVersion.split("/") as [string, string])
    : (["", object.apiVersion] as const);
  const resource = server.cluster.resources.byKind({ group, version, kind: object.kind });
  if (resource === undefined) throw new Error(`the server knows no ${object.kind} of ${object.apiVersion}`);
  const { name = "", namespace = "default" } = object.metadata;
  const { namespaced } = resource;
  return { group, version, plural: resource.resource, namespaced, name, ...(namespaced ? { namespace } : {}) };
}

/** What a step asks of the server. */
function requestOf(server: ApiServer, step: Step): TransportRequest {
  const json = { "content-type": "application/json", "user-agent": "user" };
  if ("create" in step) {
    const path = pathOf({ ...refOfObject(server, step.create), name: "" });
    return { method: "POST", path, headers: json, body: JSON.stringify(step.create) };
  }
  if ("delete" in step) {
    // As kubectl asks for it: some kinds would leave their dependents behind.
    const body = JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" });
    return { method: "DELETE", path: pathOf(step.delete), headers: json, body };
  }
  const path = `${pathOf(step.patch)}${step.subresource === undefined ? "" : `/${step.subresource}`}`;
  const headers = { ...json, "content-type": "application/merge-patch+json" };
  return { method: "PATCH", path, headers, body: JSON.stringify(step.with) };
}

/** Does a step. Returns whether it is done; otherwise it is to be tried again: its object is still there, or not yet. */
export async function takeStep(server: ApiServer, step: Step): Promise<boolean> {
  const { status, ...answer } = await askServer(server, requestOf(server, step), "user");
  if (status < 300) return true;
  if ("delete" in step && status === 404) return true;
  if (status === 409 || status === 404) return false;
  const said = answer.kind === "whole" ? answer.body.toString() : "";
  throw new Error(`a step of the scenario was refused: ${status} ${said}`);
}
