import { admissionPolicies, DEFAULT_POLICY_SETTINGS, DEFAULT_SETTINGS } from "@gatewright/hostnames";
import { admissionregistration, core } from "@gatewright/kube/api";
import { GatewayClass } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";

/** What requests name unless they say otherwise. */
const GATEWAY_CLASS = "aws-alb";

/**
 * Makes what a platform team installs once in a cluster for hostnames: the namespace of the pool, the class of its Gateways, and the
 * policies that hold routes to granted names.
 */
export async function installEdge(client: Client, signal: AbortSignal): Promise<void> {
  await client.for(core.Namespace).apply({ metadata: { name: DEFAULT_SETTINGS.edgeNamespace } }, { signal });
  await client
    .for(GatewayClass)
    .apply({ metadata: { name: GATEWAY_CLASS }, spec: { controllerName: "gateway.k8s.aws/alb" } }, { signal });
  const { policies, bindings } = admissionPolicies(DEFAULT_POLICY_SETTINGS);
  for (const policy of policies)
    await client.for(admissionregistration.ValidatingAdmissionPolicy).apply(policy as never, { signal });
  for (const binding of bindings)
    await client.for(admissionregistration.ValidatingAdmissionPolicyBinding).apply(binding as never, { signal });
}
