import type { ObjectKind } from "@gatewright/gateway";
import type { Json, JsonObject } from "@gatewright/kube";
import { deepClone, isObject } from "@gatewright/kube";
import { block, items } from "./spec-parts.ts";
import type { FieldRemark } from "./spec-parts.ts";

/** Fields that gateways of AVAPIGW would refuse though they do nothing about them. */
const LEFT_OUT: Readonly<Record<"route" | "backend", readonly string[]>> = {
  route: ["tls", "hosts", "compression", "maxSessions"],
  backend: ["outlierDetection", "protocol"],
};

const ALGORITHMS: ReadonlyMap<Json | undefined, string> = new Map([
  ["leastRequest", "leastConn"],
  ["consistentHash", "roundRobin"],
  ["sticky", "roundRobin"],
]);

/**
 * A spec in the words of AVAPIGW: names of backends are those inside their specs, patterns are for the whole value, equal shares are
 * no weights. `backendName`: what a host is called, if it is a backend's name. The given spec is not changed.
 */
export function rewrittenSpec(
  kind: ObjectKind,
  given: JsonObject,
  backendName: (host: string) => string | undefined,
): { readonly spec: JsonObject; readonly remarks: readonly FieldRemark[] } {
  const spec = deepClone(given);
  const remarks: FieldRemark[] = [];
  const isRoute = kind.endsWith("Route");
  for (const field of LEFT_OUT[isRoute ? "route" : "backend"]) delete spec[field];
  if (isRoute) {
    for (const destination of destinationsOf(spec)) {
      const { host } = destination;
      if (typeof host === "string") destination["host"] = backendName(host) ?? host;
    }
    const shares = items(spec["route"]);
    if (shares.length > 1 && shares.every(({ weight }) => weight === 100))
      for (const share of shares) share["weight"] = 0;
    for (const match of items(spec["match"])) rewriteMatch(match);
    const retries = block(spec, "retries");
    if (typeof retries?.["retryOn"] === "string")
      retries["retryOn"] = retries["retryOn"].replaceAll("cancelled", "canceled");
  } else {
    const balancer = block(spec, "loadBalancer");
    const instead = ALGORITHMS.get(balancer?.["algorithm"]);
    if (balancer !== undefined && instead !== undefined) {
      const message = `gateways of AVAPIGW do not know ${String(balancer["algorithm"])}: they are told ${instead}`;
      remarks.push({ refused: false, field: "spec.loadBalancer.algorithm", message });
      spec["loadBalancer"] = { algorithm: instead };
    }
    const check = block(spec, "healthCheck");
    if (check?.["tcp"] === true) {
      delete spec["healthCheck"];
      const message = "gateways of AVAPIGW cannot only connect: hosts are not checked";
      remarks.push({ refused: false, field: "spec.healthCheck.tcp", message });
    }
  }
  return { spec, remarks };
}

/** Every place of a route that leads to a backend. */
export function destinationsOf(spec: JsonObject): readonly JsonObject[] {
  const places = [...items(spec["route"]), ...items(block(spec, "aggregate")?.["targets"]), block(spec, "mirror")];
  return places.flatMap((place) => (isObject(place?.["destination"]) ? [place["destination"]] : []));
}

function rewriteMatch(match: JsonObject): void {
  if (Array.isArray(match["methods"]))
    match["methods"] = match["methods"].map((method) => (typeof method === "string" ? method.toUpperCase() : method));
  anchor(match);
}

/** Patterns of ours are for the whole value, theirs for a part of it. */
function anchor(value: Json): void {
  if (Array.isArray(value)) for (const item of value) anchor(item);
  else if (isObject(value)) {
    const { regex } = value;
    if (typeof regex === "string" && regex !== "") value["regex"] = `^(?:${regex})$`;
    for (const key of Object.keys(value)) if (key !== "regex") anchor(value[key] as Json);
  }
}
