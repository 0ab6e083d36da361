import type { Aws } from "@gatewright/aws";
import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { Gateway, LoadBalancerConfiguration } from "@gatewright/resources";
import type { Actor, ActorWorld } from "@gatewright/runtime/simulation";
import { simulatedAws } from "./aws-system.ts";

const FINALIZER = "gateway.k8s.aws/alb";
const GATEWAYS = { group: Gateway.group, resource: Gateway.plural };
const CONFIGURATIONS = { group: LoadBalancerConfiguration.group, resource: LoadBalancerConfiguration.plural };
const SUBNETS = ["subnet-0000000000000000a", "subnet-0000000000000000b"];
const now = "2026-01-01T00:00:00Z";

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
const condition = (type: string, observedGeneration: number, message = "") => ({
  type,
  status: "True",
  reason: type,
  message,
  observedGeneration,
  lastTransitionTime: now,
});

/**
 * What the AWS Load Balancer Controller does, as far as hostnames see it: a load balancer for each Gateway, with the certificates of
 * its configuration, held by a finalizer; and statuses that say so.
 */
export const loadBalancerController: Actor = {
  name: "load balancer controller",
  watches: GATEWAYS,
  also: [
    {
      watches: CONFIGURATIONS,
      of: ({ metadata: { namespace = "", name = "" } }) => ({ namespace, name: name.replace(/-config$/, "") }),
    },
  ],
  afterMs: 1_500,
  async act(gateway, world) {
    const { name = "", namespace = "", deletionTimestamp, finalizers = [] } = gateway.metadata;
    const at = { ...Gateway, namespace, name };
    const aws = simulatedAws({ port: world.system("aws"), clock: world.clock, random: world.random });
    if (deletionTimestamp !== undefined) {
      if (!finalizers.includes(FINALIZER)) return;
      const [balancer] = await balancersNamed(aws, name);
      if (balancer !== undefined)
        await aws.elbv2.deleteLoadBalancer({ LoadBalancerArn: balancer.LoadBalancerArn ?? "" });
      const left = finalizers.filter((each) => each !== FINALIZER);
      await world.take({ patch: at, with: { metadata: { finalizers: left } } });
      return;
    }
    if (!finalizers.includes(FINALIZER)) {
      await world.take({ patch: at, with: { metadata: { finalizers: [...finalizers, FINALIZER] } } });
      return;
    }
    const configuration = world.get(CONFIGURATIONS, namespace, `${name}-config`);
    if (configuration === undefined) return;
    const balancer = await balancerFor(aws, name, configuration);
    await certify(aws, balancer.arn, configuration);
    await tell(world, gateway, configuration, balancer);
  },
};

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function balancersNamed(aws: Aws, name: string) {
  const found = await all(aws.elbv2.allLoadBalancers({}));
  return found.filter(({ LoadBalancerName }) => LoadBalancerName === name);
}

async function balancerFor(aws: Aws, name: string, configuration: KubeObject) {
  const [known] = await balancersNamed(aws, name);
  const scheme = getPath(configuration, "spec", "scheme");
  const made =
    known ??
    (await aws.elbv2.createLoadBalancer({ Name: name, Subnets: SUBNETS, Scheme: String(scheme), Type: "application" }))
      .LoadBalancers?.[0];
  return { arn: made?.LoadBalancerArn ?? "", dnsName: made?.DNSName ?? "" };
}

/** The HTTPS listener has the certificates that the configuration names. */
async function certify(aws: Aws, arn: string, configuration: KubeObject): Promise<void> {
  const [wanted] = listOf(getPath(configuration, "spec", "listenerConfigurations"));
  const [listener] = await all(aws.elbv2.allListeners({ LoadBalancerArn: arn }));
  const main = wanted?.["defaultCertificate"];
  if (typeof main !== "string") {
    if (listener !== undefined) await aws.elbv2.deleteListener({ ListenerArn: listener.ListenerArn ?? "" });
    return;
  }
  const Certificates = [{ CertificateArn: main }];
  if (listener === undefined) {
    const DefaultActions = [{ Type: "fixed-response", FixedResponseConfig: { StatusCode: "404" } }];
    await aws.elbv2.createListener({
      LoadBalancerArn: arn,
      Protocol: "HTTPS",
      Port: 443,
      Certificates,
      DefaultActions,
    });
    return certify(aws, arn, configuration);
  }
  const ListenerArn = listener.ListenerArn ?? "";
  if (listener.Certificates?.[0]?.CertificateArn !== main)
    await aws.elbv2.modifyListener({ ListenerArn, Certificates });
  const extra = Array.isArray(wanted?.["certificates"]) ? wanted["certificates"].map(String) : [];
  const has = (await all(aws.elbv2.allListenerCertificates({ ListenerArn }))).flatMap(
    ({ CertificateArn = "", IsDefault }) => (IsDefault === true ? [] : [CertificateArn]),
  );
  for (const CertificateArn of extra.filter((each) => !has.includes(each))) {
    await aws.elbv2.addListenerCertificates({ ListenerArn, Certificates: [{ CertificateArn }] });
  }
  for (const CertificateArn of has.filter((each) => !extra.includes(each))) {
    await aws.elbv2.removeListenerCertificates({ ListenerArn, Certificates: [{ CertificateArn }] });
  }
}

async function tell(
  { take }: ActorWorld,
  gateway: KubeObject,
  configuration: KubeObject,
  { arn, dnsName }: { readonly arn: string; readonly dnsName: string },
): Promise<void> {
  const { generation = 0, namespace = "", name = "" } = gateway.metadata;
  const status = {
    addresses: [{ type: "Hostname", value: dnsName }],
    conditions: [condition("Accepted", generation), condition("Programmed", generation, arn)],
    listeners: listOf(getPath(gateway, "spec", "listeners")).map((listener) => ({
      name: listener["name"] ?? "",
      attachedRoutes: 0,
      supportedKinds: [{ group: Gateway.group, kind: "HTTPRoute" }],
      conditions: [condition("Accepted", generation), condition("Programmed", generation)],
    })),
  };
  if (JSON.stringify(gateway["status"]) !== JSON.stringify(status)) {
    await take({ patch: { ...Gateway, namespace, name }, with: { status }, subresource: "status" });
  }
  const seen = configuration.metadata.generation ?? 0;
  if (getPath(configuration, "status", "observedGatewayConfigurationGeneration") === seen) return;
  await take({
    patch: { ...LoadBalancerConfiguration, namespace, name: configuration.metadata.name ?? "" },
    with: { status: { observedGatewayConfigurationGeneration: seen } },
    subresource: "status",
  });
}
