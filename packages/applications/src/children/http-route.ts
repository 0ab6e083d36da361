import type { Immutable } from "@gatewright/kube";
import type { Application, GatewayHostnameRequest, HTTPRoute } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { exposedPort } from "./exposed-ports.ts";
import { homeOf, labelsOf } from "./names.ts";

type Expose = NonNullable<Immutable<Application>["spec"]["expose"]>;

const EVERYTHING: NonNullable<Expose["paths"]> = [{ path: "/", type: "Prefix" }];

/**
 * The route from an Application's hostname to its Service, once it is known which Gateway serves the name. While the hostname or the
 * Gateway is replaced by another it is on both.
 */
export function httpRoute(
  app: Immutable<Application>,
  request: Immutable<GatewayHostnameRequest> | undefined,
): Applied<HTTPRoute> | undefined {
  const { expose } = app.spec;
  const { hostnames = [], parents = [] } = request?.status ?? {};
  if (expose === undefined || hostnames.length === 0 || parents.length === 0) return undefined;
  const { name } = homeOf(app);
  return {
    metadata: { name, labels: labelsOf(app) },
    spec: {
      parentRefs: parents.map((parent) => ({ group: "gateway.networking.k8s.io", ...parent })),
      hostnames,
      rules: (expose.paths ?? EVERYTHING).map(({ path, type, port }) => ({
        matches: [{ path: { type: type === "Exact" ? "Exact" : "PathPrefix", value: path } }],
        backendRefs: [{ name, port: exposedPort(app, port)?.port ?? 0 }],
      })),
    },
  };
}
