import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf, selectorOf } from "./names.ts";
import { podTemplate } from "./pod-template.ts";

/** Says on a Deployment that its number of replicas is the autoscaler's and no longer applied from the Application. */
export const AUTOSCALED = "cloudnative.elide.dev/autoscaled";

/**
 * Written out although they are the defaults: what the server fills in belongs to nobody and would stay when the strategy becomes
 * Recreate, which the server then refuses.
 */
const ROLLING = { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } } as const;

/** The Deployment that runs an Application. With autoscaling it does not say how many replicas. */
export function deployment(app: Immutable<Application>): Applied<apps.Deployment> {
  const { replicas, strategy, autoscaling } = app.spec;
  const autoscaled = autoscaling !== undefined;
  return {
    metadata: {
      name: homeOf(app).name,
      labels: labelsOf(app),
      ...(autoscaled && { annotations: { [AUTOSCALED]: "true" } }),
    },
    spec: {
      ...(!autoscaled && { replicas }),
      selector: { matchLabels: selectorOf(app) },
      strategy: strategy === "Recreate" ? { type: "Recreate" } : ROLLING,
      template: podTemplate(app),
    },
  };
}
