import {
  child,
  deepClone,
  deepEqual,
  forbiddenField,
  inclusiveRangeError,
  invalid,
  required,
  at,
  quote,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, setOrDrop, specOf, struct, structs, text } from "../resources/object-fields.ts";

const UPDATABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

const MAX_DEADLINE = 2 ** 31 - 1;

function containerChangeErrors(spec: JsonObject, old: JsonObject, list: string): FieldError[] | "stop" {
  const containers = structs(spec, list);
  if (containers.length !== structs(old, list).length) return "stop";
  return containers.flatMap((container, i) => {
    const image = text(container, "image");
    const path = child(at(child("spec", list), i), "image");
    if (image === "") return [required(path)];
    return image.trim() === image ? [] : [invalid(path, image, "must not have leading or trailing whitespace")];
  });
}

function deadlineErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const path = "spec.activeDeadlineSeconds";
  const [seconds, before] = [number(spec, "activeDeadlineSeconds"), number(old, "activeDeadlineSeconds")];
  if (seconds === undefined) {
    return before === undefined ? [] : [invalid(path, null, "must not update from a positive integer to nil value")];
  }
  if (seconds < 0 || seconds > MAX_DEADLINE) return [invalid(path, seconds, inclusiveRangeError(0, MAX_DEADLINE))];
  return before !== undefined && before < seconds
    ? [invalid(path, seconds, "must be less than or equal to previous value")]
    : [];
}

function tolerationErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const bare = (toleration: JsonObject): JsonObject => ({ ...toleration, tolerationSeconds: null });
  const kept = structs(spec, "tolerations").map(bare);
  const all = structs(old, "tolerations").every((was) => kept.some((is) => deepEqual(is, bare(was))));
  return all
    ? []
    : [forbiddenField("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function gateErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const before = new Set(structs(old, "schedulingGates").map((gate) => text(gate, "name")));
  return structs(spec, "schedulingGates").flatMap((gate, i) => {
    const name = text(gate, "name");
    if (before.has(name)) return [];
    const path = child(at("spec.schedulingGates", i), "name");
    return [forbiddenField(path, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

/** The new spec with everything put back that an update may change. */
function withoutAllowedChanges(spec: JsonObject, old: JsonObject): JsonObject {
  const munged = deepClone(spec);
  for (const list of ["containers", "initContainers"]) {
    structs(munged, list).forEach((container, i) => setOrDrop(container, "image", structs(old, list)[i]?.["image"]));
  }
  const restored = ["activeDeadlineSeconds", "schedulingGates", "tolerations"];
  if (structs(old, "schedulingGates").length > 0) restored.push("nodeSelector", "affinity");
  for (const field of restored) setOrDrop(munged, field, old[field]);
  if (count(old, "terminationGracePeriodSeconds") < 0 && number(munged, "terminationGracePeriodSeconds") === 1) {
    munged["terminationGracePeriodSeconds"] = old["terminationGracePeriodSeconds"]!;
  }
  return munged;
}

/** What may not change in a pod that exists. The spec itself is judged elsewhere. */
export function podChangeErrors(object: KubeObject, before: KubeObject): FieldError[] {
  const [spec, old] = [specOf(object), specOf(before)];
  const errors: FieldError[] = [];
  for (const list of ["containers", "initContainers"]) {
    const found = containerChangeErrors(spec, old, list);
    if (found === "stop")
      return [...errors, forbiddenField(child("spec", list), "pod updates may not add or remove containers")];
    errors.push(...found);
  }
  errors.push(...deadlineErrors(spec, old), ...tolerationErrors(spec, old), ...gateErrors(spec, old));
  if (deepEqual(spec, old) || deepEqual(withoutAllowedChanges(spec, old), old)) return errors;
  return [...errors, forbiddenField("spec", `pod updates may not change fields other than ${UPDATABLE.join(",")}`)];
}

/** Ephemeral containers can be added, and are never changed or removed. */
export function ephemeralChangeErrors(object: KubeObject, before: KubeObject): FieldError[] {
  const path = "spec.ephemeralContainers";
  const now = new Map(structs(struct(object, "spec"), "ephemeralContainers").map((c) => [text(c, "name"), c]));
  return structs(struct(before, "spec"), "ephemeralContainers").flatMap((was) => {
    const is = now.get(text(was, "name"));
    const what = `existing ephemeral containers ${quote(text(was, "name"))} may not be`;
    if (!is) return [forbiddenField(path, `${what} removed\n`)];
    return deepEqual(is, was) ? [] : [forbiddenField(path, `${what} changed\n`)];
  });
}
