import type { Case, Topic } from "../case.ts";
import { create } from "../steps.ts";
import { widgetCrd, widgetOf, widgetsOf } from "../widgets.ts";

/** CEL knows semantic versions since Kubernetes 1.33: a definition of its own, so that older ones still take the other rules. */
const GROUP = "versions.example.com";
const widget = widgetOf(GROUP);

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        semver: {
          type: "string",
          maxLength: 64,
          "x-kubernetes-validations": [{ rule: "semver(self).major() >= 2", message: "2 or later" }],
        },
      },
    },
  },
};

const tried = (name: string, semver: string): Case => ({
  name,
  steps: [create(widgetsOf(GROUP), widget("w", { semver }))],
});

export const topic: Topic = {
  crds: [widgetCrd(GROUP, schema, { selectableFields: [], subresources: {}, additionalPrinterColumns: [] })],
  cases: [tried("a version", "2.1.0"), tried("an old version", "1.9.9"), tried("no version", "two")],
};
