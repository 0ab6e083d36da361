import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { DomainClaim, HTTPRoute, LoadBalancerConfiguration } from "@gatewright/resources";
import { gatewayState, stillServes } from "../../packages/hostnames/src/pool/gateway-state.ts";
import { createPoolWorld } from "./pool-world.ts";
import type { PoolWorld } from "./pool-world.ts";

/** Each listener of the one load balancer: port, certificates with the default one first, and what its rules do. */
async function listeners({
  aws,
  asked,
}: PoolWorld): Promise<readonly (readonly [number, readonly string[], string])[]> {
  const { LoadBalancers = [] } = await asked(aws.elbv2.describeLoadBalancers({}));
  const { LoadBalancerArn } = LoadBalancers[0] ?? {};
  if (LoadBalancerArn === undefined) return [];
  const { Listeners = [] } = await asked(aws.elbv2.describeListeners({ LoadBalancerArn }));
  return Promise.all(
    Listeners.toSorted((a, b) => (a.Port ?? 0) - (b.Port ?? 0)).map(async ({ ListenerArn = "", Port = 0 }) => {
      const { Certificates = [] } =
        Port === 443 ? await asked(aws.elbv2.describeListenerCertificates({ ListenerArn })) : {};
      const { Rules = [] } = await asked(aws.elbv2.describeRules({ ListenerArn }));
      const rules = Rules.filter(({ IsDefault }) => IsDefault !== true).map(({ Conditions = [], Actions = [] }) => {
        const host = Conditions.flatMap(({ HostHeaderConfig }) => HostHeaderConfig?.Values ?? []).join();
        return `${host || "*"} ${Actions[0]?.Type ?? ""}`;
      });
      const arns = Certificates.toSorted((a, b) => Number(b.IsDefault) - Number(a.IsDefault)).map(
        ({ CertificateArn = "" }) => CertificateArn,
      );
      return [Port, arns, rules.join(", ")] as const;
    }),
  );
}

test("hostnames get listeners that only their team can use, leave them in order, and an empty load balancer goes", async () => {
  await using world = await createPoolWorld(30_000);
  const { user, until } = world;
  const [first, second] = [await world.certificate("a.example.com"), await world.certificate("b.example.com")];
  const a = await world.claim("a.example.com", { gateway: "gw-01", certificate: { arn: first } });
  const b = await world.claim("b.example.com", { gateway: "gw-01", certificate: { arn: second } });

  for (const claim of [a, b]) {
    const state = await until(
      `${claim.spec.hostname} is attached`,
      async () => gatewayState(claim, await world.objects("gw-01")),
      ({ attached }) => attached,
    );
    assert.match(state.loadBalancer?.dnsName ?? "", /\.eu-west-1\.elb\.amazonaws\.com$/);
    assert.equal(state.loadBalancer?.zoneId, "Z32O12XQLNTSW2");
  }
  assert.deepEqual(await listeners(world), [
    [80, [], "* redirect"],
    [443, [first, second], "gw-01.gatewright.invalid fixed-response"],
  ]);

  await user
    .for(core.Service)
    .create({ metadata: { namespace: "shop", name: "web" }, spec: { ports: [{ port: 80, targetPort: 8080 }] } });
  for (const [namespace, hostname] of [
    ["shop", "a.example.com"],
    ["rival", "b.example.com"],
  ] as const) {
    await user.for(HTTPRoute).apply({
      metadata: { namespace, name: "route" },
      spec: {
        parentRefs: [{ namespace: "edge", name: "gw-01" }],
        hostnames: [hostname],
        rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
      },
    });
  }
  const verdict = async (namespace: string): Promise<string | undefined> =>
    (await user.for(HTTPRoute).get({ namespace, name: "route" })).status?.parents?.[0]?.conditions.find(
      ({ type }) => type === "Accepted",
    )?.reason;
  assert.equal(await until("the team's route is judged", () => verdict("shop")), "Accepted");
  assert.equal(await until("the rival's route is judged", () => verdict("rival")), "NotAllowedByListeners");
  await until(
    "the rule of the team's route",
    () => listeners(world),
    ([, https]) => https?.[2].includes("a.example.com forward") === true,
  );

  await user.for(HTTPRoute).delete({ namespace: "shop", name: "route" });
  assert.equal(stillServes(a, await world.objects("gw-01")), true);
  await world.claim("a.example.com", { ...a.status, released: { at: "2030-01-01T00:00:00Z", step: "listener" } });
  await until("the listener is off", async () => !stillServes(a, await world.objects("gw-01")));
  await until(
    "the certificate is off",
    () => listeners(world),
    ([, https]) => https?.[1].join() === second,
  );
  assert.equal(gatewayState(b, await world.objects("gw-01")).attached, true);

  for (const { metadata } of [a, b]) await user.for(DomainClaim).delete({ name: metadata.name ?? "" });
  await until(
    "the end of the load balancer",
    async () => (await world.asked(world.aws.elbv2.describeLoadBalancers({}))).LoadBalancers?.length,
    (count) => count === 0,
  );
  await until(
    "the end of its settings",
    async () => (await user.for(LoadBalancerConfiguration).list({ namespace: "edge" })).items.length,
    (count) => count === 0,
  );
});
