import { child, invalid } from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { count, specOf, struct, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { optionalChoiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";
import { labelSelectorErrors } from "./label-selector-validation.ts";
import { above100PercentErrors, countErrors, countOrPercentErrors } from "./workload-validation.ts";

const POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

function amountErrors(spec: JsonObject, field: string): FieldError[] {
  const value = spec[field];
  if (value === undefined) return [];
  const path = child("spec", field);
  return [...countOrPercentErrors(value, path), ...above100PercentErrors(value, path)];
}

function specErrors(object: KubeObject): FieldError[] {
  const spec = specOf(object);
  const policy = text(spec, "unhealthyPodEvictionPolicy");
  const [min, max] = [spec["minAvailable"], spec["maxUnavailable"]];
  const errors: FieldError[] = [];
  if (min !== undefined && max !== undefined) {
    const shown: Json = {
      MinAvailable: min,
      Selector: spec["selector"] ?? null,
      MaxUnavailable: max,
      UnhealthyPodEvictionPolicy: policy || null,
    };
    errors.push(invalid("spec", shown, "minAvailable and maxUnavailable cannot be both set"));
  }
  return [
    ...errors,
    ...amountErrors(spec, "minAvailable"),
    ...amountErrors(spec, "maxUnavailable"),
    ...labelSelectorErrors(struct(spec, "selector"), "spec.selector"),
    ...optionalChoiceErrors(policy, POLICIES, "spec.unhealthyPodEvictionPolicy"),
  ];
}

const amount = (value: Json | undefined): string => (value === undefined ? "N/A" : String(value));

export function podDisruptionBudgets(): Resource {
  return builtIn({
    group: "policy",
    kind: "PodDisruptionBudget",
    resource: "poddisruptionbudgets",
    namespaced: true,
    shortNames: ["pdb"],
    versions: [
      {
        version: "v1",
        columns: columns(
          ["Name", "Min Available", "Max Unavailable", "Allowed Disruptions:integer", "Age"],
          (object, now) => {
            const spec = struct(object, "spec");
            return [
              object.metadata.name ?? "",
              amount(spec?.["minAvailable"]),
              amount(spec?.["maxUnavailable"]),
              count(struct(object, "status"), "disruptionsAllowed"),
              age(object, now),
            ];
          },
        ),
        subresources: {
          status: statusSubresource({
            validateUpdate: (object) =>
              countErrors(struct(object, "status"), [
                "disruptionsAllowed",
                "currentHealthy",
                "desiredHealthy",
                "expectedPods",
              ]),
          }),
        },
      },
    ],
    strategy: {
      allowsUnconditionalUpdate: false,
      newStatus: () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
      raisesGeneration: specChanged,
      validate: specErrors,
    },
  });
}
