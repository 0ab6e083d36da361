import type { Immutable } from "@gatewright/kube";
import type { Application, GatewayHostnameRequest } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf } from "./names.ts";

/** The request for the hostname that an Application is exposed at, if it is. */
export function hostnameRequest(app: Immutable<Application>): Applied<GatewayHostnameRequest> | undefined {
  const { expose, runToCompletion } = app.spec;
  if (expose === undefined || runToCompletion === true) return undefined;
  const { zoneId, hostname, www, visibility, environment, certificate, wafArn } = expose;
  return {
    metadata: { name: homeOf(app).name, labels: labelsOf(app) },
    spec: {
      zoneId,
      hostname,
      ...(visibility !== undefined && { visibility }),
      ...(environment !== undefined && { environment }),
      ...(www !== undefined && { dns: { www } }),
      ...(certificate !== undefined && { certificate }),
      ...(wafArn !== undefined && { wafArn }),
    },
  };
}
