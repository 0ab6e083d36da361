import {
  StatusError,
  aggregateText,
  badRequest,
  conflict,
  formatFieldError,
  formatTime,
  internalError,
  notFound,
  notSupported,
  required,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, specOf, struct, structOf, structs, text } from "../resources/object-fields.ts";
import type { ActionSubresource } from "../resources/resource.ts";
import { changeStored } from "./stored-object.ts";

const PODS = { group: "", resource: "pods" };

/** The answer to an action that makes no object of its own. */
export function created(): KubeObject {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
}

function bindingErrors(body: JsonObject): FieldError[] {
  const target = struct(body, "target");
  const kind = text(target, "kind");
  return [
    ...(kind === "" || kind === "Node" ? [] : [notSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...(text(target, "name") === "" ? [required("target.name")] : []),
  ];
}

function bind(pod: KubeObject, node: string, body: JsonObject, now: number): void {
  const spec = specOf(pod);
  const name = pod.metadata.name ?? "";
  if (pod.metadata.deletionTimestamp)
    throw conflict(
      { group: "", resource: "pods/binding" },
      name,
      `pod ${name} is being deleted, cannot be assigned to a host`,
    );
  if (text(spec, "nodeName") !== "") {
    throw conflict(
      { group: "", resource: "pods/binding" },
      name,
      `pod ${name} is already assigned to node "${text(spec, "nodeName")}"`,
    );
  }
  if (structs(spec, "schedulingGates").length > 0) {
    throw conflict({ group: "", resource: "pods/binding" }, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  spec["nodeName"] = node;
  const annotations = Object.fromEntries(entries(struct(body, "metadata"), "annotations"));
  if (Object.keys(annotations).length > 0) {
    pod.metadata.annotations = { ...pod.metadata.annotations, ...(annotations as Record<string, string>) };
  }
  const status = structOf(pod, "status");
  const others = structs(status, "conditions").filter((condition) => text(condition, "type") !== "PodScheduled");
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: formatTime(now) };
  status["conditions"] = [...others, scheduled];
}

/** `binding`: what a scheduler posts to put a pod on a node. */
export const podBinding: ActionSubresource = {
  type: "action",
  kind: { group: "", version: "v1", kind: "Binding" },
  async create(body, target, name, context) {
    const named = text(struct(body, "metadata"), "name");
    if (named !== name) throw badRequest("name in URL does not match name in Binding object");
    const errors = bindingErrors(body);
    if (errors.length > 0) {
      // The server tells these as an internal failure, not as an invalid object.
      throw new StatusError({ code: 500, message: aggregateText(errors.map(formatFieldError)) });
    }
    if (!target) throw notFound(PODS, name);
    const node = text(struct(body, "target"), "name");
    if (context.dryRun) return created();
    const bound = await changeStored(context.cluster, "pods", `${context.namespace}/${name}`, (pod) =>
      bind(pod, node, body, context.now),
    );
    if (!bound) throw internalError(`pod ${name} went away`);
    return created();
  },
};
