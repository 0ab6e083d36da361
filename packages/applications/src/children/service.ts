import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf, selectorOf } from "./names.ts";
import { targetPort } from "./target-port.ts";
import type { Before } from "./target-port.ts";

const NOTHING: Before = { service: undefined, deployment: undefined };

/** The Service in front of the pods, if they listen on any port. */
export function service(app: Immutable<Application>, before: Before = NOTHING): Applied<core.Service> | undefined {
  const { ports = [], runToCompletion } = app.spec;
  if (ports.length === 0 || runToCompletion === true) return undefined;
  return {
    metadata: { name: homeOf(app).name, labels: labelsOf(app) },
    spec: {
      selector: selectorOf(app),
      ports: ports.map((each) => ({
        name: each.name,
        port: each.port,
        targetPort: targetPort(app, each, before),
        protocol: each.protocol,
        ...(each.appProtocol !== undefined && { appProtocol: each.appProtocol }),
      })),
    },
  };
}

const SCHEME = /^(https?)(?:-|$)/;

/** Where an Application answers inside of the cluster: the Service's first port that is called http or https. */
export function clusterUrl(app: Immutable<Application>): string | undefined {
  const { namespace, name } = homeOf(app);
  for (const { name: portName, port, protocol } of service(app)?.spec?.ports ?? []) {
    const scheme = SCHEME.exec(portName ?? "")?.[1];
    if (scheme === undefined || protocol !== "TCP" || port === undefined) continue;
    const isDefault = port === (scheme === "https" ? 443 : 80);
    return `${scheme}://${name}.${namespace}.svc${isDefault ? "" : `:${port}`}`;
  }
  return undefined;
}
