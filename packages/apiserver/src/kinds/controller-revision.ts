import { isObject, parseGroupVersion, required, validateImmutable } from "@gatewright/kube";
import type { FieldError, KubeObject } from "@gatewright/kube";
import { count, number } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { age, columns } from "./columns.ts";
import { nonNegativeErrors } from "./number-validation.ts";

function controllerText(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find((ref) => ref.controller === true);
  if (!owner) return "<none>";
  const group = parseGroupVersion(owner.apiVersion)?.group ?? "";
  return `${`${owner.kind}${group === "" ? "" : `.${group}`}`.toLowerCase()}/${owner.name}`;
}

function dataErrors(object: KubeObject): FieldError[] {
  const data = object["data"];
  if (data === undefined || data === null) return [required("data", "data is mandatory")];
  return isObject(data) ? [] : [required("data", "data must be a valid JSON object")];
}

export function controllerRevisions(): Resource {
  return builtIn({
    group: "apps",
    kind: "ControllerRevision",
    resource: "controllerrevisions",
    namespaced: true,
    versions: [
      {
        version: "v1",
        columns: columns(["Name", "Controller", "Revision", "Age"], (object, now) => [
          object.metadata.name ?? "",
          controllerText(object),
          count(object, "revision"),
          age(object, now),
        ]),
      },
    ],
    strategy: {
      validate: (object) => nonNegativeErrors(number(object, "revision"), "revision"),
      validateCreate: dataErrors,
      validateUpdate: (object, old) => [
        ...nonNegativeErrors(number(object, "revision"), "revision"),
        ...validateImmutable(object["data"] ?? null, old["data"] ?? null, "data"),
      ],
    },
  });
}
