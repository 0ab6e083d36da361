import type { Aws } from "@gatewright/aws";
import { Gateway, LoadBalancerConfiguration } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Plays the AWS Load Balancer Controller for the Gateways of a namespace: a load balancer each, and the status that tells of it. Until
 * the signal aborts.
 */
export async function playLoadBalancerController(
  client: Client,
  aws: Aws,
  namespace: string,
  subnets: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const names = new Map<string, string>();
  while (!signal.aborted) {
    for (const gateway of (await client.for(Gateway).list({ namespace })).items) {
      const { name = "", generation = 0 } = gateway.metadata;
      const dnsName = names.get(name) ?? (await made(aws, name, subnets));
      names.set(name, dnsName);
      const condition = (type: string) => ({
        type,
        status: "True" as const,
        reason: type,
        message: "",
        observedGeneration: generation,
        lastTransitionTime: gateway.metadata.creationTimestamp ?? "",
      });
      const programmed = gateway.status?.conditions?.find(({ type }) => type === "Programmed");
      if (programmed?.observedGeneration !== generation) {
        const conditions = [condition("Accepted"), condition("Programmed")];
        await client.for(Gateway).status.patch(
          { namespace, name },
          {
            merge: {
              status: {
                addresses: [{ type: "Hostname", value: dnsName }],
                conditions,
                listeners: gateway.spec.listeners.map((listener) => ({
                  name: listener.name,
                  attachedRoutes: 0,
                  supportedKinds: [],
                  conditions,
                })),
              },
            },
          },
        );
      }
      const configurations = client.for(LoadBalancerConfiguration);
      const configuration = await configurations.find({ namespace, name: `${name}-config` });
      const observed = configuration?.status?.observedGatewayConfigurationGeneration;
      if (configuration !== undefined && observed !== configuration.metadata.generation) {
        const status = { observedGatewayConfigurationGeneration: configuration.metadata.generation };
        await configurations.status.patch({ namespace, name: `${name}-config` }, { merge: { status } });
      }
    }
    await pause(100, undefined, { signal }).catch(() => {}); // the loop looks at the signal
  }
}

async function made(aws: Aws, name: string, subnets: readonly string[]): Promise<string> {
  const { LoadBalancers } = await aws.elbv2.createLoadBalancer({ Name: name, Subnets: [...subnets] });
  return LoadBalancers?.[0]?.DNSName ?? "";
}
