import { at, child, duplicate, forbiddenField, invalid, isValidLabelValue, required } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { entries, flag, specOf, struct, structOf, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, keepField, statusSubresource } from "./built-in.ts";
import { age, columns } from "./columns.ts";
import { cidrErrors } from "./ip-validation.ts";
import { labelNameErrors } from "./label-selector-validation.ts";
import { roundResourceList } from "./resource-list.ts";
import { resourceAmountErrors } from "./resource-name-validation.ts";
import { taintEffectErrors } from "./scheduling-validation.ts";

const ROLE_LABEL = "node-role.kubernetes.io/";

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  const cidrs = texts(spec, "podCIDRs");
  // The older field is the first of the newer one.
  if (text(spec, "podCIDR") !== "" && cidrs.length === 0) spec["podCIDRs"] = [text(spec, "podCIDR")];
  else if (cidrs.length > 0) spec["podCIDR"] = cidrs[0]!;
  const status = structOf(object, "status");
  roundResourceList(struct(status, "capacity"));
  const capacity = struct(status, "capacity");
  if (!struct(status, "allocatable") && capacity) status["allocatable"] = { ...capacity };
  roundResourceList(struct(status, "allocatable"));
}

function taintErrors(spec: JsonObject): FieldError[] {
  const seen = new Set<string>();
  return structs(spec, "taints").flatMap((taint, i) => {
    const path = at("metadata.taints", i);
    const [key, value, effect] = [text(taint, "key"), text(taint, "value"), text(taint, "effect")];
    const errors = labelNameErrors(key, child(path, "key"));
    const wrong = isValidLabelValue(value);
    if (wrong.length > 0) errors.push(invalid(child(path, "value"), value, wrong.join(";")));
    errors.push(
      ...(effect === "" ? [required(child(path, "effect"))] : taintEffectErrors(effect, child(path, "effect"))),
    );
    const id = `${key}\0${effect}`;
    if (seen.has(id)) {
      const shown = { Key: key, Value: value, Effect: effect, TimeAdded: null };
      const repeated = duplicate(path, shown);
      errors.push({ ...repeated, body: `${repeated.body}: taints must be unique by key and effect pair` });
    }
    seen.add(id);
    return errors;
  });
}

function resourceErrors(object: KubeObject): FieldError[] {
  const status = struct(object, "status");
  return ["capacity", "allocatable"].flatMap((list) =>
    entries(status, list).flatMap(([name, amount]) => resourceAmountErrors(name, amount, child("status", list, name))),
  );
}

function nodeErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  return [
    ...taintErrors(spec),
    ...resourceErrors(object),
    ...texts(spec, "podCIDRs").flatMap((cidr, i) => cidrErrors(cidr, at("spec.podCIDRs", i))),
  ];
}

function changeErrors(object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(object), specOf(old)];
  const errors = resourceErrors(object);
  const seen = new Set<string>();
  structs(struct(object, "status"), "addresses").forEach((address, i) => {
    const id = `${text(address, "type")}\0${text(address, "address")}`;
    if (seen.has(id)) {
      errors.push(
        duplicate(at("status.addresses", i), { Type: text(address, "type"), Address: text(address, "address") }),
      );
    }
    seen.add(id);
  });
  const [cidrs, oldCidrs] = [texts(spec, "podCIDRs"), texts(before, "podCIDRs")];
  if (oldCidrs.length > 0 && (cidrs.length !== oldCidrs.length || cidrs.some((cidr, i) => cidr !== oldCidrs[i]))) {
    errors.push(forbiddenField("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid'));
  }
  const provider = text(before, "providerID");
  if (provider !== "" && provider !== text(spec, "providerID")) {
    errors.push(forbiddenField("spec.providerID", 'node updates may not change providerID except from "" to valid'));
  }
  return [...errors, ...taintErrors(spec)];
}

function statusText(object: KubeObject): string {
  const ready = structs(struct(object, "status"), "conditions").find(
    (condition) => text(condition, "type") === "Ready",
  );
  const parts = [ready ? (text(ready, "status") === "True" ? "Ready" : "NotReady") : "Unknown"];
  if (flag(struct(object, "spec"), "unschedulable")) parts.push("SchedulingDisabled");
  return parts.join(",");
}

function rolesText(object: KubeObject): string {
  const roles = Object.entries(object.metadata.labels ?? {}).flatMap(([label, value]) => {
    if (label.startsWith(ROLE_LABEL)) return [label.slice(ROLE_LABEL.length)];
    return label === "kubernetes.io/role" ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ""))].toSorted().join(",") || "<none>";
}

export function nodes(): Resource {
  return builtIn({
    group: "",
    kind: "Node",
    resource: "nodes",
    namespaced: false,
    shortNames: ["no"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(
          [
            "Name",
            "Status",
            "Roles",
            "Age",
            "Version",
            "Internal-IP@1",
            "External-IP@1",
            "OS-Image@1",
            "Kernel-Version@1",
            "Container-Runtime@1",
          ],
          (object, now) => {
            const status = struct(object, "status");
            const info = struct(status, "nodeInfo");
            const address = (type: string): string =>
              text(
                structs(status, "addresses").find((a) => text(a, "type") === type),
                "address",
              ) || "<none>";
            const architecture = text(info, "architecture");
            return [
              object.metadata.name ?? "",
              statusText(object),
              rolesText(object),
              age(object, now),
              text(info, "kubeletVersion"),
              address("InternalIP"),
              address("ExternalIP"),
              text(info, "osImage") || "<unknown>",
              (text(info, "kernelVersion") || "<unknown>") + (architecture === "" ? "" : ` (${architecture})`),
              text(info, "containerRuntimeVersion") || "<unknown>",
            ];
          },
        ),
        subresources: { status: statusSubresource({ validateUpdate: changeErrors }) },
      },
    ],
    strategy: {
      prepareForUpdate: (object, old) => keepField(object, old, "status"),
      resetFields: [["status"]],
      validateCreate: nodeErrors,
      validateUpdate: (object, old) => [...nodeErrors(object), ...changeErrors(object, old)],
      fieldLabels: { "spec.unschedulable": (object) => String(flag(struct(object, "spec"), "unschedulable")) },
    },
  });
}
