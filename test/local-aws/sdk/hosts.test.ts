import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import {
  ACMClient,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  GetCertificateCommand,
  ListTagsForCertificateCommand,
  paginateListCertificates,
  RequestCertificateCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  waitUntilCertificateValidated,
} from "@aws-sdk/client-acm";
import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateRuleCommand,
  CreateTargetGroupCommand,
  DeleteListenerCommand,
  DeleteLoadBalancerCommand,
  DeregisterTargetsCommand,
  DescribeAccountLimitsCommand,
  DescribeRulesCommand,
  DescribeTagsCommand,
  DescribeTargetHealthCommand,
  DuplicateLoadBalancerNameException,
  ElasticLoadBalancingV2Client,
  LoadBalancerNotFoundException,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  paginateDescribeListeners,
  paginateDescribeLoadBalancers,
  paginateDescribeTargetGroups,
  PriorityInUseException,
  RegisterTargetsCommand,
  waitUntilLoadBalancerAvailable,
  waitUntilLoadBalancersDeleted,
  waitUntilTargetDeregistered,
  waitUntilTargetInService,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import type { LoadBalancer } from "@aws-sdk/client-elastic-load-balancing-v2";
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  GetHostedZoneCommand,
  HostedZoneNotEmpty,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  NoSuchHostedZone,
  paginateListHostedZones,
  Route53Client,
  waitUntilResourceRecordSetsChanged,
} from "@aws-sdk/client-route-53";
import type {
  Change,
  ListResourceRecordSetsRequest,
  ListResourceRecordSetsResponse,
  ResourceRecordSet,
} from "@aws-sdk/client-route-53";
import { visit } from "../visit.ts";
import { pagesOf, PATIENCE, sdkStage } from "./sdk-stage.ts";

const { cloud, config } = sdkStage();

async function zoneOf(client: Route53Client, Name: string): Promise<string> {
  const { HostedZone } = await client.send(new CreateHostedZoneCommand({ Name, CallerReference: Name }));
  return HostedZone?.Id ?? "";
}

const changes = (client: Route53Client, HostedZoneId: string, ...Changes: readonly Change[]) =>
  client.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes: [...Changes] } }));
const creation = (ResourceRecordSet: ResourceRecordSet): Change => ({ Action: "CREATE", ResourceRecordSet });

test("Route 53: zones in pages, batches that come into effect, records in order, typed refusals", async () => {
  const client = new Route53Client(config());
  const zone = await zoneOf(client, "sdk.test");
  await zoneOf(client, "sdk-2.test");
  const pages = await pagesOf(paginateListHostedZones({ client, pageSize: 1 }, {}));
  assert.deepEqual(
    pages.map(({ HostedZones }) => HostedZones?.length),
    [1, 1],
  );
  const text = (Name: string, Value: string): ResourceRecordSet => ({
    Name,
    Type: "TXT",
    TTL: 60,
    ResourceRecords: [{ Value }],
  });
  const { ChangeInfo } = await changes(
    client,
    zone,
    creation(text("*.sdk.test", '"any"')),
    creation(text("a.sdk.test", '"<&>"')),
  );
  assert.equal(ChangeInfo?.Status, "PENDING");
  assert.ok(ChangeInfo.SubmittedAt instanceof Date);
  const { state } = await waitUntilResourceRecordSetsChanged({ client, ...PATIENCE }, { Id: ChangeInfo.Id });
  assert.equal(state, "SUCCESS");
  const names: string[] = [];
  let start: Pick<ListResourceRecordSetsRequest, "StartRecordName" | "StartRecordType"> | undefined = {};
  while (start !== undefined) {
    const page: ListResourceRecordSetsResponse = await client.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: zone, MaxItems: 1, ...start }),
    );
    names.push(...(page.ResourceRecordSets ?? []).map(({ Name, Type }) => `${Name} ${Type}`));
    const next = { StartRecordName: page.NextRecordName, StartRecordType: page.NextRecordType };
    start = page.IsTruncated === true ? next : undefined;
  }
  assert.deepEqual(names, ["sdk.test. NS", "sdk.test. SOA", "\\052.sdk.test. TXT", "a.sdk.test. TXT"]);
  await assert.rejects(changes(client, zone, creation(text("a.sdk.test", '"b"'))), (error) => {
    assert.ok(error instanceof InvalidChangeBatch);
    assert.match(error.messages?.[0] ?? error.message, /it already exists/);
    assert.equal(error.$metadata.httpStatusCode, 400);
    return true;
  });
  await assert.rejects(client.send(new DeleteHostedZoneCommand({ Id: zone })), HostedZoneNotEmpty);
  await assert.rejects(client.send(new GetHostedZoneCommand({ Id: "ZNOWHERE" })), NoSuchHostedZone);
});

test("ACM and ELBv2: a certificate is validated, a load balancer serves with it, and all of it goes again", async (t) => {
  const acm = new ACMClient(config());
  const route53 = new Route53Client(config());
  const elb = new ElasticLoadBalancingV2Client(config());
  const host = "www.live.test";
  const HostedZoneId = await zoneOf(route53, "live.test");

  const { CertificateArn } = await acm.send(
    new RequestCertificateCommand({
      DomainName: host,
      ValidationMethod: "DNS",
      KeyAlgorithm: "EC_prime256v1",
      IdempotencyToken: "sdk",
      Tags: [{ Key: "team", Value: "web" }],
    }),
  );
  const describe = async () => (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate;
  let record = (await describe())?.DomainValidationOptions?.[0]?.ResourceRecord;
  while (record === undefined) record = (await describe())?.DomainValidationOptions?.[0]?.ResourceRecord;
  await changes(
    route53,
    HostedZoneId,
    creation({ Name: record.Name, Type: record.Type, TTL: 60, ResourceRecords: [{ Value: record.Value }] }),
  );
  const validated = await waitUntilCertificateValidated({ client: acm, ...PATIENCE }, { CertificateArn });
  assert.equal(validated.state, "SUCCESS");
  // The names are proven; the certificate itself comes a little later.
  let issued = await describe();
  while (issued?.Status === "PENDING_VALIDATION") issued = await describe();
  assert.equal(issued?.Status, "ISSUED");
  assert.ok(issued.NotAfter instanceof Date && issued.NotAfter > new Date(cloud().journal.calls()[0]?.time ?? 0));
  const pem = await acm.send(new GetCertificateCommand({ CertificateArn }));
  assert.match(pem.Certificate ?? "", /^-----BEGIN CERTIFICATE-----/);
  const tags = await acm.send(new ListTagsForCertificateCommand({ CertificateArn }));
  assert.deepEqual(tags.Tags, [{ Key: "team", Value: "web" }]);
  const certificatePages = await pagesOf(
    paginateListCertificates({ client: acm, pageSize: 1 }, { Includes: { keyTypes: ["EC_prime256v1"] } }),
  );
  assert.equal(certificatePages.flatMap((page) => page.CertificateSummaryList ?? []).length, 1);

  const balancers = await Promise.all(["one", "two"].map((Name) => loadBalancer(elb, Name)));
  const [balancer = {}] = balancers;
  const LoadBalancerArns = balancers.map((each) => each.LoadBalancerArn ?? "");
  const available = await waitUntilLoadBalancerAvailable({ client: elb, ...PATIENCE }, { LoadBalancerArns });
  assert.equal(available.state, "SUCCESS");
  const balancerPages = await pagesOf(paginateDescribeLoadBalancers({ client: elb }, { PageSize: 1 }));
  assert.deepEqual(
    balancerPages.flatMap((page) => page.LoadBalancers ?? []).map(({ State }) => State?.Code),
    ["active", "active"],
  );
  assert.equal(balancerPages.length, 2);
  await assert.rejects(
    elb.send(new CreateLoadBalancerCommand({ Name: "one", Subnets: ["subnet-one"], Type: "network" })),
    DuplicateLoadBalancerNameException,
  );

  const target = createServer((request, response) => response.end(`for ${request.headers.host}`));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    target.closeAllConnections();
    target.close();
  });
  const Targets = [{ Id: "127.0.0.1", Port: (target.address() as AddressInfo).port }];
  const { TargetGroups } = await elb.send(
    new CreateTargetGroupCommand({
      Name: "pods",
      Protocol: "HTTP",
      Port: 80,
      TargetType: "ip",
      VpcId: balancer.VpcId,
      HealthCheckIntervalSeconds: 5,
      HealthCheckTimeoutSeconds: 2,
      HealthyThresholdCount: 2,
    }),
  );
  const TargetGroupArn = TargetGroups?.[0]?.TargetGroupArn ?? "";
  // Some two seconds here: long enough to be seen draining by a busy machine.
  await elb.send(
    new ModifyTargetGroupAttributesCommand({
      TargetGroupArn,
      Attributes: [{ Key: "deregistration_delay.timeout_seconds", Value: "900" }],
    }),
  );
  await elb.send(new RegisterTargetsCommand({ TargetGroupArn, Targets }));
  const { Listeners } = await elb.send(
    new CreateListenerCommand({
      LoadBalancerArn: balancer.LoadBalancerArn,
      Protocol: "HTTPS",
      Port: 443,
      Certificates: [{ CertificateArn }],
      DefaultActions: [{ Type: "forward", TargetGroupArn }],
    }),
  );
  const ListenerArn = Listeners?.[0]?.ListenerArn ?? "";
  const rule = new CreateRuleCommand({
    ListenerArn,
    Priority: 10,
    Conditions: [{ Field: "path-pattern", PathPatternConfig: { Values: ["/status"] } }],
    Actions: [
      {
        Type: "fixed-response",
        FixedResponseConfig: { StatusCode: "503", ContentType: "text/plain", MessageBody: "soon" },
      },
    ],
  });
  await elb.send(rule);
  await assert.rejects(elb.send(rule), PriorityInUseException);
  const { Rules } = await elb.send(new DescribeRulesCommand({ ListenerArn }));
  assert.deepEqual(
    Rules?.map(({ Priority, IsDefault }) => [Priority, IsDefault]),
    [
      ["10", false],
      ["default", true],
    ],
  );
  const inService = await waitUntilTargetInService({ client: elb, ...PATIENCE }, { TargetGroupArn, Targets });
  assert.equal(inService.state, "SUCCESS");

  const alias = {
    HostedZoneId: balancer.CanonicalHostedZoneId,
    DNSName: balancer.DNSName,
    EvaluateTargetHealth: true,
  };
  const { ChangeInfo } = await changes(route53, HostedZoneId, creation({ Name: host, Type: "A", AliasTarget: alias }));
  await waitUntilResourceRecordSetsChanged({ client: route53, ...PATIENCE }, { Id: ChangeInfo?.Id });
  const seen = await visit(host, 8443, { dns: cloud().dns, ca: await cloud().caCertificate() });
  assert.deepEqual([seen.status, seen.body], [200, `for ${host}`]);

  await assert.rejects(acm.send(new DeleteCertificateCommand({ CertificateArn })), ResourceInUseException);
  await elb.send(new DeregisterTargetsCommand({ TargetGroupArn, Targets }));
  const { TargetHealthDescriptions } = await elb.send(new DescribeTargetHealthCommand({ TargetGroupArn, Targets }));
  assert.equal(TargetHealthDescriptions?.[0]?.TargetHealth?.State, "draining");
  const gone = await waitUntilTargetDeregistered({ client: elb, ...PATIENCE }, { TargetGroupArn, Targets });
  assert.equal(gone.state, "SUCCESS");
  assert.equal((await pagesOf(paginateDescribeTargetGroups({ client: elb }, {}))).length, 1);
  await elb.send(new DeleteListenerCommand({ ListenerArn }));
  for (const LoadBalancerArn of LoadBalancerArns) await elb.send(new DeleteLoadBalancerCommand({ LoadBalancerArn }));
  const deleted = await waitUntilLoadBalancersDeleted({ client: elb, ...PATIENCE }, { LoadBalancerArns });
  assert.equal(deleted.state, "SUCCESS");
  await assert.rejects(
    pagesOf(paginateDescribeListeners({ client: elb }, { LoadBalancerArn: LoadBalancerArns[0] })),
    LoadBalancerNotFoundException,
  );
  await acm.send(new DeleteCertificateCommand({ CertificateArn }));
  await assert.rejects(describe(), ResourceNotFoundException);
});

async function loadBalancer(elb: ElasticLoadBalancingV2Client, Name: string): Promise<LoadBalancer> {
  const { LoadBalancers } = await elb.send(
    new CreateLoadBalancerCommand({
      Name,
      Type: "application",
      SubnetMappings: [{ SubnetId: "subnet-one" }, { SubnetId: "subnet-two" }],
      Tags: [{ Key: "name", Value: Name }],
    }),
  );
  const balancer = LoadBalancers?.[0] ?? assert.fail();
  assert.equal(balancer.State?.Code, "provisioning");
  assert.ok(balancer.CreatedTime instanceof Date);
  const LoadBalancerArn = balancer.LoadBalancerArn ?? "";
  const { TagDescriptions } = await elb.send(new DescribeTagsCommand({ ResourceArns: [LoadBalancerArn] }));
  assert.deepEqual(TagDescriptions?.[0]?.Tags, [{ Key: "name", Value: Name }]);
  const { Attributes } = await elb.send(
    new ModifyLoadBalancerAttributesCommand({
      LoadBalancerArn,
      Attributes: [{ Key: "idle_timeout.timeout_seconds", Value: "30" }],
    }),
  );
  assert.deepEqual(
    Attributes?.filter(({ Key }) => Key === "idle_timeout.timeout_seconds").map(({ Value }) => Value),
    ["30"],
  );
  const { Limits } = await elb.send(new DescribeAccountLimitsCommand({}));
  assert.equal(Limits?.find(({ Name: limit }) => limit === "application-load-balancers")?.Max, "50");
  return balancer;
}
