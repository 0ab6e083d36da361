import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { labelSelector } from "../gateway-api/label-selector.ts";
import {
  ageColumn,
  attributes,
  configurationStatus,
  deprecation,
  GATEWAY_AWS_GROUP,
  tags,
} from "./gateway-aws-group.ts";

const text = (description: string) => s.string({ description }).optional();
const int32 = (description: string) => s.integer({ description, format: "int32" }).optional();

const healthCheck = s
  .object(
    {
      healthCheckProtocol: s.string({ description: "Protocol.", enum: ["HTTP", "HTTPS", "TCP"] }).optional(),
      healthCheckPort: text("Port, or traffic-port."),
      healthCheckPath: text("Path that is asked for."),
      healthCheckInterval: int32("Seconds from one check to the next."),
      healthCheckTimeout: int32("Seconds after which a check has failed."),
      healthyThresholdCount: int32("Successes in a row that make a target healthy."),
      unhealthyThresholdCount: int32("Failures in a row that make it unhealthy."),
      matcher: s
        .object(
          { httpCode: text("HTTP statuses."), grpcCode: text("gRPC codes.") },
          { description: "What success is." },
        )
        .optional(),
    },
    { description: "How targets are checked." },
  )
  .optional();

const targetGroup = (description: string) =>
  s.object(
    {
      targetGroupName: text("Name in AWS."),
      targetType: s
        .string({ description: "What is registered. Default: instance.", enum: ["instance", "ip"] })
        .optional(),
      ipAddressType: s.string({ description: "Family of addresses.", enum: ["ipv4", "ipv6"] }).optional(),
      protocol: s
        .string({ description: "Protocol to the targets.", enum: ["HTTP", "HTTPS", "TCP", "TLS", "UDP", "TCP_UDP"] })
        .optional(),
      protocolVersion: s.string({ description: "Version of HTTP.", enum: ["HTTP1", "HTTP2", "GRPC"] }).optional(),
      healthCheckConfig: healthCheck,
      nodeSelector: labelSelector("Nodes to register, for target type instance.").optional(),
      targetControlPort: int32("Port on which targets tell their load."),
      enableMultiCluster: s.boolean({ description: "Whether other clusters register targets too." }).optional(),
      targetGroupAttributes: attributes("Attributes of the target group."),
      tags,
    },
    { description },
  );

const routeConfiguration = s.object({
  routeIdentifier: s.object(
    { kind: text("Kind of the route."), namespace: text("Its namespace."), name: text("Its name.") },
    { description: "Routes that are meant; what is left out means any." },
  ),
  targetGroupProps: targetGroup("Settings for these routes."),
});

const shape = {
  spec: s
    .object({
      targetReference: s
        .object(
          {
            group: s.string({ description: "API group; empty for the core group.", default: "" }),
            kind: s.string({ description: "Kind: Service or Gateway.", default: "Service" }),
            name: s.string({ description: "Name, in the same namespace." }),
          },
          { description: "What the targets are of. Without it the configuration is a default for others." },
        )
        .optional(),
      defaultConfiguration: targetGroup("Settings for all routes.").optional(),
      routeConfigurations: s.array(routeConfiguration, { description: "Settings for single routes." }).optional(),
    })
    .optional(),
  status: configurationStatus,
  columns: [{ name: "SERVICE-NAME", type: "string", path: ".spec.targetReference.name" }, ageColumn],
} as const;

/** How the target groups of a Service are made. */
export const TargetGroupConfiguration = defineResource({
  ...shape,
  group: GATEWAY_AWS_GROUP,
  version: "v1",
  kind: "TargetGroupConfiguration",
  scope: "Namespaced",
  description: "How the target groups of a Service are made.",
  versions: [{ ...shape, version: "v1beta1", deprecated: deprecation("TargetGroupConfiguration") }],
  example: {
    apiVersion: "gateway.k8s.aws/v1",
    kind: "TargetGroupConfiguration",
    metadata: { name: "shop" },
    spec: { targetReference: { name: "shop" }, defaultConfiguration: { targetType: "ip" } },
  },
});

/** {@inheritDoc TargetGroupConfiguration} */
export type TargetGroupConfiguration = ObjectOf<typeof TargetGroupConfiguration>;
