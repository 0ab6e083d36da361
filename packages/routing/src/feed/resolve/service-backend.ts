import type { JsonObject } from "@gatewright/kube";
import type { ServiceUse } from "../draft.ts";
import type { FeedSettings } from "../feed-settings.ts";
import type { Surroundings } from "../surroundings.ts";
import { nowhere, serviceHosts } from "./service-hosts.ts";

/** Services say so that a port speaks HTTP/2 without TLS. */
const H2C: ReadonlySet<string> = new Set(["kubernetes.io/h2c", "h2c", "grpc", "http2"]);

/** The backend that a Service's port is. Without endpoints, or without the Service, its requests are answered 503. */
export function serviceBackendSpec(use: ServiceUse, around: Surroundings, settings: FeedSettings): JsonObject {
  const { kind, port } = use;
  const { namespace, name } = use.service;
  const service = around.service(namespace, name);
  const found = service === undefined ? "gone" : serviceHosts(service, port, around, settings);
  const { hosts, appProtocol } = typeof found === "string" ? { hosts: [], appProtocol: undefined } : found;
  const given = hosts.length > 0 ? hosts : [nowhere(name, namespace, port)];
  return {
    hosts: given.map(({ address, port: at }) => ({ address, port: at, weight: 1 })),
    ...(kind === "Backend" && H2C.has(appProtocol ?? "") && { protocol: "http2" }),
  };
}
