import assert from "node:assert/strict";
import { test } from "node:test";
import { AwsCallError } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { formatMicroTime } from "@gatewright/kube";
import { apiextensions, rbac } from "@gatewright/kube/api";
import { systemClock } from "@gatewright/ports";
import { GatewayClass } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { createDoctorWorld } from "../testing/doctor-world.ts";
import type { Finding } from "./finding.ts";

function seen(findings: ReadonlyMap<string, Finding>, check: string): string {
  const { verdict, message } = findings.get(check) ?? { verdict: "none", message: [...findings.keys()].join(", ") };
  return `${verdict}: ${message}`;
}

const failures = (findings: ReadonlyMap<string, Finding>): readonly string[] =>
  [...findings.values()].filter(({ verdict }) => verdict === "fail").map(({ check }) => check);

test("an empty cluster lacks what others bring; what we bring is not there yet", async () => {
  await using world = await createDoctorWorld();
  const findings = await world.examine();
  assert.match(seen(findings, "kubernetes"), /^ok: Kubernetes v1\.\d+/u);
  assert.match(seen(findings, "kinds of gateway.k8s.aws"), /^fail: v1: listenerruleconfigurations, .* not served$/u);
  assert.equal(seen(findings, "kinds of infra"), "warn: not installed yet");
  assert.equal(seen(findings, "ValidatingAdmissionPolicy"), "ok: served");
  assert.equal(seen(findings, "the operator's rights"), "warn: there is no service account gatewright/gatewright yet");
  for (const { verdict, remedy } of findings.values()) assert.equal(remedy === undefined, verdict === "ok");
});

test("parts that need nothing of others find all well", async () => {
  await using world = await createDoctorWorld();
  await world.install({ parts: ["applications"] });
  const findings = await world.examine({ parts: ["applications"] });
  assert.deepEqual(
    [...findings.values()].filter(({ verdict }) => verdict !== "ok"),
    [],
  );
});

test("once all is installed nothing fails, and the operator has each of its rights", async () => {
  await using world = await createDoctorWorld();
  await world.installOthers();
  await world.install();
  const findings = await world.examine();
  assert.deepEqual(failures(findings), []);
  assert.match(
    seen(findings, "the operator's rights"),
    /^ok: system:serviceaccount:gatewright:gatewright has all \d{2,}$/u,
  );
  assert.equal(seen(findings, "kinds of hostnames"), "ok: 3 installed");
  assert.equal(seen(findings, "GatewayClass"), "warn: aws-alb: nobody has accepted it");
  await world.admin.for(GatewayClass).status.patch(
    { name: "aws-alb" },
    {
      merge: {
        status: {
          conditions: [
            {
              type: "Accepted",
              status: "True",
              reason: "Accepted",
              message: "",
              lastTransitionTime: "2026-01-01T00:00:00Z",
            },
          ],
        },
      },
    },
  );
  assert.equal(seen(await world.examine(), "GatewayClass"), "ok: aws-alb, accepted");
});

test("a right that is missing is named", async () => {
  await using world = await createDoctorWorld();
  await world.install({ parts: ["applications"] });
  const roles = world.admin.for(rbac.ClusterRole);
  const { rules = [] } = await roles.get({ name: "gatewright" });
  const fewer = rules.filter(({ resources = [] }) => !resources.includes("jobs"));
  await roles.patch({ name: "gatewright" }, { merge: { rules: fewer } });
  const finding = (await world.examine({ parts: ["applications"] })).get("the operator's rights");
  assert.equal(finding?.verdict, "fail");
  assert.match(finding.message, /may not .*(?:get|list|watch|create|patch|delete) jobs\.batch.* and 1 more$/u);
  assert.match(finding.remedy ?? "", /manifests --only rbac --parts applications/u);
});

test("a load balancer controller that speaks the older version is told with the flag for it", async () => {
  await using world = await createDoctorWorld();
  await world.installOthers((crd) => {
    if (crd.spec.group !== "gateway.k8s.aws") return crd;
    const versions = crd.spec.versions
      .filter(({ name }) => name === "v1beta1")
      .map((version) => ({ ...version, storage: true }));
    return { ...crd, spec: { ...crd.spec, versions } };
  });
  const finding = (await world.examine({ parts: ["hostnames"] })).get("kinds of gateway.k8s.aws");
  assert.match(finding?.remedy ?? "", /--gateway-aws-version v1beta1/u);
  const older = await world.examine({ parts: ["hostnames"], gatewayAwsVersion: "v1beta1" });
  assert.match(seen(older, "kinds of gateway.k8s.aws"), /^ok: v1beta1: /u);
});

test("kinds of an older version are told: the server would drop fields that it does not know", async () => {
  await using world = await createDoctorWorld();
  await world.install({ parts: ["applications"] });
  const name = "applications.cloudnative.elide.dev";
  const path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/env";
  await world.admin.for(apiextensions.CustomResourceDefinition).patch({ name }, { json: [{ op: "remove", path }] });
  await world.server.idle();
  const findings = await world.examine({ parts: ["applications"] });
  assert.equal(seen(findings, "kinds of applications"), `fail: of another version: ${name}`);
});

test("others that look after the same objects are told", async () => {
  await using world = await createDoctorWorld();
  const rule = { apiGroups: ["avapigw.io"], apiVersions: ["*"], resources: ["apiroutes"], operations: ["CREATE"] };
  const webhook = {
    name: "v.avapigw.io",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: { url: "https://127.0.0.1/" },
    rules: [rule],
  };
  const check = "others in the cluster";
  const settings = { parts: ["routing"] as const };
  await world.apply({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "avapigw-operator" },
    webhooks: [webhook],
  });
  assert.match(seen(await world.examine(settings), check), /^warn: ValidatingWebhookConfiguration avapigw-operator/u);
  const lease = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: "default", name: "gatewright" },
    spec: { holderIdentity: "gatewright-0", leaseDurationSeconds: 15, renewTime: formatMicroTime(systemClock.now()) },
  };
  await world.apply(lease);
  assert.match(
    seen(await world.examine(settings), check),
    /^fail: an operator runs in the namespace default: gatewright-0/u,
  );
  assert.doesNotMatch(seen(await world.examine({ ...settings, namespace: "default" }), check), /^fail/u);
  await world.apply({ ...lease, spec: { ...lease.spec, renewTime: "2020-01-01T00:00:00.000000Z" } });
  await world.apply({
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    metadata: { name: "avapigw" },
    spec: { controller: "example.com/other" },
  });
  assert.equal(seen(await world.examine(settings), check), "fail: the IngressClass avapigw is of example.com/other");
});

test("who may not install is told what is missing, and what may not be read is not taken for absent", async () => {
  await using world = await createDoctorWorld();
  const user = { username: "dev", groups: ["system:authenticated"] };
  const client = createClient(world.server.transport(user), { fieldManager: "dev" });
  const findings = await world.examine({ parts: ["applications"] }, { client });
  assert.match(
    seen(findings, "your rights"),
    /^fail: you may not create namespaces, patch namespaces, .* and \d+ more$/u,
  );
  assert.match(seen(findings, "kinds"), /^warn: could not be found out: .*forbidden/u);
  assert.match(seen(findings, "the operator's rights"), /^warn: could not be found out: .*forbidden/u);
});

test("AWS is looked at as who asks: identity, zones, quotas", async () => {
  await using world = await createDoctorWorld();
  const refusal = (code: string, kind: "absent" | "terminal") =>
    new AwsCallError({ kind, code, service: "route53", operation: "GetHostedZone", message: "no" });
  const zones: Readonly<Record<string, () => object>> = {
    Z1: () => ({ HostedZone: { Name: "opendi.com.", Config: { PrivateZone: false } } }),
    Z2: () => ({ HostedZone: { Name: "inner.example.", Config: { PrivateZone: true } } }),
    Z3: () => {
      throw refusal("NoSuchHostedZone", "absent");
    },
    Z4: () => {
      throw refusal("AccessDenied", "terminal");
    },
  };
  const limits = [
    { Name: "certificates-per-application-load-balancer", Max: "10" },
    { Name: "rules-per-application-load-balancer", Max: "100" },
  ];
  const aws = {
    region: "eu-west-1",
    sts: { getCallerIdentity: async () => ({ Account: "123456789012", Arn: "arn:aws:iam::123456789012:user/me" }) },
    route53: { getHostedZone: async ({ Id }: { Id: string }) => zones[Id]?.() },
    elbv2: { describeAccountLimits: async () => ({ Limits: limits }) },
  } as unknown as Aws;
  const findings = await world.examine({ parts: ["hostnames"], zones: ["Z1", "Z2", "Z3", "Z4"] }, { aws });
  assert.match(seen(findings, "AWS identity"), /^ok: arn:aws:iam::123456789012:user\/me of account 123456789012/u);
  assert.equal(seen(findings, "zone Z1"), "ok: opendi.com");
  assert.equal(seen(findings, "zone Z2"), "fail: inner.example is private");
  assert.equal(seen(findings, "zone Z3"), "fail: there is no such zone");
  assert.match(seen(findings, "zone Z4"), /^warn: .*AccessDenied/u);
  assert.equal(seen(findings, "AWS quotas"), "warn: a load balancer may have 10 certificates, 100 rules");
  const nobody = {
    ...aws,
    sts: { getCallerIdentity: () => Promise.reject(refusal("InvalidClientTokenId", "terminal")) },
  };
  const unknown = await world.examine({ parts: ["infra"] }, { aws: nobody as unknown as Aws });
  assert.match(seen(unknown, "AWS identity"), /^fail: /u);
});
