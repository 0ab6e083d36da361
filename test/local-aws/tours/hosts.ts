import { textAt } from "./look.ts";
import type { Tour } from "./messaging.ts";

export const route53Tour: Tour = async (aws) => {
  const made = await aws("route53 create-hosted-zone --name tour.test --caller-reference one");
  const id = textAt(made, "HostedZone", "Id").replace("/hostedzone/", "");
  const change = (...Changes: object[]) =>
    aws("route53 change-resource-record-sets --hosted-zone-id", id, "--change-batch", { Changes });
  const set = (Action: string, Name: string, Type: string, ...values: string[]) => ({
    Action,
    ResourceRecordSet: { Name, Type, TTL: 60, ResourceRecords: values.map((Value) => ({ Value })) },
  });
  const changed = await change(
    set("CREATE", "www.tour.test", "A", "10.0.0.1", "10.0.0.2"),
    set("UPSERT", "*.tour.test", "CNAME", "www.tour.test"),
    set("CREATE", "mail.tour.test", "TXT", '"v=spf1 -all"'),
  );
  return {
    made,
    sameReference: await aws("route53 create-hosted-zone --name tour.test --caller-reference one"),
    changed,
    change: await aws("route53 get-change --id", textAt(changed, "ChangeInfo", "Id")),
    createdTwice: await change(set("CREATE", "www.tour.test", "A", "10.0.0.3")),
    deletedOther: await change(set("DELETE", "www.tour.test", "A", "10.0.0.9")),
    outside: await change(set("CREATE", "www.other.test", "A", "10.0.0.3")),
    records: await aws("route53 list-resource-record-sets --hosted-zone-id", id),
    onePage: await aws("route53 list-resource-record-sets --max-items 2 --hosted-zone-id", id),
    byName: await aws("route53 list-hosted-zones-by-name --dns-name tour.test"),
    tagged: await aws(
      "route53 change-tags-for-resource --resource-type hostedzone --add-tags Key=team,Value=web --resource-id",
      id,
    ),
    tags: await aws("route53 list-tags-for-resource --resource-type hostedzone --resource-id", id),
    notEmpty: await aws("route53 delete-hosted-zone --id", id),
    emptied: await change(
      set("DELETE", "www.tour.test", "A", "10.0.0.1", "10.0.0.2"),
      set("DELETE", "*.tour.test", "CNAME", "www.tour.test"),
      set("DELETE", "mail.tour.test", "TXT", '"v=spf1 -all"'),
    ),
    removed: await aws("route53 delete-hosted-zone --id", id),
    gone: await aws("route53 get-hosted-zone --id", id),
  };
};

export const acmTour: Tour = async (aws) => {
  const request = "acm request-certificate --validation-method DNS --idempotency-token t1 --domain-name www.tour.test";
  const made = await aws(request, "--subject-alternative-names", "*.tour.test", "--tags", "Key=team,Value=web");
  const arn = textAt(made, "CertificateArn");
  return {
    made,
    sameToken: await aws(request, "--subject-alternative-names", "*.tour.test", "--tags", "Key=team,Value=web"),
    described: await aws("acm describe-certificate --certificate-arn", arn),
    listed: await aws("acm list-certificates"),
    issuedOnly: await aws("acm list-certificates --certificate-statuses ISSUED"),
    notIssued: await aws("acm get-certificate --certificate-arn", arn),
    tags: await aws("acm list-tags-for-certificate --certificate-arn", arn),
    badName: await aws("acm request-certificate --validation-method DNS --domain-name not_a_name!"),
    removed: await aws("acm delete-certificate --certificate-arn", arn),
    gone: await aws("acm describe-certificate --certificate-arn", arn),
  };
};

export const elbTour: Tour = async (aws) => {
  const subnets = await aws("ec2 describe-subnets --query", "Subnets[].[SubnetId,VpcId]");
  const [a, b, vpc] = [textAt(subnets, 0, 0), textAt(subnets, 1, 0), textAt(subnets, 0, 1)];
  const made = await aws(`elbv2 create-load-balancer --name tour --subnets ${a} ${b} --tags Key=team,Value=web`);
  const arn = textAt(made, "LoadBalancers", 0, "LoadBalancerArn");
  const group = await aws(
    `elbv2 create-target-group --name tour --protocol HTTP --port 80 --target-type ip --vpc-id ${vpc}`,
  );
  const groupArn = textAt(group, "TargetGroups", 0, "TargetGroupArn");
  const listener = await aws(
    `elbv2 create-listener --protocol HTTP --port 80 --load-balancer-arn ${arn} --default-actions`,
    `Type=forward,TargetGroupArn=${groupArn}`,
  );
  const listenerArn = textAt(listener, "Listeners", 0, "ListenerArn");
  const rule = (priority: number, host: string) =>
    aws(
      `elbv2 create-rule --listener-arn ${listenerArn} --priority ${priority} --conditions`,
      `Field=host-header,Values=${host}`,
      "--actions",
      "Type=fixed-response,FixedResponseConfig={StatusCode=404,ContentType=text/plain,MessageBody=none}",
    );
  const ruled = await rule(10, "a.tour.test");
  return {
    made,
    sameName: await aws(`elbv2 create-load-balancer --name tour --type network --subnets ${a} ${b}`),
    group,
    listener,
    ruled,
    samePriority: await rule(10, "b.tour.test"),
    rules: await aws("elbv2 describe-rules --listener-arn", listenerArn),
    groupInUse: await aws("elbv2 delete-target-group --target-group-arn", groupArn),
    registered: await aws(`elbv2 register-targets --target-group-arn ${groupArn} --targets Id=127.0.0.1,Port=1`),
    health: await aws("elbv2 describe-target-health --target-group-arn", groupArn),
    balancers: await aws("elbv2 describe-load-balancers --load-balancer-arns", arn),
    listeners: await aws("elbv2 describe-listeners --load-balancer-arn", arn),
    groups: await aws("elbv2 describe-target-groups --load-balancer-arn", arn),
    groupAttributes: await aws("elbv2 describe-target-group-attributes --target-group-arn", groupArn),
    modified: await aws(
      `elbv2 modify-target-group --health-check-path /ready --matcher HttpCode=200-299 --target-group-arn ${groupArn}`,
    ),
    badAttribute: await aws(
      `elbv2 modify-load-balancer-attributes --load-balancer-arn ${arn} --attributes Key=no.such,Value=1`,
    ),
    deregistered: await aws(`elbv2 deregister-targets --target-group-arn ${groupArn} --targets Id=127.0.0.1,Port=1`),
    attributes: await aws("elbv2 describe-load-balancer-attributes --load-balancer-arn", arn),
    tags: await aws("elbv2 describe-tags --resource-arns", arn),
    noCertificate: await aws(
      `elbv2 create-listener --protocol HTTPS --port 443 --load-balancer-arn ${arn} --default-actions`,
      `Type=forward,TargetGroupArn=${groupArn}`,
    ),
    removed: await aws("elbv2 delete-load-balancer --load-balancer-arn", arn),
    gone: await aws("elbv2 describe-load-balancers --names tour"),
    groupRemoved: await aws("elbv2 delete-target-group --target-group-arn", groupArn),
  };
};
