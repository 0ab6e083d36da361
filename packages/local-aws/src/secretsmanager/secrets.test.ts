import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/secretsmanager";
import { uuid } from "@gatewright/ports";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createSecretsManager } from "./create-secrets-manager.ts";

const TOKEN = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";
const DAY = 86_400_000;
const TOKENED: ReadonlySet<string> = new Set(["CreateSecret", "PutSecretValue", "RotateSecret", "UpdateSecret"]);

function bench(pace = { durations: 1, lag: false }) {
  const world = testWorld(pace);
  const { service, tagged } = createSecretsManager(world);
  const raw = serviceCaller<Operations>(service, { region: "eu-west-1" });
  /** As SDKs call: with a token, where one is taken and none is given. */
  const call: typeof raw = (name, input) =>
    raw(name, TOKENED.has(name) ? { ClientRequestToken: uuid(world.random), ...input } : input);
  const read = async (SecretId: string) => (await call("GetSecretValue", { SecretId })).SecretString;
  return { world, raw, call, read, tagged };
}

test("a secret has an ARN with an end of its own, and is found by name, by ARN and by the ARN without that end", async () => {
  const { call, read } = bench();
  const { ARN = "" } = await call("CreateSecret", {
    Name: "prod/db",
    SecretString: "s3cret",
    Description: "of the shop",
  });
  assert.match(ARN, /^arn:aws:secretsmanager:eu-west-1:000000000000:secret:prod\/db-[A-Za-z0-9]{6}$/);
  for (const id of ["prod/db", ARN, ARN.slice(0, -7)]) assert.equal(await read(id), "s3cret", id);
  await assert.rejects(read(ARN.replace("eu-west-1", "us-east-1")), refusal("ResourceNotFoundException"));
  await assert.rejects(read("prod"), refusal("ResourceNotFoundException", 400));
  const told = await call("DescribeSecret", { SecretId: "prod/db" });
  assert.deepEqual([told.Name, told.Description, told.KmsKeyId], ["prod/db", "of the shop", undefined]);
  assert.equal(JSON.stringify(told).includes("s3cret"), false);
});

test("a creation that is repeated with its token is the same; another of that name is refused", async () => {
  const { call } = bench();
  const input = { Name: "one", ClientRequestToken: TOKEN, SecretString: "a" };
  const first = await call("CreateSecret", input);
  assert.equal(first.VersionId, TOKEN);
  assert.deepEqual(await call("CreateSecret", input), first);
  for (const other of [
    { ...input, SecretString: "b" },
    { ...input, ClientRequestToken: OTHER },
    { Name: "one", ClientRequestToken: TOKEN },
  ]) {
    await assert.rejects(call("CreateSecret", other), refusal("ResourceExistsException"));
  }
});

test("a new value is current, the one before previous, and a token makes no second version", async () => {
  const { call, read } = bench();
  const SecretId = "one";
  await call("CreateSecret", { Name: SecretId, ClientRequestToken: TOKEN, SecretString: "a" });
  const put = { SecretId, ClientRequestToken: OTHER, SecretString: "b" };
  await call("PutSecretValue", put);
  await call("PutSecretValue", put);
  assert.equal(await read(SecretId), "b");
  assert.equal((await call("GetSecretValue", { SecretId, VersionStage: "AWSPREVIOUS" })).SecretString, "a");
  assert.deepEqual((await call("DescribeSecret", { SecretId })).VersionIdsToStages, {
    [TOKEN]: ["AWSPREVIOUS"],
    [OTHER]: ["AWSCURRENT"],
  });
  await assert.rejects(call("PutSecretValue", { ...put, SecretString: "c" }), refusal("ResourceExistsException"));
  await call("UpdateSecret", { SecretId, SecretString: "c" });
  await assert.rejects(
    call("GetSecretValue", { SecretId, VersionId: TOKEN, VersionStage: "AWSCURRENT" }),
    refusal("InvalidRequestException"),
  );
  assert.equal((await call("ListSecretVersionIds", { SecretId })).Versions?.length, 2);
  assert.equal((await call("ListSecretVersionIds", { SecretId, IncludeDeprecated: true })).Versions?.length, 3);
});

test("labels move from version to version, and the current one is always on some", async () => {
  const { call, read } = bench();
  const SecretId = "one";
  await call("CreateSecret", { Name: SecretId, ClientRequestToken: TOKEN, SecretString: "a" });
  await call("PutSecretValue", {
    SecretId,
    ClientRequestToken: OTHER,
    SecretString: "b",
    VersionStages: ["AWSPENDING"],
  });
  assert.equal(await read(SecretId), "a");
  const move = { SecretId, VersionStage: "AWSCURRENT", MoveToVersionId: OTHER };
  await assert.rejects(call("UpdateSecretVersionStage", move), refusal("InvalidParameterException"));
  await call("UpdateSecretVersionStage", { ...move, RemoveFromVersionId: TOKEN });
  assert.equal(await read(SecretId), "b");
  const bare = { SecretId, VersionStage: "AWSCURRENT", RemoveFromVersionId: OTHER };
  await assert.rejects(call("UpdateSecretVersionStage", bare), refusal("InvalidParameterException"));
  await call("UpdateSecretVersionStage", { SecretId, VersionStage: "AWSPENDING", RemoveFromVersionId: OTHER });
  assert.deepEqual((await call("DescribeSecret", { SecretId })).VersionIdsToStages, {
    [TOKEN]: ["AWSPREVIOUS"],
    [OTHER]: ["AWSCURRENT"],
  });
});

test("a deleted secret can be had back for a while, in which its name is not free and it says nothing", async () => {
  const { world, call, read } = bench();
  const SecretId = "one";
  await call("CreateSecret", { Name: SecretId, SecretString: "a" });
  for (const RecoveryWindowInDays of [6, 31]) {
    await assert.rejects(
      call("DeleteSecret", { SecretId, RecoveryWindowInDays }),
      refusal("InvalidParameterException"),
    );
  }
  const { DeletionDate } = await call("DeleteSecret", { SecretId, RecoveryWindowInDays: 7 });
  assert.equal(DeletionDate, world.clock.now() + 7 * DAY);
  for (const refused of [
    read(SecretId),
    call("PutSecretValue", { SecretId, SecretString: "b" }),
    call("UpdateSecret", { SecretId, Description: "b" }),
    call("TagResource", { SecretId, Tags: [{ Key: "a", Value: "b" }] }),
    call("CreateSecret", { Name: SecretId, SecretString: "b" }),
    call("DeleteSecret", { SecretId }),
  ]) {
    await assert.rejects(refused, refusal("InvalidRequestException"));
  }
  assert.equal((await call("DescribeSecret", { SecretId })).DeletedDate, DeletionDate);
  assert.equal((await call("ListSecrets", {})).SecretList?.length, 0);
  assert.equal((await call("ListSecrets", { IncludePlannedDeletion: true })).SecretList?.length, 1);
  await call("RestoreSecret", { SecretId });
  assert.equal(await read(SecretId), "a");
  await call("DeleteSecret", { SecretId, RecoveryWindowInDays: 7 });
  world.clock.advance(7 * DAY);
  await assert.rejects(call("DescribeSecret", { SecretId }), refusal("ResourceNotFoundException"));
  await call("CreateSecret", { Name: SecretId, SecretString: "b" });
  assert.equal(await read(SecretId), "b");
});

test("what makes a version asks for a token, also where there is no value in it", async () => {
  const { raw, call } = bench();
  const SecretId = "one";
  await call("CreateSecret", { Name: SecretId, SecretString: "a" });
  for (const refused of [
    raw("CreateSecret", { Name: "two" }),
    raw("UpdateSecret", { SecretId, Description: "b" }),
    raw("PutSecretValue", { SecretId, SecretString: "b" }),
    raw("RotateSecret", { SecretId }),
  ]) {
    await assert.rejects(refused, { code: "InvalidRequestException", message: /must provide a ClientRequestToken/ });
  }
});

test("deletion without a window takes a moment, and of what is not there it is none", async () => {
  const { world, call } = bench();
  const SecretId = "one";
  await call("CreateSecret", { Name: SecretId });
  const force = { SecretId, ForceDeleteWithoutRecovery: true };
  await assert.rejects(
    call("DeleteSecret", { ...force, RecoveryWindowInDays: 7 }),
    refusal("InvalidParameterException"),
  );
  await call("DeleteSecret", force);
  await assert.rejects(call("CreateSecret", { Name: SecretId }), refusal("InvalidRequestException"));
  world.clock.advance(5_000);
  await call("DeleteSecret", force);
  await assert.rejects(call("DeleteSecret", { SecretId }), refusal("ResourceNotFoundException"));
  await call("CreateSecret", { Name: SecretId });
  await assert.rejects(call("GetSecretValue", { SecretId }), refusal("ResourceNotFoundException"));
});

test("values are texts or bytes, not both, and not too many", async () => {
  const { call } = bench();
  const Name = "one";
  const both = { Name, SecretString: "a", SecretBinary: Buffer.from("a") };
  await assert.rejects(call("CreateSecret", both), refusal("InvalidParameterException"));
  await assert.rejects(
    call("CreateSecret", { Name, SecretBinary: Buffer.alloc(65_537) }),
    refusal("InvalidParameterException"),
  );
  await assert.rejects(call("CreateSecret", { Name: "a b" }), refusal("ValidationException"));
  await call("CreateSecret", { Name, SecretBinary: Uint8Array.of(0, 255) });
  assert.deepEqual([...((await call("GetSecretValue", { SecretId: Name })).SecretBinary ?? [])], [0, 255]);
  await assert.rejects(call("PutSecretValue", { SecretId: Name }), refusal("InvalidRequestException"));
});

test("description and key can be changed and taken away; rotation and policy as well", async () => {
  const { call } = bench();
  const SecretId = "one";
  await call("CreateSecret", { Name: SecretId, Description: "a", KmsKeyId: "alias/x" });
  await call("UpdateSecret", { SecretId, Description: "", KmsKeyId: "" });
  const told = await call("DescribeSecret", { SecretId });
  assert.deepEqual([told.Description, told.KmsKeyId], [undefined, undefined]);
  for (const KmsKeyId of ["alias/aws/secretsmanager", "arn:aws:kms:eu-west-1:000000000000:alias/aws/secretsmanager"]) {
    await call("UpdateSecret", { SecretId, KmsKeyId: "alias/x" });
    assert.equal((await call("DescribeSecret", { SecretId })).KmsKeyId, "alias/x");
    await call("UpdateSecret", { SecretId, KmsKeyId });
    assert.equal((await call("DescribeSecret", { SecretId })).KmsKeyId, undefined, KmsKeyId);
  }
  const RotationLambdaARN = "arn:aws:lambda:eu-west-1:000000000000:function:rotate";
  await assert.rejects(call("RotateSecret", { SecretId }), refusal("InvalidRequestException"));
  const both = { AutomaticallyAfterDays: 1, ScheduleExpression: "rate(10 days)" };
  await assert.rejects(
    call("RotateSecret", { SecretId, RotationLambdaARN, RotationRules: both }),
    refusal("InvalidParameterException"),
  );
  await call("RotateSecret", { SecretId, RotationLambdaARN, RotationRules: { AutomaticallyAfterDays: 30 } });
  assert.equal((await call("DescribeSecret", { SecretId })).RotationEnabled, true);
  await call("CancelRotateSecret", { SecretId });
  assert.equal((await call("DescribeSecret", { SecretId })).RotationEnabled, false);
  const policy = (Principal: unknown) =>
    JSON.stringify({
      Version: "2012-10-17",
      Statement: { Effect: "Allow", Principal, Action: "secretsmanager:GetSecretValue", Resource: "*" },
    });
  for (const ResourcePolicy of ["nothing", policy({ AWS: "nobody" }), policy(undefined)]) {
    await assert.rejects(
      call("PutResourcePolicy", { SecretId, ResourcePolicy }),
      refusal("MalformedPolicyDocumentException"),
    );
  }
  await assert.rejects(
    call("PutResourcePolicy", { SecretId, ResourcePolicy: policy("*"), BlockPublicPolicy: true }),
    refusal("PublicPolicyException"),
  );
  const ResourcePolicy = policy({ AWS: "arn:aws:iam::000000000000:root" });
  await call("PutResourcePolicy", { SecretId, ResourcePolicy });
  assert.equal((await call("GetResourcePolicy", { SecretId })).ResourcePolicy, ResourcePolicy);
  await call("DeleteResourcePolicy", { SecretId });
  assert.equal((await call("GetResourcePolicy", { SecretId })).ResourcePolicy, undefined);
});

test("lists have filters and pages, and lag behind where reads do", async () => {
  const { world, call } = bench({ durations: 1, lag: true });
  for (const [i, Name] of ["a/1", "a/2", "a/3", "b/1"].entries()) {
    await call("CreateSecret", { Name, Tags: [{ Key: "team", Value: i < 2 ? "web" : "shop" }] });
  }
  const names = async (input: Operations["ListSecrets"]["input"]) =>
    (await call("ListSecrets", { SortBy: "name", ...input })).SecretList?.map(({ Name }) => Name);
  assert.deepEqual(await names({}), []);
  world.clock.advance(30_000);
  assert.deepEqual(await names({ Filters: [{ Key: "name", Values: ["a/"] }] }), ["a/1", "a/2", "a/3"]);
  assert.deepEqual(await names({ Filters: [{ Key: "tag-value", Values: ["!web"] }] }), ["a/3", "b/1"]);
  const { NextToken } = await call("ListSecrets", { SortBy: "name", MaxResults: 3 });
  assert.deepEqual(await names({ MaxResults: 3, NextToken }), ["b/1"]);
  await assert.rejects(call("ListSecrets", { NextToken: "?" }), refusal("InvalidNextTokenException"));
});

test("several secrets are read at once, and those that cannot be read are told apart", async () => {
  const { world, call } = bench();
  await call("CreateSecret", { Name: "text", SecretString: "a" });
  const { ARN } = await call("CreateSecret", { Name: "bytes", SecretBinary: Buffer.from("b") });
  await call("CreateSecret", { Name: "empty" });
  await call("CreateSecret", { Name: "gone", SecretString: "c" });
  await call("DeleteSecret", { SecretId: "gone" });
  const SecretIdList = ["text", ARN ?? "", "empty", "gone", "nobody"];
  const { SecretValues = [], Errors = [], NextToken } = await call("BatchGetSecretValue", { SecretIdList });
  assert.deepEqual(SecretValues[0], await call("GetSecretValue", { SecretId: "text" }));
  assert.deepEqual(SecretValues[1], await call("GetSecretValue", { SecretId: "bytes" }));
  assert.deepEqual(
    Errors.map(({ SecretId, ErrorCode }) => [SecretId, ErrorCode]),
    [
      ["empty", "ResourceNotFoundException"],
      ["gone", "InvalidRequestException"],
      ["nobody", "ResourceNotFoundException"],
    ],
  );
  assert.equal(NextToken, undefined);
  const { LastAccessedDate } = await call("DescribeSecret", { SecretId: "text" });
  assert.equal(LastAccessedDate, Math.floor(world.clock.now() / DAY) * DAY);
});

test("secrets that match filters are read page by page, without those that are deleted", async () => {
  const { world, call } = bench();
  for (const Name of ["a/1", "a/2", "a/3", "a/4", "b/1"]) {
    await call("CreateSecret", { Name, SecretString: `of ${Name}` });
    world.clock.advance(1_000);
  }
  await call("DeleteSecret", { SecretId: "a/2" });
  const Filters = [{ Key: "name", Values: ["a/"] }];
  const texts = async (input: Operations["BatchGetSecretValue"]["input"]) => {
    const { SecretValues = [], Errors, NextToken } = await call("BatchGetSecretValue", input);
    assert.deepEqual(Errors, []);
    return { texts: SecretValues.map(({ SecretString }) => SecretString), NextToken };
  };
  const first = await texts({ Filters, MaxResults: 2 });
  assert.deepEqual(first.texts, ["of a/4", "of a/3"]);
  const { NextToken } = first;
  assert.deepEqual(await texts({ Filters, MaxResults: 2, NextToken }), { texts: ["of a/1"], NextToken: undefined });
  for (const input of [{}, { Filters, SecretIdList: ["a/1"] }, { SecretIdList: ["a/1"], MaxResults: 1 }]) {
    await assert.rejects(call("BatchGetSecretValue", input), refusal("InvalidParameterException"));
  }
  await assert.rejects(texts({ Filters, NextToken: "?" }), refusal("InvalidNextTokenException"));
});

test("passwords have what they are asked to have", async () => {
  const { call } = bench();
  const { RandomPassword = "" } = await call("GetRandomPassword", { PasswordLength: 4 });
  for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]) assert.match(RandomPassword, kind);
  const plain = await call("GetRandomPassword", { ExcludePunctuation: true, ExcludeCharacters: "abc" });
  assert.match(plain.RandomPassword ?? "", /^[d-zA-Z0-9]{32}$/);
  await assert.rejects(call("GetRandomPassword", { PasswordLength: 3 }), refusal("InvalidParameterException"));
});

test("the tagging API sees and changes secrets that are there", async () => {
  const { call, tagged } = bench();
  const { ARN = "" } = await call("CreateSecret", { Name: "one", Tags: [{ Key: "a", Value: "1" }] });
  assert.equal(await tagged.tag(ARN, new Map([["b", "2"]])), true);
  assert.equal(await tagged.untag(ARN, ["a"]), true);
  assert.deepEqual([...tagged.list("000000000000", "eu-west-1")], [{ arn: ARN, tags: new Map([["b", "2"]]) }]);
  assert.equal(await tagged.tag(`${ARN}x`, new Map()), false);
  await call("DeleteSecret", { SecretId: "one" });
  assert.deepEqual([...tagged.list("000000000000", "eu-west-1")], []);
});
