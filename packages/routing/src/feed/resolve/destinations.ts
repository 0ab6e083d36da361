import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { backendKindOf, serviceBackendName } from "../draft.ts";
import { mayRefer } from "./crossing.ts";
import { isHostName, notDiallable } from "./host-name.ts";
import type { Resolving } from "./resolving.ts";
import { serviceHosts } from "./service-hosts.ts";
import { serviceName } from "./service-name.ts";
import { steadyAddress } from "./steady-address.ts";

/**
 * Leads the destinations of a route to backends, in place: names of backends stay, an address that is a backend's only host leads to
 * that backend, Services become the backend that is made of them, anything else is dialled as it is written.
 */
export function resolveDestinations(spec: JsonObject, resolving: Resolving): void {
  for (const { field, destination } of destinationsOf(spec)) {
    const { host, port } = destination;
    if (typeof host !== "string" || typeof port !== "number") continue;
    const led = lead(host, port, `${field}.host`, resolving);
    if (led !== undefined) destination["host"] = led;
  }
}

/** Undefined: it stays as it is written. */
function lead(host: string, port: number, field: string, resolving: Resolving): string | undefined {
  const { from, kind, namespace, around, settings, problems, uses } = resolving;
  const backend = backendKindOf(kind);
  // Only what is made of objects, as for an Ingress, leads to backends that are, whose names no object has.
  if (from.kind !== "Ingress" && !mayBeWritten(host)) {
    problems.push({ severity: "error", reason: "Invalid", field, message: notDiallable(host) });
    return undefined;
  }
  if (host.includes("/")) return leadElsewhere(host, field, resolving);
  if (around.hasBackend(backend, namespace, host)) return undefined;
  const described = around.backendAt(backend, namespace, steadyAddress(host, port, namespace, settings.clusterDomain));
  if (described !== undefined) return described;
  const named = serviceName(host, namespace, settings.clusterDomain);
  if (named === undefined) return undefined;
  const service = around.service(named.namespace, named.name);
  if (service === undefined) {
    if (named.certain)
      missing(`${host} is neither a ${backend} nor a Service of namespace ${named.namespace}`, field, resolving);
    return undefined;
  }
  const to = { group: "", kind: "Service", namespace: named.namespace, name: named.name };
  if (!mayRefer(to, field, resolving)) return undefined;
  const use = { kind: backend, namespace, service: { namespace: named.namespace, name: named.name }, port };
  const found = serviceHosts(service, port, NO_SLICES, settings);
  if (typeof found === "string") {
    problems.push({
      severity: "error",
      reason: "ReferenceMissing",
      field: field.replace(/host$/, "port"),
      message: found,
    });
    return undefined;
  }
  uses.push(use);
  return serviceBackendName(use);
}

/** A host, or `namespace/name` of a backend. */
function mayBeWritten(host: string): boolean {
  const parts = host.split("/");
  return parts.length <= 2 && parts.every(isHostName);
}

/** Whether there is the port is all that is asked here: endpoints come and go without the route. */
const NO_SLICES = { slices: () => [] } as const;

/** `other/orders`: a backend of another namespace. */
function leadElsewhere(host: string, field: string, resolving: Resolving): undefined {
  const { kind, around } = resolving;
  const backend = backendKindOf(kind);
  const [namespace = "", name = ""] = host.split("/");
  if (!mayRefer({ group: "avapigw.io", kind: backend, namespace, name }, field, resolving)) return undefined;
  if (!around.hasBackend(backend, namespace, name)) missing(`there is no ${backend} ${host}`, field, resolving);
  return undefined;
}

function missing(message: string, field: string, { settings, problems }: Resolving): void {
  const severity = settings.missingBackends === "refuse" ? "error" : "warning";
  problems.push({ severity, reason: "BackendMissing", field, message });
}

interface Found {
  readonly field: string;
  readonly destination: JsonObject;
}

function destinationsOf(spec: JsonObject): readonly Found[] {
  const found: Found[] = [];
  const add = (destination: Json | undefined, field: string): void => {
    if (isObject(destination)) found.push({ field, destination });
  };
  const list = (items: Json | undefined, field: string): void => {
    if (!Array.isArray(items)) return;
    for (const [at, item] of items.entries()) add(getPath(item, "destination"), `${field}[${at}].destination`);
  };
  list(spec["route"], "spec.route");
  add(getPath(spec, "mirror", "destination"), "spec.mirror.destination");
  if (getPath(spec, "aggregate", "enabled") === true)
    list(getPath(spec, "aggregate", "targets"), "spec.aggregate.targets");
  return found;
}
