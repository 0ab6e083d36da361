import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { mayRefer } from "./crossing.ts";
import { isHostName, notDiallable } from "./host-name.ts";
import type { Resolving } from "./resolving.ts";
import type { Host } from "./service-endpoints.ts";
import { nowhere, serviceHosts } from "./service-hosts.ts";
import { serviceName } from "./service-name.ts";

interface Group {
  readonly weight: number;
  readonly hosts: readonly Host[];
}

const MOST = 100;

/**
 * Puts the endpoints of Services in place of their names among the hosts of a backend, in place. Each host keeps its share, spread
 * over its endpoints. With TLS the name that is verified stays the Service's; where several names would have to be, they stay names.
 */
export function resolveHosts(spec: JsonObject, resolving: Resolving): void {
  const { hosts } = spec;
  if (!Array.isArray(hosts) || hosts.length === 0) return;
  const groups = hosts.map((host, at) => groupOf(host, `spec.hosts[${at}]`, resolving));
  const expanded = groups.flatMap((group) => (group === undefined ? [] : [group]));
  if (expanded.length < groups.length || expanded.every((group) => group.name === undefined)) return;
  const names = new Set(expanded.map(({ address }) => address));
  const { tls } = spec;
  if (isObject(tls) && tls["enabled"] === true && tls["serverName"] === undefined) {
    if (names.size > 1) return;
    tls["serverName"] = [...names][0] ?? "";
  }
  const spread = spreadWeights(expanded);
  const [first] = expanded;
  if (spread.length > 0 || first?.name === undefined) spec["hosts"] = spread;
  else spec["hosts"] = [{ ...nowhere(first.name.name, first.name.namespace, first.port), weight: 1 }];
}

interface Expanded extends Group {
  readonly address: string;
  readonly port: number;
  /** The Service that it is; undefined: it is none. */
  readonly name: { readonly namespace: string; readonly name: string } | undefined;
}

/** Undefined: something is wrong with it, and was said or will be. */
function groupOf(host: Json, field: string, resolving: Resolving): Expanded | undefined {
  const { namespace, around, settings, problems } = resolving;
  const [address, port, weight] = [getPath(host, "address"), getPath(host, "port"), getPath(host, "weight") ?? 1];
  if (typeof address !== "string" || typeof port !== "number" || typeof weight !== "number") return undefined;
  if (!isHostName(address)) {
    problems.push({ severity: "error", reason: "Invalid", field: `${field}.address`, message: notDiallable(address) });
    return undefined;
  }
  const plain = { address, port, weight, name: undefined, hosts: [{ address, port }] };
  const named = serviceName(address, namespace, settings.clusterDomain);
  const service = named && around.service(named.namespace, named.name);
  if (named === undefined || service === undefined) {
    if (named?.certain !== true) return plain;
    const severity = settings.missingBackends === "refuse" ? "error" : "warning";
    const message = `there is no Service ${named.name} in namespace ${named.namespace}`;
    problems.push({ severity, reason: "BackendMissing", field: `${field}.address`, message });
    return plain;
  }
  const to = { group: "", kind: "Service", namespace: named.namespace, name: named.name };
  if (!mayRefer(to, `${field}.address`, resolving)) return undefined;
  const found = serviceHosts(service, port, around, settings);
  if (typeof found === "string") {
    problems.push({ severity: "error", reason: "ReferenceMissing", field: `${field}.port`, message: found });
    return undefined;
  }
  return { address, port, weight, name: named, hosts: found.hosts };
}

/** Whole numbers up to 100 in the proportion of the shares, as near as they come; nobody with a share gets none. */
function spreadWeights(groups: readonly Group[]): JsonObject[] {
  const taking = groups.filter(({ hosts }) => hosts.length > 0);
  const shares = taking.map(({ weight, hosts }) => weight / hosts.length);
  const exact = taking.length === 1 || shares.every(Number.isInteger);
  const scale = exact ? 1 : MOST / Math.max(...shares);
  return taking.flatMap(({ weight, hosts }, at) => {
    const share = taking.length === 1 ? weight : (shares[at] ?? 0) * scale;
    const each = weight === 0 ? 0 : Math.max(1, Math.round(share));
    return hosts.map(({ address, port }) => ({ address, port, weight: each }));
  });
}
