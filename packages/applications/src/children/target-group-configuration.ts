import type { Immutable } from "@gatewright/kube";
import type { Application, TargetGroupConfiguration } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf } from "./names.ts";

/** How often targets are asked. Less than the pause before a pod stops, so that new pods are known to be well by then. */
const HEALTH = { healthCheckInterval: 10, healthCheckTimeout: 5, healthyThresholdCount: 2, unhealthyThresholdCount: 2 };

/** How long requests that are under way may take when a pod goes. */
const DRAIN_SECONDS = 30;

/** Makes the pods themselves targets of the load balancer: the Service needs no node ports, and rolling updates are seen at once. */
export function targetGroupConfiguration(app: Immutable<Application>): Applied<TargetGroupConfiguration> | undefined {
  const { expose, probes, runToCompletion } = app.spec;
  if (expose === undefined || runToCompletion === true) return undefined;
  const { name } = homeOf(app);
  const probe = probes?.readiness?.httpGet;
  return {
    metadata: { name, labels: labelsOf(app) },
    spec: {
      targetReference: { group: "", kind: "Service", name },
      defaultConfiguration: {
        targetType: "ip",
        healthCheckConfig: {
          ...HEALTH,
          healthCheckPath: probe?.path ?? "/",
          // Pods without such a probe are well when they answer at all.
          matcher: { httpCode: probe === undefined ? "200-499" : "200-399" },
        },
        targetGroupAttributes: [{ key: "deregistration_delay.timeout_seconds", value: String(DRAIN_SECONDS) }],
      },
    },
  };
}
