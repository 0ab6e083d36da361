import { DomainClaim, Gateway, LoadBalancerConfiguration } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { gatewaysOf, isToBeServed } from "../../pool/claim-view.ts";
import { configurationName, GATEWAY_LABEL, POOL_LABEL, VISIBILITY_ANNOTATION } from "../../pool/pool-names.ts";
import type { Claim } from "../claim.ts";
import type { FakeCertificates } from "./fake-certificates.ts";

const EDGE = "edge";

/** Plays the pool and the load balancer controller once: Gateways are what claims ask for, and programmed. */
export async function playPool(user: Client, certificates: FakeCertificates): Promise<void> {
  const claims = (await user.for(DomainClaim).list()).items;
  const there = (await user.for(Gateway).list({ namespace: EDGE })).items.map(({ metadata }) => metadata.name ?? "");
  const used = new Set<string>();
  for (const name of new Set([...there, ...claims.flatMap(gatewaysOf)])) {
    const served = claims.filter((claim) => gatewaysOf(claim).includes(name) && isToBeServed(claim));
    for (const { status } of served) used.add(status?.certificate?.arn ?? "");
    await playGateway(user, name, served);
  }
  for (const { arn, inUse } of certificates.all.values()) {
    if (inUse !== used.has(arn)) certificates.set(arn, { inUse: used.has(arn) });
  }
}

async function playGateway(user: Client, name: string, claims: readonly Claim[]): Promise<void> {
  const listeners = claims.map(({ metadata, spec }) => ({
    name: metadata.name ?? "",
    hostname: spec.hostname,
    port: 443,
    protocol: "HTTPS",
  }));
  const [first] = claims;
  const visibility = first?.spec.wish?.visibility ?? "internet-facing";
  const metadata = {
    namespace: EDGE,
    name,
    labels: { [POOL_LABEL]: "true" },
    ...(first !== undefined && { annotations: { [VISIBILITY_ANNOTATION]: visibility } }),
  };
  const spec = { gatewayClassName: "aws-alb", listeners: [{ name: "http", port: 80, protocol: "HTTP" }, ...listeners] };
  const labels = { [POOL_LABEL]: "true", [GATEWAY_LABEL]: name };
  const configuration = { namespace: EDGE, name: configurationName(name), labels };
  const certificates = [...new Set(claims.flatMap(({ status }) => status?.certificate?.arn ?? []))];
  await user.for(LoadBalancerConfiguration).apply({
    metadata: configuration,
    spec: { listenerConfigurations: [{ protocolPort: "HTTPS:443", certificates }] },
  });
  const gateway = await user.for(Gateway).apply({ metadata, spec });
  const observedGeneration = gateway.metadata.generation ?? 1;
  const condition = (type: string) => ({
    type,
    status: "True" as const,
    reason: type,
    message: "",
    observedGeneration,
    lastTransitionTime: "2030-01-01T00:00:00Z",
  });
  const conditions = [condition("Accepted"), condition("Programmed")];
  await user.for(Gateway).status.apply({
    metadata: { namespace: EDGE, name },
    status: {
      addresses: [{ type: "Hostname", value: `${name}.eu-west-1.elb.amazonaws.com` }],
      conditions,
      listeners: spec.listeners.map((listener) => ({
        name: listener.name,
        attachedRoutes: 0,
        supportedKinds: [],
        conditions,
      })),
    },
  });
}
