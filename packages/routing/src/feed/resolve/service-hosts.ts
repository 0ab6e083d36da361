import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { FeedSettings } from "../feed-settings.ts";
import type { Surroundings } from "../surroundings.ts";
import type { Host } from "./service-endpoints.ts";
import { serviceEndpoints } from "./service-endpoints.ts";

/** Where a Service's port leads. */
export interface ServiceHosts {
  readonly hosts: readonly Host[];
  readonly appProtocol: string | undefined;
}

/** Where a port of a Service leads; a text says why nowhere. No endpoints is no hosts. */
export function serviceHosts(
  service: Immutable<core.Service>,
  port: number,
  around: Pick<Surroundings, "slices">,
  { reachable }: Pick<FeedSettings, "reachable">,
): ServiceHosts | string {
  const { metadata, spec } = service;
  const { name = "", namespace = "" } = metadata;
  const found = spec?.ports?.find((one) => one.port === port && (one.protocol ?? "TCP") === "TCP");
  if (spec?.type === "ExternalName") {
    const address = spec.externalName ?? "";
    return address === ""
      ? `Service ${name} has no externalName`
      : { hosts: [{ address, port }], appProtocol: found?.appProtocol };
  }
  if (found === undefined) return `Service ${name} has no port ${port}${portsOf(spec?.ports ?? [])}`;
  const slices = around.slices(namespace, name);
  return { hosts: serviceEndpoints(service, found, slices, reachable), appProtocol: found.appProtocol };
}

/** What stands where there is no endpoint: a backend has a host, and no request reaches anything by this one. */
export function nowhere(service: string, namespace: string, port: number): Host {
  return { address: `${service}.${namespace}.no-endpoints.invalid`, port };
}

function portsOf(ports: readonly Immutable<core.ServicePort>[]): string {
  if (ports.length === 0) return "";
  return `; it has ${ports.map(({ port, name }) => (name === undefined ? `${port}` : `${port} (${name})`)).join(", ")}`;
}
