import assert from "node:assert/strict";
import type { Call } from "./signed-client.ts";
import { eventually } from "../real/eventually.ts";

/** A host that is served, and what was made for it. */
export interface LiveHost {
  readonly host: string;
  readonly zone: string;
  readonly certificate: string;
  readonly balancer: string;
  readonly listener: string;
  /** Calls that waited: they are as many as it took. */
  readonly looks: { readonly acm: number; readonly elbv2: number };
}

/** From nothing to a host that a load balancer serves over TLS from `targetPort` of this machine, by signed requests alone. */
export async function putHostLive(call: Call, domain: string, targetPort: number): Promise<LiveHost> {
  const host = `shop.${domain}`;
  const looks = { acm: 0, elbv2: 0 };
  const { HostedZone } = await call("route53", "CreateHostedZone", { Name: domain, CallerReference: "live" });
  const zone = HostedZone.Id.replace("/hostedzone/", "");

  const { CertificateArn: certificate = "" } = await call("acm", "RequestCertificate", {
    DomainName: host,
    ValidationMethod: "DNS",
  });
  const describe = async () => {
    looks.acm++;
    return (await call("acm", "DescribeCertificate", { CertificateArn: certificate })).Certificate;
  };
  const recordOf = (seen: Awaited<ReturnType<typeof describe>>) => seen?.DomainValidationOptions?.[0]?.ResourceRecord;
  const pending = await eventually("a record to prove the name with", describe, (seen) => recordOf(seen) !== undefined);
  assert.equal(pending?.Status, "PENDING_VALIDATION");
  const proof = recordOf(pending);
  assert.ok(proof);
  await call("route53", "ChangeResourceRecordSets", {
    HostedZoneId: zone,
    ChangeBatch: {
      Changes: [
        {
          Action: "UPSERT",
          ResourceRecordSet: { Name: proof.Name, Type: "CNAME", TTL: 300, ResourceRecords: [{ Value: proof.Value }] },
        },
      ],
    },
  });
  await eventually("the certificate", describe, (seen) => seen?.Status === "ISSUED");

  const made = await call("elbv2", "CreateLoadBalancer", { Name: "edge", Subnets: ["subnet-a", "subnet-b"] });
  const balancer = made.LoadBalancers?.[0];
  assert.ok(balancer?.LoadBalancerArn !== undefined && balancer.DNSName !== undefined);
  const { TargetGroups } = await call("elbv2", "CreateTargetGroup", {
    Name: "shop",
    Protocol: "HTTP",
    Port: targetPort,
    VpcId: "vpc-1",
    TargetType: "ip",
    HealthCheckIntervalSeconds: 5,
    HealthCheckTimeoutSeconds: 2,
    HealthyThresholdCount: 2,
  });
  const TargetGroupArn = TargetGroups?.[0]?.TargetGroupArn ?? "";
  await call("elbv2", "RegisterTargets", { TargetGroupArn, Targets: [{ Id: "127.0.0.1", Port: targetPort }] });
  const { Listeners } = await call("elbv2", "CreateListener", {
    LoadBalancerArn: balancer.LoadBalancerArn,
    Protocol: "HTTPS",
    Port: 443,
    Certificates: [{ CertificateArn: certificate }],
    DefaultActions: [{ Type: "forward", TargetGroupArn }],
  });
  await eventually(
    "a healthy target",
    async () => {
      looks.elbv2++;
      return (await call("elbv2", "DescribeTargetHealth", { TargetGroupArn })).TargetHealthDescriptions;
    },
    (seen) => seen?.[0]?.TargetHealth?.State === "healthy",
  );

  await call("route53", "ChangeResourceRecordSets", {
    HostedZoneId: zone,
    ChangeBatch: {
      Changes: [
        {
          Action: "CREATE",
          ResourceRecordSet: {
            Name: host,
            Type: "A",
            AliasTarget: {
              DNSName: balancer.DNSName,
              HostedZoneId: balancer.CanonicalHostedZoneId ?? "",
              EvaluateTargetHealth: false,
            },
          },
        },
      ],
    },
  });
  const listener = Listeners?.[0]?.ListenerArn ?? "";
  return { host, zone, certificate, balancer: balancer.LoadBalancerArn, listener, looks };
}
