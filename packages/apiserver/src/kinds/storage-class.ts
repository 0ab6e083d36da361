import {
  at,
  child,
  deepEqual,
  duplicate,
  invalid,
  isQualifiedName,
  required,
  tooLong,
  validateImmutable,
} from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import { entries, flag, setDefault, structs, text, texts } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { choiceErrors, optionalChoiceErrors } from "./choice-validation.ts";
import { age, columns } from "./columns.ts";
import { labelNameErrors } from "./label-selector-validation.ts";

const DEFAULT_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
const MAX_PARAMETERS = 512;
const MAX_PARAMETER_BYTES = 256 * 1024;
const RECLAIM_POLICIES = ["Delete", "Retain"];
const BINDING_MODES = ["Immediate", "WaitForFirstConsumer"];

function parameterErrors(object: KubeObject): FieldError[] {
  const parameters = entries(object, "parameters");
  if (parameters.length > MAX_PARAMETERS) return [tooLong("parameters", MAX_PARAMETERS)];
  const errors = parameters
    .filter(([name]) => name === "")
    .map(() => invalid("parameters", "", "field can not be empty."));
  const size = parameters.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(String(value)),
    0,
  );
  if (size > MAX_PARAMETER_BYTES) errors.push(tooLong("parameters", MAX_PARAMETER_BYTES));
  return errors;
}

function topologyErrors(object: KubeObject): FieldError[] {
  const terms = structs(object, "allowedTopologies");
  return terms.flatMap((term, i) => {
    const path = at("allowedTopologies", i);
    const errors: FieldError[] = [];
    if (terms.slice(0, i).some((other) => deepEqual(other, term))) {
      errors.push({ ...duplicate(child(path, "matchLabelExpressions"), ""), body: 'Duplicate value: ""' });
    }
    structs(term, "matchLabelExpressions").forEach((expression, j) => {
      const place = at(child(path, "matchLabelExpressions"), j);
      const values = texts(expression, "values");
      if (values.length === 0) errors.push(required(child(place, "values")));
      values.forEach((value, k) => {
        if (values.indexOf(value) < k) errors.push(duplicate(at(child(place, "values"), k), value));
      });
      errors.push(...labelNameErrors(text(expression, "key"), child(place, "key")));
    });
    return errors;
  });
}

function classErrors(object: KubeObject): FieldError[] {
  const [provisioner, policy, mode] = [
    text(object, "provisioner"),
    text(object, "reclaimPolicy"),
    text(object, "volumeBindingMode"),
  ];
  return [
    ...(provisioner === ""
      ? [required("provisioner")]
      : isQualifiedName(provisioner.toLowerCase()).map((why) =>
          invalid("provisioner", provisioner.toLowerCase(), why),
        )),
    ...parameterErrors(object),
    ...optionalChoiceErrors(policy, RECLAIM_POLICIES, "reclaimPolicy"),
    ...choiceErrors(mode, BINDING_MODES, "volumeBindingMode"),
    ...topologyErrors(object),
  ];
}

const IMMUTABLE = ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"];

export function storageClasses(): Resource {
  return builtIn({
    group: "storage.k8s.io",
    kind: "StorageClass",
    resource: "storageclasses",
    namespaced: false,
    shortNames: ["sc"],
    versions: [
      {
        version: "v1",
        defaults(object) {
          setDefault(object, "reclaimPolicy", "Delete");
          setDefault(object, "volumeBindingMode", "Immediate");
        },
        columns: columns(
          ["Name", "Provisioner", "ReclaimPolicy", "VolumeBindingMode", "AllowVolumeExpansion", "Age"],
          (object, now) => {
            const isDefault = DEFAULT_ANNOTATIONS.some((name) => object.metadata.annotations?.[name] === "true");
            return [
              `${object.metadata.name ?? ""}${isDefault ? " (default)" : ""}`,
              text(object, "provisioner"),
              text(object, "reclaimPolicy") || "Delete",
              text(object, "volumeBindingMode") || "Immediate",
              flag(object, "allowVolumeExpansion"),
              age(object, now),
            ];
          },
        ),
      },
    ],
    strategy: {
      returnsDeletedObject: true,
      validateCreate: classErrors,
      validateUpdate: (object, old) =>
        IMMUTABLE.flatMap((field) => validateImmutable(object[field] ?? null, old[field] ?? null, field)),
    },
  });
}
