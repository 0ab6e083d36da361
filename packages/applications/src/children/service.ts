import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf, selectorOf } from "./names.ts";

type Port = NonNullable<Immutable<Application>["spec"]["ports"]>[number];

/** The port that the container listens on. */
export function listenPort({ port, targetPort }: Port): number {
  return targetPort ?? port;
}

/** The port that a path of `expose` leads to: by number or name, the first that speaks TCP unless given. */
export function exposedPort({ spec }: Immutable<Application>, wanted?: number | string): Port | undefined {
  const usable = (spec.ports ?? []).filter(({ protocol }) => protocol === "TCP");
  return wanted === undefined ? usable[0] : usable.find(({ name, port }) => name === wanted || port === wanted);
}

/** The ports that `expose` leads to, each once. */
export function exposedPorts(app: Immutable<Application>): readonly Port[] {
  const paths = app.spec.expose?.paths ?? [{}];
  return [...new Set(paths.flatMap(({ port }: { port?: number | string }) => exposedPort(app, port) ?? []))];
}

/** The Service in front of the pods, if they listen on any port. */
export function service(app: Immutable<Application>): Applied<core.Service> | undefined {
  const { ports = [], runToCompletion } = app.spec;
  if (ports.length === 0 || runToCompletion === true) return undefined;
  return {
    metadata: { name: homeOf(app).name, labels: labelsOf(app) },
    spec: {
      selector: selectorOf(app),
      ports: ports.map((each) => ({
        name: each.name,
        port: each.port,
        targetPort: listenPort(each),
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
