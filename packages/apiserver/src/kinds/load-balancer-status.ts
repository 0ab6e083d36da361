import { isIP } from "node:net";
import { at, child, forbiddenField, invalid, isDNS1123Subdomain, notSupported, required } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { struct, structs, text } from "../resources/object-fields.ts";
import { ipErrors } from "./ip-validation.ts";

function ingressPoints(object: KubeObject): readonly JsonObject[] {
  return structs(struct(object, "status", "loadBalancer"), "ingress");
}

/** Addresses and hostnames of a load balancer, as columns show them. */
export function loadBalancerText(object: KubeObject): string {
  const names = ingressPoints(object).map((point) => text(point, "ip") || text(point, "hostname"));
  return [...new Set(names.filter((name) => name !== ""))].toSorted().join(",");
}

function hostnameErrors(hostname: string, path: string): FieldError[] {
  if (hostname === "") return [];
  return [
    ...isDNS1123Subdomain(hostname).map((why) => invalid(path, hostname, why)),
    ...(isIP(hostname) ? [invalid(path, hostname, "must be a DNS name, not an IP address")] : []),
  ];
}

/** What is wrong with `status.loadBalancer`. `forbidden` says why there may be none. */
export function loadBalancerErrors(object: KubeObject, forbidden?: string): FieldError[] {
  const path = "status.loadBalancer.ingress";
  const points = ingressPoints(object);
  if (forbidden !== undefined && points.length > 0) return [forbiddenField(path, forbidden)];
  const withMode = object.kind === "Service";
  return points.flatMap((point, i) => {
    const place = at(path, i);
    const [ip, mode] = [text(point, "ip"), point["ipMode"]];
    const errors = ip === "" ? [] : ipErrors(ip, child(place, "ip"));
    if (withMode && mode === undefined && ip !== "") {
      errors.push(required(child(place, "ipMode"), "must be specified when `ip` is set"));
    } else if (typeof mode === "string" && ip === "") {
      errors.push(forbiddenField(child(place, "ipMode"), "may not be specified when `ip` is not set"));
    } else if (typeof mode === "string" && mode !== "VIP" && mode !== "Proxy") {
      errors.push(notSupported(child(place, "ipMode"), mode, ["Proxy", "VIP"]));
    }
    return [...errors, ...hostnameErrors(text(point, "hostname"), child(place, "hostname"))];
  });
}
