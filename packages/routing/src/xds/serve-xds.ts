import { Server } from "@grpc/grpc-js";
import type { ServerCredentials } from "@grpc/grpc-js";
import type { ChangePace } from "../distribution/change-pace.ts";
import type { Connections, GatewayIdentity } from "../distribution/connected-gateway.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { callerNames } from "../stream/identity/caller-names.ts";
import { speaksFor } from "../stream/identity/identity-of.ts";
import { adsService } from "./ads-service.ts";
import type { IdentifyNode } from "./ads-service.ts";
import { PROXYLESS_SETTINGS } from "./envoy/envoy-settings.ts";
import type { EnvoySettings } from "./envoy/envoy-settings.ts";
import { EnvoyTranslation } from "./envoy/translation.ts";
import { Views } from "./views.ts";

export interface XdsOptions {
  /** `0.0.0.0:18000`; port 0: any. */
  readonly address: string;
  /** With client certificates demanded, outside tests: see `changingServerCredentials`. */
  readonly credentials: ServerCredentials;
  readonly envoy: EnvoySettings;
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  /** Whether a node's certificate must be in its name. */
  readonly bindsIdentity: boolean;
}

/** Envoy says who made it; clients of gRPC say something else. */
const ENVOY = "envoy";

/** Serves Envoys and proxyless clients of gRPC until it is closed. */
export async function serveXds(options: XdsOptions): Promise<{ readonly port: number; close(): void }> {
  const { catalogue, connections, pace, envoy, bindsIdentity } = options;
  const views = new Views({
    catalogue,
    pace,
    translation: ({ dialect }) => new EnvoyTranslation(dialect === "envoy" ? envoy : PROXYLESS_SETTINGS),
  });
  const identify = identifyNode(bindsIdentity);
  const { definition, implementation } = adsService({ catalogue, connections, views, identify });
  const server = new Server({ "grpc.keepalive_time_ms": 30_000, "grpc.keepalive_timeout_ms": 10_000 });
  server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(options.address, options.credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

/** A node is the gateway `<namespace>/<cluster>`: its cluster names it, its metadata its namespace, and its id tells replicas apart. */
function identifyNode(bindsIdentity: boolean): IdentifyNode {
  return (call, node) => {
    const [before, after] = node.cluster.split("/");
    const [namespace, name] = after === undefined ? ["default", before ?? ""] : [before ?? "", after];
    if (name === "") return { refused: "node.cluster must name the gateway: namespace/name" };
    if (bindsIdentity && !speaksFor(callerNames(call), { namespace, name }))
      return { refused: `the certificate is not in the name of the gateway ${namespace}/${name}` };
    const dialect: GatewayIdentity["dialect"] = node.userAgentName === ENVOY ? "envoy" : "grpc";
    const version = node.userAgentName === "" ? "unknown" : node.userAgentName;
    return { namespace, name, dialect, door: "xds", labels: {}, version, podName: node.id, namespaces: [] };
  };
}
