import type { Resource } from "@gatewright/kube";
import type { LoadBalancerConfiguration } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { namedBy } from "./certificates-on.ts";
import { POOL_LABEL } from "./pool-names.ts";

/**
 * Certificates that the pool's LoadBalancerConfigurations name, as the server has them now. ACM does not count these as in use before the
 * load balancer controller has come to them, and one that is gone by then stops the load balancer for everybody on it.
 */
export async function namedCertificates(
  client: Pick<Client, "for">,
  configurations: Resource<LoadBalancerConfiguration>,
  namespace: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { items } = await client.for(configurations).list({ namespace, labelSelector: `${POOL_LABEL}=true`, signal });
  return new Set(items.flatMap(namedBy));
}
