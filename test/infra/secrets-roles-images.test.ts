import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  CreateRepositoryCommand,
  DescribeRepositoriesCommand,
  ECRClient,
  PutImageCommand,
  PutImageScanningConfigurationCommand,
  PutImageTagMutabilityCommand,
} from "@aws-sdk/client-ecr";
import {
  AttachRolePolicyCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
} from "@aws-sdk/client-iam";
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { core } from "@gatewright/kube/api";
import { ECRRepository, IAMRole, SecretsManagerSecret } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

const TRUST =
  '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"111111111111"},"Action":"sts:AssumeRole"}}';
const policy = (name: string): string => `arn:aws:iam::aws:policy/${name}`;

let world: InfraWorld;

// A client of the SDK sets its clock by each answer, and is made anew because time passes in leaps here.

/** Whether AWS's own SDK says that there is no such. */
async function isAbsent(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    assert.match((error as Error).name, /NotFound|NoSuchEntity/);
    return true;
  }
}

suite("a secret", () => {
  const secrets = () => new SecretsManagerClient(world.sdk());
  const text = async (SecretId: string) => (await secrets().send(new GetSecretValueCommand({ SecretId }))).SecretString;
  const given = (name: string, value: string) =>
    world.user
      .for(core.Secret)
      .apply({ metadata: { namespace: "shop", name }, data: { value: Buffer.from(value).toString("base64") } });

  before(async () => {
    world = await createInfraWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  test("has what the Secret has, also when that changes; its status does not tell it, and the operator never reads it", async () => {
    await given("key", "first-value");
    const spec = { secretName: "shop/key", secretStringRef: { name: "key", key: "value" } };
    await world.put(SecretsManagerSecret, "key", spec);
    const { status } = await world.ready(SecretsManagerSecret, "key");
    assert.equal(await text("shop/key"), "first-value");
    assert.match(status?.arn ?? "", /:secret:shop\/key-/);
    // By this test alone.
    assert.equal(world.calls({ service: "secretsmanager", operation: "GetSecretValue" }).length, 1);
    await given("key", "second-value");
    await world.time.until("written", async () => (await text("shop/key")) === "second-value");
    await world.ready(SecretsManagerSecret, "key");
    assert.doesNotMatch(JSON.stringify(await world.get(SecretsManagerSecret, "key")), /-value/);
  });

  test("is written once, also when the process dies in the middle of it", async () => {
    await given("once", "x");
    await world.put(SecretsManagerSecret, "once", {
      secretName: "once",
      secretStringRef: { name: "once", key: "value" },
    });
    await world.time.turn();
    await world.crash();
    await world.ready(SecretsManagerSecret, "once");
    await world.crash();
    await world.ready(SecretsManagerSecret, "once");
    await world.long(60 * 60_000);
    const { VersionIdsToStages = {} } = await secrets().send(new DescribeSecretCommand({ SecretId: "once" }));
    assert.equal(Object.keys(VersionIdsToStages).length, 1);
  });

  test("of somebody else is not touched", async () => {
    await secrets().send(new CreateSecretCommand({ Name: "theirs", SecretString: "theirs" }));
    await given("ours", "ours");
    const spec = { secretName: "theirs", secretStringRef: { name: "ours", key: "value" } };
    await world.put(SecretsManagerSecret, "theirs", spec);
    await world.reason(SecretsManagerSecret, "theirs", "Conflict");
    await world.remove(SecretsManagerSecret, "theirs");
    await world.gone(SecretsManagerSecret, "theirs");
    assert.equal(await text("theirs"), "theirs");
  });

  test("that is deleted can be had back, and its object does not wait for the end of that", async () => {
    await world.put(SecretsManagerSecret, "brief", { secretName: "brief", recoveryWindowInDays: 7 });
    await world.ready(SecretsManagerSecret, "brief");
    await world.remove(SecretsManagerSecret, "brief");
    await world.gone(SecretsManagerSecret, "brief");
    const { DeletedDate } = await secrets().send(new DescribeSecretCommand({ SecretId: "brief" }));
    assert.ok(DeletedDate);
    await world.put(SecretsManagerSecret, "brief", { secretName: "brief" });
    await world.reason(SecretsManagerSecret, "brief", "NameConflict");
    await world.put(SecretsManagerSecret, "brief", { secretName: "brief", management: { adopt: { byName: true } } });
    await world.ready(SecretsManagerSecret, "brief");
    assert.equal((await secrets().send(new DescribeSecretCommand({ SecretId: "brief" }))).DeletedDate, undefined);
  });
});

suite("a role", () => {
  const iam = () => new IAMClient(world.sdk());
  const attached = async (RoleName: string) =>
    (await iam().send(new ListAttachedRolePoliciesCommand({ RoleName }))).AttachedPolicies?.map(
      ({ PolicyArn }) => PolicyArn,
    );

  before(async () => {
    // IAM knows late of what it was told.
    world = await createInfraWorld({ pace: { durations: 1, lag: true } });
  });
  after(() => world[Symbol.asyncDispose]());

  test("is made with its policies and instance profile, changed, and repaired, though reads are behind", async () => {
    const spec = {
      roleName: "web",
      assumeRolePolicyDocument: TRUST,
      managedPolicyArns: [policy("ReadOnlyAccess")],
      instanceProfile: true,
    };
    await world.put(IAMRole, "web", spec);
    const made = await world.ready(IAMRole, "web");
    await world.long(30_000);
    assert.deepEqual(await attached("web"), [policy("ReadOnlyAccess")]);
    assert.equal(made.status?.roleArn, "arn:aws:iam::000000000000:role/web");
    const { Role } = await iam().send(new GetRoleCommand({ RoleName: "web" }));
    assert.ok(Role?.Tags?.some(({ Key, Value }) => Key === "gatewright.dev/uid" && Value === made.metadata.uid));
    await world.put(IAMRole, "web", { ...spec, managedPolicyArns: [policy("SecurityAudit")], description: "x" });
    await world.ready(IAMRole, "web");
    await iam().send(new AttachRolePolicyCommand({ RoleName: "web", PolicyArn: policy("AdministratorAccess") }));
    await world.long(2 * 60 * 60_000);
    assert.deepEqual(await attached("web"), [policy("SecurityAudit")]);
    assert.equal(world.calls({ service: "iam", operation: "CreateRole" }).length, 1);
    const told = await world.get(IAMRole, "web");
    assert.match(told?.status?.instanceProfileArn ?? "", /instance-profile\/web$/);
  });

  test("goes with all that is its own", async () => {
    await world.remove(IAMRole, "web");
    await world.gone(IAMRole, "web");
    await world.long(30_000);
    assert.ok(await isAbsent(iam().send(new GetRoleCommand({ RoleName: "web" }))));
    assert.ok(await isAbsent(iam().send(new GetInstanceProfileCommand({ InstanceProfileName: "web" }))));
  });
});

suite("a repository", () => {
  const ecr = () => new ECRClient(world.sdk());
  const told = async (name: string) =>
    (await ecr().send(new DescribeRepositoriesCommand({ repositoryNames: [name] }))).repositories?.[0];

  before(async () => {
    world = await createInfraWorld();
  });
  after(() => world[Symbol.asyncDispose]());

  test("is made, repaired, and what leaves the spec is reset", async () => {
    const spec = { repositoryName: "shop/web", scanOnPush: true, imageTagMutability: "IMMUTABLE" };
    await world.put(ECRRepository, "web", spec);
    const made = await world.ready(ECRRepository, "web");
    assert.equal(made.status?.repositoryUri, (await told("shop/web"))?.repositoryUri);
    const mutable = { repositoryName: "shop/web", imageTagMutability: "MUTABLE" } as const;
    await ecr().send(new PutImageTagMutabilityCommand(mutable));
    await world.long(60 * 60_000);
    assert.equal((await told("shop/web"))?.imageTagMutability, "IMMUTABLE");
    await world.put(ECRRepository, "web", { repositoryName: "shop/web", imageTagMutability: "IMMUTABLE" });
    await world.ready(ECRRepository, "web");
    assert.equal((await told("shop/web"))?.imageScanningConfiguration?.scanOnPush, false);
  });

  test("is adopted with consent, and stays when that is the policy", async () => {
    await ecr().send(new CreateRepositoryCommand({ repositoryName: "old" }));
    const scanning = { repositoryName: "old", imageScanningConfiguration: { scanOnPush: true } };
    await ecr().send(new PutImageScanningConfigurationCommand(scanning));
    const spec = { repositoryName: "old", deletionPolicy: "Retain", management: { adopt: { byName: true } } };
    await world.put(ECRRepository, "old", spec);
    const { status } = await world.ready(ECRRepository, "old");
    assert.equal(status?.resource?.ownership, "Adopted");
    assert.equal((await told("old"))?.imageScanningConfiguration?.scanOnPush, true);
    await world.remove(ECRRepository, "old");
    await world.gone(ECRRepository, "old");
    assert.ok(await told("old"));
  });

  test("with images stays until the spec gives them up", async () => {
    await ecr().send(new PutImageCommand({ repositoryName: "shop/web", imageManifest: "{}", imageTag: "v1" }));
    await world.remove(ECRRepository, "web");
    const waiting = await world.time.until(
      "it says why it stays",
      async () => (await world.get(ECRRepository, "web"))!,
      (seen) => seen?.status?.conditions?.some(({ reason }) => reason === "NotEmpty") === true,
    );
    assert.ok(waiting.metadata.deletionTimestamp);
    assert.ok(await told("shop/web"));
    await world.put(ECRRepository, "web", { repositoryName: "shop/web", forceDestroy: true });
    await world.gone(ECRRepository, "web");
    assert.ok(await isAbsent(told("shop/web")));
  });
});
