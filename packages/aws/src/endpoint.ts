import type { ServiceName } from "@gatewright/aws-wire";

/** Services whose endpoint is one for all regions, and the region that requests to it are signed for. */
const GLOBAL: ReadonlyMap<ServiceName, string> = new Map([
  ["iam", "us-east-1"],
  ["route53", "us-east-1"],
]);
const NAMES: ReadonlyMap<ServiceName, string> = new Map([["elbv2", "elasticloadbalancing"]]);

/** Where a service of AWS is, and the region that its requests are signed for. An `override` serves all services. */
export function endpointOf(
  service: ServiceName,
  region: string,
  override: string | undefined,
): { readonly url: URL; readonly region: string } {
  const suffix = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const name = NAMES.get(service) ?? service;
  const signedFor = GLOBAL.get(service);
  const host = signedFor === undefined ? `${name}.${region}.${suffix}` : `${name}.${suffix}`;
  return { url: new URL(override ?? `https://${host}`), region: signedFor ?? region };
}
