import type { Aws } from "@gatewright/aws";

/** What AWS has, without what it made up by itself. */
export async function told(aws: Aws): Promise<unknown> {
  const { LoadBalancers = [] } = await aws.elbv2.describeLoadBalancers({});
  const { TargetGroups = [] } = await aws.elbv2.describeTargetGroups({});
  const names = new Map(TargetGroups.map((each) => [each.TargetGroupArn, each.TargetGroupName]));
  const all: unknown[] = [
    LoadBalancers.map(({ LoadBalancerName }) => LoadBalancerName),
    [...names.values()].map(String).toSorted(),
  ];
  for (const { LoadBalancerArn } of LoadBalancers) {
    const { Listeners = [] } = await aws.elbv2.describeListeners({ LoadBalancerArn });
    for (const { ListenerArn = "", Port, Protocol } of Listeners.toSorted((a, b) => (a.Port ?? 0) - (b.Port ?? 0))) {
      if (Protocol === "HTTPS") {
        const { Certificates = [] } = await aws.elbv2.describeListenerCertificates({ ListenerArn });
        all.push([Port, ...Certificates.map((each) => `${each.CertificateArn} ${each.IsDefault}`).toSorted()]);
      }
      const { Rules = [] } = await aws.elbv2.describeRules({ ListenerArn });
      for (const { Priority, Conditions, Actions } of Rules) {
        const groups = Actions?.[0]?.ForwardConfig?.TargetGroups?.map((each) => names.get(each.TargetGroupArn));
        all.push([Port, Priority, Conditions?.map(({ Values }) => Values), groups ?? Actions?.[0]?.Type]);
      }
    }
  }
  for (const TargetGroupArn of names.keys()) {
    const { TargetHealthDescriptions = [] } = await aws.elbv2.describeTargetHealth({
      TargetGroupArn: TargetGroupArn ?? "",
    });
    all.push(TargetHealthDescriptions.map(({ Target }) => `${Target?.Id}:${Target?.Port}`));
  }
  return all;
}
