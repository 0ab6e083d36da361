import { forbiddenField, validateImmutable } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import { count, flag, setDefault, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";

const MAX_USER_PRIORITY = 1_000_000_000;
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ["system-cluster-critical", 2_000_000_000],
  ["system-node-critical", 2_000_001_000],
]);

function systemErrors(name: string, object: KubeObject): FieldError[] {
  const expected = SYSTEM.get(name);
  const value = count(object, "value");
  const why =
    expected === undefined
      ? `${name} is not a known system priority class`
      : value !== expected
        ? `value of ${name} PriorityClass must be ${expected}`
        : flag(object, "globalDefault")
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined;
  if (why === undefined) return [];
  const text_ = "priority class names with 'system-' prefix are reserved for system use only. error: ";
  return [forbiddenField("metadata.name", text_ + why)];
}

function classErrors(object: KubeObject): FieldError[] {
  const name = object.metadata.name ?? "";
  const policy = text(object, "preemptionPolicy");
  const errors: FieldError[] = [];
  if (name.startsWith("system-")) errors.push(...systemErrors(name, object));
  else if (count(object, "value") > MAX_USER_PRIORITY) {
    errors.push(forbiddenField("value", `maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`));
  }
  const policies = ["PreemptLowerPriority", "Never"];
  errors.push(...choiceErrors(policy, policies, "preemptionPolicy"));
  return errors;
}

export function priorityClasses(): Resource {
  return builtIn({
    group: "scheduling.k8s.io",
    kind: "PriorityClass",
    resource: "priorityclasses",
    namespaced: false,
    shortNames: ["pc"],
    versions: [
      {
        version: "v1",
        defaults: (object) => setDefault(object, "preemptionPolicy", "PreemptLowerPriority"),
        columns: columns(
          ["Name", "Value:integer", "Global-Default:boolean", "Age", "PreemptionPolicy"],
          (object, now) => [
            object.metadata.name ?? "",
            count(object, "value"),
            flag(object, "globalDefault"),
            age(object, now),
            text(object, "preemptionPolicy"),
          ],
        ),
      },
    ],
    strategy: {
      // Its generation starts at 1 and never moves: nothing in it is reconciled.
      raisesGeneration: () => false,
      validateCreate: classErrors,
      validateUpdate: (object, old) => [
        ...(count(object, "value") === count(old, "value")
          ? []
          : [forbiddenField("value", "may not be changed in an update.")]),
        ...validateImmutable(text(object, "preemptionPolicy"), text(old, "preemptionPolicy"), "preemptionPolicy"),
      ],
    },
  });
}
