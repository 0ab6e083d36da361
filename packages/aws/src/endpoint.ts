import type { ServiceName } from "@gatewright/aws-wire";

/** An endpoint that is one for all regions of a partition, and the region that requests to it are signed for. */
interface GlobalEndpoint {
  readonly host: string;
  readonly region: string;
}

/** By service, then by what the names of a partition's regions begin with; the empty text is for all others. */
const GLOBAL: ReadonlyMap<ServiceName, ReadonlyMap<string, GlobalEndpoint>> = new Map([
  [
    "iam",
    new Map([
      ["cn-", { host: "iam.cn-north-1.amazonaws.com.cn", region: "cn-north-1" }],
      ["us-gov-", { host: "iam.us-gov.amazonaws.com", region: "us-gov-west-1" }],
      ["", { host: "iam.amazonaws.com", region: "us-east-1" }],
    ]),
  ],
  [
    "route53",
    new Map([
      ["cn-", { host: "route53.amazonaws.com.cn", region: "cn-northwest-1" }],
      ["us-gov-", { host: "route53.us-gov.amazonaws.com", region: "us-gov-west-1" }],
      ["", { host: "route53.amazonaws.com", region: "us-east-1" }],
    ]),
  ],
]);

/** Services whose hosts begin with something else than their names. */
const NAMES: ReadonlyMap<ServiceName, string> = new Map([
  ["ecr", "api.ecr"],
  ["elbv2", "elasticloadbalancing"],
]);

/** Where a service of AWS is, and the region that its requests are signed for. An `override` serves all services. */
export function endpointOf(
  service: ServiceName,
  region: string,
  override: string | undefined,
): { readonly url: URL; readonly region: string } {
  const suffix = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const [, global] = [...(GLOBAL.get(service) ?? [])].find(([prefix]) => region.startsWith(prefix)) ?? [];
  const host = global?.host ?? `${NAMES.get(service) ?? service}.${region}.${suffix}`;
  return { url: new URL(override ?? `https://${host}`), region: global?.region ?? region };
}
