import type { Immutable } from "@gatewright/kube";
import type { apps, autoscaling } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { AUTOSCALED } from "./deployment.ts";
import { homeOf, labelsOf } from "./names.ts";

/** What lets load decide how many replicas there are, if the Application asks for it. */
export function autoscaler(app: Immutable<Application>): Applied<autoscaling.HorizontalPodAutoscaler> | undefined {
  const bounds = app.spec.autoscaling;
  if (bounds === undefined) return undefined;
  const { name } = homeOf(app);
  const target = { type: "Utilization", averageUtilization: bounds.targetCPUUtilization };
  return {
    metadata: { name, labels: labelsOf(app) },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
      minReplicas: bounds.minReplicas,
      maxReplicas: bounds.maxReplicas,
      metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
    },
  };
}

/**
 * How many replicas a Deployment must be given before it is the autoscaler's to scale; undefined when there is nothing to do. Whoever
 * stops applying a field loses it, so the number is handed over first: otherwise the server would go back to 1. Numbers outside of
 * the bounds are brought within, so that the bounds hold where no autoscaler runs too.
 */
export function replicasToHandOver(
  app: Immutable<Application>,
  known: Immutable<apps.Deployment> | undefined,
): number | undefined {
  const bounds = app.spec.autoscaling;
  if (bounds === undefined || known === undefined) return undefined;
  const replicas = known.spec?.replicas ?? 1;
  const within = Math.min(Math.max(replicas, bounds.minReplicas), bounds.maxReplicas);
  const handedOver = known.metadata.annotations?.[AUTOSCALED] === "true";
  return handedOver && within === replicas ? undefined : within;
}
