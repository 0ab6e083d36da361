import { ageColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { gatewayApiKind } from "./gateway-api-group.ts";
import { group, kind, namespaceName, objectName } from "./name-fields.ts";

const shape = {
  spec: s.object({
    from: s.array(s.object({ group, kind, namespace: namespaceName }), {
      description: "Whose references are allowed.",
      minItems: 1,
      maxItems: 16,
      listType: "atomic",
    }),
    to: s.array(s.object({ group, kind, name: objectName.optional() }), {
      description: "What they may refer to, in the namespace of the grant. Without a name: all of the kind.",
      minItems: 1,
      maxItems: 16,
      listType: "atomic",
    }),
  }),
  columns: [ageColumn],
} as const;

/** Allows objects of other namespaces to refer to objects of this one. Stored as v1beta1, as upstream does; v1 is the same. */
export const ReferenceGrant = defineResource({
  ...gatewayApiKind,
  ...shape,
  version: "v1beta1",
  kind: "ReferenceGrant",
  shortNames: ["refgrant"],
  scope: "Namespaced",
  description: "Allows objects of other namespaces to refer to objects of this one.",
  versions: [{ ...shape, version: "v1" }],
  example: {
    apiVersion: "gateway.networking.k8s.io/v1beta1",
    kind: "ReferenceGrant",
    metadata: { name: "routes-of-shop" },
    spec: {
      from: [{ group: "gateway.networking.k8s.io", kind: "HTTPRoute", namespace: "shop" }],
      to: [{ group: "", kind: "Service" }],
    },
  },
});

/** {@inheritDoc ReferenceGrant} */
export type ReferenceGrant = ObjectOf<typeof ReferenceGrant>;
