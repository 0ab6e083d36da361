import { ageColumn, conditionColumn, s } from "@gatewright/kube/define";

const observed = {
  observedGeneration: s
    .integer({ description: "The generation of the spec that the rest is about.", format: "int64" })
    .optional(),
  conditions: s.conditions(),
};

/** What is known of a route. */
export const routeStatus = s.object({
  ...observed,
  gateways: s.string({ description: "How many of the gateways serve this very spec: 2/2." }).optional(),
  appliedGateways: s
    .array(
      s.object({
        name: s.string({ description: "Name of the gateway." }),
        namespace: s.string({ description: "Its namespace." }),
        lastApplied: s.time({ description: "Since when it serves this very spec." }),
      }),
      { description: "The gateways that serve this very spec." },
    )
    .optional(),
});

/** What is known of a backend. */
export const backendStatus = s.object({
  ...observed,
  totalHosts: s.integer({ description: "How many hosts it has." }).optional(),
  healthyHosts: s.integer({ description: "How many of them can take requests." }).optional(),
  lastHealthCheck: s.time({ description: "When that was last found out." }).optional(),
});

export const routeColumns = [
  conditionColumn("Ready"),
  { name: "Gateways", type: "string", path: ".status.gateways", description: "How many of the gateways serve it." },
  ageColumn,
] as const;

export const backendColumns = [
  conditionColumn("Ready"),
  conditionColumn("Healthy"),
  { name: "Hosts", type: "string", path: ".status.healthyHosts", description: "Hosts that can take requests." },
  ageColumn,
] as const;
