import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import { createAws, createHttpSend } from "@gatewright/aws";
import { hostnames } from "@gatewright/hostnames";
import type { KubeObject, Resource } from "@gatewright/kube";
import { admissionregistration, apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { systemClock, systemRandom } from "@gatewright/ports";
import { DomainClaim, GatewayHostnameRequest, gatewayResources, HostnameGrant } from "@gatewright/resources";
import { createClient, createManager, loadTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { motoPart } from "../../../testbed/index.ts";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";
import { manifests, operatorTransport } from "../operator-account.ts";
import { realPart } from "../part.ts";
import { playLoadBalancerController } from "./stand-in.ts";

const kube = realKube();
// A minute by default; what is judged here is not moto's patience.
process.env["MOTO_ACM_VALIDATION_WAIT"] = "1";
const moto = "missing" in kube ? kube : await realPart(motoPart);
const missing = [kube, moto].find((part): part is { readonly missing: string } => "missing" in part)?.missing;

const [NAMESPACE, OPERATOR, EDGE] = ["hostnames-team", "gatewright", "edge"] as const;
const REGION = "us-east-1";
const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

suite("hostnames on a real API server and another's AWS", missing ?? false, () => {
  if ("missing" in kube || "missing" in moto) return;
  const stopping = new AbortController();
  const http = createHttpSend();
  const ports = { clock: systemClock, random: systemRandom };
  const endpoint = moto.facts["AWS_ENDPOINT_URL"] ?? "";
  const aws = createAws({
    ...ports,
    region: REGION,
    endpoint,
    credentials: async () => CREDENTIALS,
    send: http.send,
  });
  let admin: Client;
  let end = async (): Promise<void> => {};
  let zoneId = "";

  before(async () => {
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    admin = createClient(transport, { fieldManager: "platform" });
    for (const name of [NAMESPACE, OPERATOR, EDGE]) await admin.for(core.Namespace).apply({ metadata: { name } });
    await install(admin);
    const operator = await operatorTransport(admin, kube);
    const manager = createManager({
      name: "gatewright",
      transport: operator,
      lease: { namespace: OPERATOR, name: "gatewright", identity: "real-test" },
    });
    const { requests, claims, pool, grants, runnables } = hostnames({
      aws,
      ...ports,
      settings: { cluster: "real", drainMs: 1_000, bundleMs: 200, flushMs: 200 },
      pace: {
        zones: { flushMs: 100, pollMs: 500 },
        certificates: { sweepMs: 500, firstLookMs: 500 },
      },
    });
    for (const runnable of runnables) manager.addRunnable(runnable);
    manager.add(requests);
    manager.add(claims);
    manager.add(pool);
    manager.add(grants);
    zoneId = await createZone(endpoint);
    const { Subnets } = await aws.ec2.describeSubnets({});
    const subnets = (Subnets ?? []).slice(0, 2).flatMap(({ SubnetId }) => SubnetId ?? []);
    const playing = playLoadBalancerController(admin, aws, EDGE, subnets, stopping.signal);
    const running = manager.run(stopping.signal);
    end = async () => {
      stopping.abort();
      await running;
      await playing;
      for (const object of manifests(POLICIES))
        await admin.for(policyKind(object)).delete({ name: object.metadata.name ?? "" });
      await admin.for(core.Namespace).delete({ name: NAMESPACE });
      for (const each of [transport, operator]) each.close();
      http.close();
      await moto[Symbol.asyncDispose]();
    };
  });
  after(() => end());

  const at = (name: string) => ({ namespace: NAMESPACE, name });
  const records = async (type: string): Promise<readonly string[]> => {
    const { ResourceRecordSets } = await aws.route53.listResourceRecordSets({ HostedZoneId: zoneId });
    return ResourceRecordSets.filter(({ Type }) => Type === type).map(({ Name }) => Name);
  };

  test("a request goes through all steps under exactly the generated roles, and all of it goes again", async () => {
    await admin.for(GatewayHostnameRequest).apply({
      metadata: at("test"),
      spec: { zoneId, hostname: "test.opendi.example" },
    });
    const live = await eventually(
      "test.opendi.example is live",
      () => admin.for(GatewayHostnameRequest).get(at("test")),
      ({ status }) =>
        status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true,
    );
    assert.deepEqual(
      live.status?.conditions?.map(({ type, status }) => `${type}=${status}`).filter((each) => each.endsWith("=True")),
      [
        "Claimed",
        "CertificateRequested",
        "DnsValidated",
        "CertificateIssued",
        "ListenerAttached",
        "DnsAliasReady",
        "Ready",
      ].map((type) => `${type}=True`),
    );
    assert.equal(live.status?.url, "https://test.opendi.example");
    assert.deepEqual(await records("A"), ["test.opendi.example."]);
    assert.equal((await records("CNAME")).length, 1);
    assert.deepEqual((await admin.for(HostnameGrant).get(at("hostnames"))).spec.hostnames, ["test.opendi.example"]);

    await admin.for(GatewayHostnameRequest).delete(at("test"));
    await eventually(
      "the claim is gone",
      async () => (await admin.for(DomainClaim).list()).items.map(({ spec }) => spec.hostname),
      (names) => !names.includes("test.opendi.example"),
    );
    assert.deepEqual(await records("A"), []);
    assert.deepEqual(await records("CNAME"), []);
    const { CertificateSummaryList = [] } = await aws.acm.listCertificates({});
    assert.deepEqual(
      CertificateSummaryList.map(({ DomainName }) => DomainName),
      [],
    );
  });
});

const POLICIES = "config/policy/admission-policies.yaml";

function policyKind({ kind }: KubeObject): Resource {
  return kind === "ValidatingAdmissionPolicy"
    ? admissionregistration.ValidatingAdmissionPolicy
    : admissionregistration.ValidatingAdmissionPolicyBinding;
}

/** What a platform team installs: kinds, roles, policies, and an account for the operator. */
async function install(admin: Client): Promise<void> {
  const crds = admin.for(apiextensions.CustomResourceDefinition);
  const there = new Set((await crds.list()).items.map(({ metadata }) => metadata.name));
  for (const kind of gatewayResources) {
    const crd = crdOf(kind);
    if (!there.has(crd.metadata.name)) await crds.apply(crd);
  }
  for (const kind of ["domainclaims", "gatewayhostnamerequests", "hostnamegrants"])
    for (const crd of manifests(`config/crd/${kind}.gateway.opendi.com.yaml`)) await crds.apply(crd as never);
  await eventually(
    "our kinds are served",
    () =>
      admin
        .for(HostnameGrant)
        .list()
        .then(
          () => true,
          () => false,
        ),
    (served) => served,
  );
  for (const object of manifests(POLICIES)) await admin.for(policyKind(object)).apply(object as never);
}

async function createZone(endpoint: string): Promise<string> {
  const client = new Route53Client({ endpoint, region: REGION, credentials: CREDENTIALS });
  const { HostedZone } = await client.send(
    new CreateHostedZoneCommand({ Name: "opendi.example", CallerReference: "hostnames" }),
  );
  client.destroy();
  return HostedZone?.Id?.replace("/hostedzone/", "") ?? "";
}
