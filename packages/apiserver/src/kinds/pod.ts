import { at, child, deepEqual, forbiddenField, formatTime, invalid } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, setDefault, specOf, struct, structOf, structs, text } from "../resources/object-fields.ts";
import type { ObjectSubresource, Resource, Subresource } from "../resources/resource.ts";
import { builtIn, keepField, specChanged, statusSubresource } from "./built-in.ts";
import { podBinding } from "./pod-binding.ts";
import { podColumns } from "./pod-columns.ts";
import { podEviction } from "./pod-eviction.ts";
import { qosClass } from "./pod-qos.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { podSpecErrors } from "./pod-spec-validation.ts";
import { ephemeralChangeErrors, podChangeErrors } from "./pod-update-validation.ts";
import { fillResourceList } from "./resource-list.ts";
import { warnOfPod } from "./pod-warnings.ts";

/** A container that has limits and no requests asks for its limits. */
function requestDefaults(container: JsonObject): void {
  const resources = struct(container, "resources");
  const limits = struct(resources, "limits");
  if (!resources || !limits) return;
  setDefault(resources, "requests", {});
  fillResourceList(structOf(resources, "requests"), limits);
}

/** On the host's network a container port is a port of the host. */
function hostPortDefaults(container: JsonObject): void {
  for (const port of structs(container, "ports")) setDefault(port, "hostPort", port["containerPort"] ?? 0);
}

/** One address and the list of all tell the same: the single one wins, and the first of the list fills it. */
function alignAddresses(object: KubeObject): void {
  const status = struct(object, "status");
  if (!status) return;
  const single = text(status, "podIP");
  const first = text(structs(status, "podIPs")[0], "ip");
  if (single === first) return;
  if (single === "") status["podIP"] = first;
  else status["podIPs"] = [{ ip: single }];
}

function defaults(object: KubeObject): void {
  alignAddresses(object);
  const spec = specOf(object);
  const containers = [...structs(spec, "containers"), ...structs(spec, "initContainers")];
  containers.forEach(requestDefaults);
  setDefault(spec, "enableServiceLinks", true);
  if (spec["hostNetwork"] === true) containers.forEach(hostPortDefaults);
  podSpecDefaults(spec);
}

function podErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const spaced = ["containers", "initContainers"].flatMap((list) =>
    structs(spec, list).flatMap((container, i) => {
      const image = text(container, "image");
      if (image.trim() === image) return [];
      return [
        invalid(child(at(child("spec", list), i), "image"), image, "must not have leading or trailing whitespace"),
      ];
    }),
  );
  return [...podSpecErrors(spec, "spec", true), ...spaced];
}

function createErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const errors: FieldError[] = [];
  if (structs(spec, "ephemeralContainers").length > 0) {
    errors.push(forbiddenField("spec.ephemeralContainers", "cannot be set on create"));
  }
  if (text(spec, "nodeName") !== "" && structs(spec, "schedulingGates").length > 0) {
    errors.push(forbiddenField("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
  }
  return errors;
}

function newStatus(object: KubeObject, now: number): JsonObject {
  const spec = specOf(object);
  const status: JsonObject = { phase: "Pending", qosClass: qosClass(spec) };
  if (structs(spec, "schedulingGates").length > 0) {
    const message = "Scheduling is blocked due to non-empty scheduling gates";
    const times = { lastProbeTime: null, lastTransitionTime: formatTime(now) };
    status["conditions"] = [{ type: "PodScheduled", status: "False", ...times, reason: "SchedulingGated", message }];
  }
  return status;
}

function statusErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [qos, before] = [text(struct(object, "status"), "qosClass"), text(struct(old, "status"), "qosClass")];
  return qos === before ? [] : [invalid("status.qosClass", qos, "field is immutable")];
}

function raise(object: KubeObject, old: KubeObject): void {
  const generation = old.metadata.generation ?? 0;
  object.metadata.generation = specChanged(object, old) ? generation + 1 : generation;
}

const ephemeralContainers: ObjectSubresource = {
  type: "object",
  prepareForUpdate(object, old) {
    const added = struct(object, "spec")?.["ephemeralContainers"];
    keepField(object, old, "spec");
    keepField(object, old, "status");
    if (added !== undefined) specOf(object)["ephemeralContainers"] = added;
    raise(object, old);
  },
  validateUpdate: (object, old) => [...podErrors(object), ...ephemeralChangeErrors(object, old)],
  resetFields: [["status"]],
};

/** Only the resources of containers change; nothing acts on it here. */
const resize: ObjectSubresource = {
  type: "object",
  prepareForUpdate(object, old) {
    const asked = struct(object, "spec");
    keepField(object, old, "spec");
    keepField(object, old, "status");
    for (const list of ["containers", "initContainers"]) {
      structs(struct(object, "spec"), list).forEach((container, i) => {
        const wanted = structs(asked, list)[i];
        if (!wanted || text(wanted, "name") !== text(container, "name")) return;
        for (const field of ["resources", "resizePolicy"]) keepField(container, wanted, field);
      });
    }
    raise(object, old);
  },
  validateUpdate(object, old) {
    const qos = qosClass(specOf(object));
    const errors = podErrors(object);
    if (qos !== text(struct(old, "status"), "qosClass")) {
      errors.push(invalid("spec", qos, "Pod QOS Class may not change as a result of resizing"));
    }
    return errors;
  },
  resetFields: [["status"]],
};

const specText =
  (field: string) =>
  (pod: KubeObject): string =>
    text(struct(pod, "spec"), field);
const statusText =
  (field: string) =>
  (pod: KubeObject): string =>
    text(struct(pod, "status"), field);

/** Pods: stored, bound, evicted and deleted gracefully. `connections` lead to where they run, if anything runs them. */
export function pods(connections: Readonly<Record<string, Subresource>> = {}): Resource {
  return builtIn({
    group: "",
    kind: "Pod",
    resource: "pods",
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: podColumns,
        subresources: {
          status: statusSubresource({
            prepareForUpdate(object, old) {
              const status = structOf(object, "status");
              const qos = text(struct(old, "status"), "qosClass");
              if (qos !== "") setDefault(status, "qosClass", qos);
              keepField(object.metadata, old.metadata, "ownerReferences");
            },
            validateUpdate: statusErrors,
            resetFields: [["spec"], ["metadata", "deletionTimestamp"], ["metadata", "ownerReferences"]],
          }),
          binding: podBinding,
          eviction: podEviction,
          ephemeralcontainers: ephemeralContainers,
          resize,
          ...connections,
        },
      },
    ],
    strategy: {
      returnsDeletedObject: true,
      newStatus: () => ({}),
      raisesGeneration: (object, old) => !deepEqual(object["spec"], old["spec"]),
      prepareForCreate(object, context) {
        object["status"] = newStatus(object, context.now);
        const spec = struct(object, "spec");
        if (spec && count(spec, "terminationGracePeriodSeconds") < 0) spec["terminationGracePeriodSeconds"] = 1;
      },
      validate: podErrors,
      validateCreate: createErrors,
      warn: warnOfPod,
      validateUpdate: (object, old) => [...podErrors(object), ...podChangeErrors(object, old)],
      gracePeriod(object, asked) {
        const spec = struct(object, "spec");
        const phase = text(struct(object, "status"), "phase");
        if (text(spec, "nodeName") === "" || phase === "Failed" || phase === "Succeeded") return 0;
        const period = asked ?? count(spec, "terminationGracePeriodSeconds");
        return period < 0 ? 1 : period;
      },
      fieldLabels: {
        "spec.nodeName": specText("nodeName"),
        "spec.host": specText("nodeName"),
        "spec.restartPolicy": specText("restartPolicy"),
        "spec.schedulerName": specText("schedulerName"),
        "spec.serviceAccountName": specText("serviceAccountName"),
        "spec.hostNetwork": (pod) => String(struct(pod, "spec")?.["hostNetwork"] === true),
        "status.phase": statusText("phase"),
        "status.podIP": (pod) => text(structs(struct(pod, "status"), "podIPs")[0], "ip"),
        "status.podIPs": () => "",
        "status.nominatedNodeName": statusText("nominatedNodeName"),
      },
    },
  });
}
