import { s } from "@gatewright/kube/define";

export const GATEWAY_AWS_GROUP = "gateway.k8s.aws";

/** The column that the group's kinds show, spelled as upstream does. */
export const ageColumn = { name: "AGE", type: "date", path: ".metadata.creationTimestamp" } as const;

/** What users of the earlier version are told. */
export const deprecation = (kind: string): string =>
  `${GATEWAY_AWS_GROUP}/v1beta1 ${kind} is deprecated; use ${GATEWAY_AWS_GROUP}/v1 instead`;

/** Settings that AWS defines, by key. */
export const attributes = (description: string) =>
  s
    .array(
      s.object({
        key: s.string({ description: "Name of the attribute." }),
        value: s.string({ description: "Its value." }),
      }),
      { description },
    )
    .optional();

/** Tags of what is made in AWS. */
export const tags = s.map(s.string(), { description: "Tags for what is made in AWS." }).optional();

/** Which generations of the configuration are in force. */
export const configurationStatus = s.object({
  observedGatewayConfigurationGeneration: s
    .integer({ description: "Generation of the Gateway's configuration that was last used.", format: "int64" })
    .optional(),
  observedGatewayClassConfigurationGeneration: s
    .integer({ description: "Generation of the class's configuration that was last used.", format: "int64" })
    .optional(),
});
