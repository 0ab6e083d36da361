import { deepEqual } from "@gatewright/kube";
import { struct, structOf } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn } from "./built-in.ts";
import { columns, containerCells, labelsText } from "./columns.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";
import { podTemplateErrors } from "./pod-spec-validation.ts";
import { warnOfWorkload } from "./pod-warnings.ts";

export function podTemplates(): Resource {
  return builtIn({
    group: "",
    kind: "PodTemplate",
    resource: "podtemplates",
    namespaced: true,
    versions: [
      {
        version: "v1",
        defaults: (object) => podSpecDefaults(structOf(object, "template", "spec")),
        columns: columns(["Name", "Containers", "Images", "Pod Labels"], (object) => {
          const template = struct(object, "template");
          return [
            object.metadata.name ?? "",
            ...containerCells(struct(template, "spec")),
            labelsText(struct(template, "metadata", "labels")),
          ];
        }),
      },
    ],
    strategy: {
      returnsDeletedObject: true,
      raisesGeneration: (object, old) => !deepEqual(object["template"], old["template"]),
      warn: warnOfWorkload(["template"], false),
      validate: (object) => podTemplateErrors(struct(object, "template") ?? {}, "template"),
    },
  });
}
