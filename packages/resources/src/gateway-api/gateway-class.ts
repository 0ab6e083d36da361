import { ageColumn, conditionColumn, defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { conditionsPending, pending } from "./conditions.ts";
import { gatewayApiKind } from "./gateway-api-group.ts";
import { controllerName } from "./name-fields.ts";
import { objectReference } from "./object-references.ts";

const shape = {
  spec: s.object({
    controllerName: controllerName({
      description: "The controller that looks after Gateways of the class.",
      rules: [immutable()],
    }),
    parametersRef: objectReference("Settings for all Gateways of the class.").optional(),
    description: s.string({ description: "What the class is for.", maxLength: 64 }).optional(),
  }),
  status: s.object(
    {
      conditions: conditionsPending("Accepted"),
      supportedFeatures: s
        .array(s.object({ name: s.string({ description: "Name of the feature." }) }), {
          description: "Features that the controller has.",
          maxItems: 64,
          listType: "map",
          listMapKeys: ["name"],
        })
        .optional(),
    },
    { default: { conditions: pending(["Accepted"]) } },
  ),
  columns: [
    { name: "Controller", type: "string", path: ".spec.controllerName" },
    conditionColumn("Accepted"),
    ageColumn,
    { name: "Description", type: "string", path: ".spec.description", priority: 1 },
  ],
} as const;

/** A sort of Gateways, and the controller that looks after them. */
export const GatewayClass = defineResource({
  ...gatewayApiKind,
  ...shape,
  version: "v1",
  kind: "GatewayClass",
  shortNames: ["gc"],
  scope: "Cluster",
  description: "A sort of Gateways, and the controller that looks after them.",
  versions: [{ ...shape, version: "v1beta1" }],
  example: {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GatewayClass",
    metadata: { name: "aws-alb" },
    spec: { controllerName: "gateway.k8s.aws/alb" },
  },
});

/** {@inheritDoc GatewayClass} */
export type GatewayClass = ObjectOf<typeof GatewayClass>;
