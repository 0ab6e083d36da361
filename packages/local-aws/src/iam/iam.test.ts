import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/iam";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createIam } from "./create-iam.ts";

const ACCOUNT = "000000000000";
const READ_ONLY = "arn:aws:iam::aws:policy/ReadOnlyAccess";
const document = (...statements: readonly object[]) => JSON.stringify({ Version: "2012-10-17", Statement: statements });
const trust = (Principal: unknown = { Service: "ec2.amazonaws.com" }, more = {}) =>
  document({ Effect: "Allow", Principal, Action: "sts:AssumeRole", ...more });
const permissions = (more = {}) => document({ Effect: "Allow", Action: "s3:GetObject", Resource: "*", ...more });

function bench(pace = { durations: 1, lag: false }) {
  const world = testWorld(pace);
  const { service } = createIam(world);
  const call = serviceCaller<Operations>(service);
  const create = async (RoleName: string, more: Partial<Operations["CreateRole"]["input"]> = {}) =>
    (await call("CreateRole", { RoleName, AssumeRolePolicyDocument: trust(), ...more })).Role;
  const role = async (RoleName: string) => (await call("GetRole", { RoleName })).Role;
  return { world, service, call, create, role };
}

test("a role has an ARN with its path, an id, and documents that fit into addresses", async () => {
  const { create, role, call } = bench();
  const made = await create("web", {
    Path: "/apps/",
    Description: "of the shop",
    Tags: [{ Key: "team", Value: "web" }],
  });
  assert.equal(made.Arn, `arn:aws:iam::${ACCOUNT}:role/apps/web`);
  assert.match(made.RoleId, /^AROA[A-Z2-7]{17}$/);
  const told = await role("web");
  assert.equal(decodeURIComponent(told.AssumeRolePolicyDocument ?? ""), trust());
  assert.match(told.AssumeRolePolicyDocument ?? "", /^%7B%22Version%22/);
  assert.deepEqual(
    [told.Description, told.MaxSessionDuration, told.Tags],
    ["of the shop", 3600, [{ Key: "team", Value: "web" }]],
  );
  const { Roles } = await call("ListRoles", { PathPrefix: "/apps/" });
  assert.deepEqual(
    Roles.map(({ RoleName, Tags }) => [RoleName, Tags]),
    [["web", undefined]],
  );
});

test("a name is taken whatever its case, and paths make no difference", async () => {
  const { create, role } = bench();
  await create("web");
  for (const name of ["web", "WEB"])
    await assert.rejects(create(name, { Path: "/x/" }), refusal("EntityAlreadyExists", 409));
  await assert.rejects(role("WEB"), refusal("NoSuchEntity", 404));
  for (const more of [{ Path: "x" }, { Path: "/a b/" }])
    await assert.rejects(create("two", more), refusal("ValidationError", 400));
  await assert.rejects(create("a b"), refusal("ValidationError"));
});

test("accounts are apart, regions are not", async () => {
  const { create, service } = bench();
  await create("web");
  const elsewhere = serviceCaller<Operations>(service, { region: "eu-west-1" });
  assert.equal((await elsewhere("GetRole", { RoleName: "web" })).Role.RoleName, "web");
  const stranger = serviceCaller<Operations>(service, { account: "111111111111" });
  await assert.rejects(stranger("GetRole", { RoleName: "web" }), refusal("NoSuchEntity", 404));
});

test("what is no policy on who may take on a role is refused, and accounts are told of by ARN", async () => {
  const { create, role } = bench();
  for (const AssumeRolePolicyDocument of [
    "nothing",
    "[]",
    "{}",
    document(),
    trust(undefined, { Effect: "Maybe" }),
    trust(undefined, { Resource: "*" }),
    trust(undefined, { Action: "s3:GetObject" }),
    trust(undefined, { Nonsense: 1 }),
    trust({ AWS: "nobody" }),
    trust({ Service: "ec2" }),
    trust({ Alien: "x" }),
    trust({ AWS: `arn:aws:iam::${ACCOUNT}:role/none` }),
    document({ Effect: "Allow", Action: "sts:AssumeRole" }),
  ]) {
    await assert.rejects(
      create("web", { AssumeRolePolicyDocument }),
      refusal("MalformedPolicyDocument", 400),
      AssumeRolePolicyDocument,
    );
  }
  await create("web", { AssumeRolePolicyDocument: trust({ AWS: ["222222222222", "*"] }) });
  assert.equal(
    decodeURIComponent((await role("web")).AssumeRolePolicyDocument ?? ""),
    trust({ AWS: ["arn:aws:iam::222222222222:root", "*"] }),
  );
  await create("two", { AssumeRolePolicyDocument: trust({ AWS: `arn:aws:iam::${ACCOUNT}:role/web` }) });
  const long = trust({
    AWS: Array.from({ length: 60 }, (_, i) => `arn:aws:iam::222222222222:user/${"x".repeat(20)}${i}`),
  });
  await assert.rejects(create("three", { AssumeRolePolicyDocument: long }), refusal("LimitExceeded", 409));
});

test("description, session, trust and boundary can be changed", async () => {
  const { create, role, call } = bench();
  const RoleName = "web";
  await create(RoleName, { PermissionsBoundary: READ_ONLY, MaxSessionDuration: 7200 });
  assert.deepEqual((await role(RoleName)).PermissionsBoundary, {
    PermissionsBoundaryType: "Policy",
    PermissionsBoundaryArn: READ_ONLY,
  });
  await call("UpdateRole", { RoleName, Description: "x", MaxSessionDuration: 43_200 });
  await call("UpdateAssumeRolePolicy", { RoleName, PolicyDocument: trust({ AWS: "*" }) });
  await call("DeleteRolePermissionsBoundary", { RoleName });
  const told = await role(RoleName);
  assert.deepEqual([told.Description, told.MaxSessionDuration, told.PermissionsBoundary], ["x", 43_200, undefined]);
  await call("UpdateRole", { RoleName });
  assert.deepEqual([(await role(RoleName)).Description, (await role(RoleName)).MaxSessionDuration], ["x", 3600]);
  const none = `arn:aws:iam::${ACCOUNT}:policy/none`;
  await assert.rejects(
    call("PutRolePermissionsBoundary", { RoleName, PermissionsBoundary: none }),
    refusal("NoSuchEntity"),
  );
});

test("inline policies are put, read, listed and taken away, and are not too large together", async () => {
  const { create, call } = bench();
  const RoleName = "web";
  await create(RoleName);
  const put = (PolicyName: string, PolicyDocument: string) =>
    call("PutRolePolicy", { RoleName, PolicyName, PolicyDocument });
  for (const wrong of [
    "x",
    permissions({ Principal: "*" }),
    permissions({ Resource: "bucket" }),
    permissions({ Action: "GetObject" }),
    document({ Effect: "Allow", Action: "s3:*" }),
    document({ Effect: "Allow", Resource: "*" }),
    document(
      { Sid: "a", Effect: "Allow", Action: "s3:*", Resource: "*" },
      { Sid: "a", Effect: "Deny", Action: "s3:*", Resource: "*" },
    ),
  ]) {
    await assert.rejects(put("one", wrong), refusal("MalformedPolicyDocument"), wrong);
  }
  await put("one", permissions());
  await put("two", permissions({ Resource: ["arn:aws:s3:::shop/*"] }));
  assert.deepEqual((await call("ListRolePolicies", { RoleName })).PolicyNames, ["one", "two"]);
  const { PolicyDocument } = await call("GetRolePolicy", { RoleName, PolicyName: "one" });
  assert.equal(decodeURIComponent(PolicyDocument), permissions());
  const large = permissions({ Resource: Array.from({ length: 100 }, (_, i) => `arn:aws:s3:::${"x".repeat(100)}${i}`) });
  await assert.rejects(put("three", large), refusal("LimitExceeded", 409));
  await assert.rejects(call("DeleteRole", { RoleName }), refusal("DeleteConflict", 409));
  await call("DeleteRolePolicy", { RoleName, PolicyName: "two" });
  await assert.rejects(call("DeleteRolePolicy", { RoleName, PolicyName: "two" }), refusal("NoSuchEntity", 404));
});

test("policies are attached once, ten at most, and a role that has any stays", async () => {
  const { create, call } = bench();
  const RoleName = "web";
  await create(RoleName);
  const { Policy } = await call("CreatePolicy", { PolicyName: "own", Path: "/apps/", PolicyDocument: permissions() });
  const arn = Policy?.Arn ?? "";
  assert.equal(arn, `arn:aws:iam::${ACCOUNT}:policy/apps/own`);
  const attach = (PolicyArn: string) => call("AttachRolePolicy", { RoleName, PolicyArn });
  await attach(READ_ONLY);
  await attach(READ_ONLY);
  await attach(arn);
  assert.deepEqual((await call("ListAttachedRolePolicies", { RoleName })).AttachedPolicies, [
    { PolicyName: "own", PolicyArn: arn },
    { PolicyName: "ReadOnlyAccess", PolicyArn: READ_ONLY },
  ]);
  assert.equal((await call("GetPolicy", { PolicyArn: arn })).Policy?.AttachmentCount, 1);
  assert.deepEqual(
    (await call("ListPolicies", { OnlyAttached: true })).Policies?.map(({ Arn }) => Arn),
    [arn, READ_ONLY],
  );
  await assert.rejects(attach(`${arn}2`), refusal("NoSuchEntity", 404));
  await assert.rejects(attach("nothing like an ARN of it"), refusal("InvalidInput", 400));
  await assert.rejects(call("DeletePolicy", { PolicyArn: arn }), refusal("DeleteConflict", 409));
  await assert.rejects(call("DeleteRole", { RoleName }), refusal("DeleteConflict", 409));
  for (let i = 0; i < 8; i++) await attach(`arn:aws:iam::aws:policy/Other${i}`);
  await assert.rejects(attach("arn:aws:iam::aws:policy/OneMore"), refusal("LimitExceeded", 409));
  await call("DetachRolePolicy", { RoleName, PolicyArn: arn });
  await assert.rejects(call("DetachRolePolicy", { RoleName, PolicyArn: arn }), refusal("NoSuchEntity", 404));
  await call("DeletePolicy", { PolicyArn: arn });
});

test("an instance profile holds one role, and neither goes while they are together", async () => {
  const { create, call, role } = bench();
  const both = { InstanceProfileName: "web-profile", RoleName: "web" };
  await create("web");
  const { InstanceProfile } = await call("CreateInstanceProfile", { InstanceProfileName: "web-profile" });
  assert.equal(InstanceProfile.Arn, `arn:aws:iam::${ACCOUNT}:instance-profile/web-profile`);
  await call("AddRoleToInstanceProfile", both);
  await assert.rejects(call("AddRoleToInstanceProfile", both), refusal("LimitExceeded", 409));
  assert.deepEqual(
    (await call("ListInstanceProfilesForRole", both)).InstanceProfiles[0]?.Roles.map(({ RoleName }) => RoleName),
    ["web"],
  );
  await assert.rejects(call("DeleteRole", both), refusal("DeleteConflict", 409));
  await assert.rejects(call("DeleteInstanceProfile", both), refusal("DeleteConflict", 409));
  await call("RemoveRoleFromInstanceProfile", both);
  await call("DeleteInstanceProfile", both);
  await call("DeleteRole", both);
  await assert.rejects(role("web"), refusal("NoSuchEntity", 404));
});

test("tags that differ in case alone are one", async () => {
  const { create, call } = bench();
  const RoleName = "web";
  await create(RoleName, { Tags: [{ Key: "Team", Value: "a" }] });
  await call("TagRole", {
    RoleName,
    Tags: [
      { Key: "team", Value: "b" },
      { Key: "x", Value: "" },
    ],
  });
  assert.deepEqual((await call("ListRoleTags", { RoleName })).Tags, [
    { Key: "team", Value: "b" },
    { Key: "x", Value: "" },
  ]);
  const twice = [
    { Key: "a", Value: "" },
    { Key: "A", Value: "" },
  ];
  await assert.rejects(call("TagRole", { RoleName, Tags: twice }), refusal("InvalidInput"));
  const many = Array.from({ length: 49 }, (_, i) => ({ Key: `k${i}`, Value: "" }));
  await assert.rejects(call("TagRole", { RoleName, Tags: many }), refusal("LimitExceeded", 409));
  await call("UntagRole", { RoleName, TagKeys: ["TEAM"] });
  assert.deepEqual((await call("ListRoleTags", { RoleName })).Tags.length, 1);
});

test("lists have pages", async () => {
  const { create, call } = bench();
  for (const name of ["c", "a", "b"]) await create(name);
  const first = await call("ListRoles", { MaxItems: 2 });
  assert.deepEqual([first.Roles.map(({ RoleName }) => RoleName), first.IsTruncated], [["a", "b"], true]);
  const rest = await call("ListRoles", { MaxItems: 2, Marker: first.Marker });
  assert.deepEqual(
    [rest.Roles.map(({ RoleName }) => RoleName), rest.IsTruncated, rest.Marker],
    [["c"], false, undefined],
  );
  await assert.rejects(call("ListRoles", { Marker: "?" }), refusal("ValidationError"));
});

test("where reads lag, a role that was made is not there yet, though it can be worked on", async () => {
  const { world, create, role, call } = bench({ durations: 1, lag: true });
  await create("web");
  await assert.rejects(role("web"), refusal("NoSuchEntity", 404));
  await call("AttachRolePolicy", { RoleName: "web", PolicyArn: READ_ONLY });
  world.clock.advance(3_000);
  assert.equal((await role("web")).RoleName, "web");
  await call("DetachRolePolicy", { RoleName: "web", PolicyArn: READ_ONLY });
  assert.equal((await call("ListAttachedRolePolicies", { RoleName: "web" })).AttachedPolicies?.length, 1);
});
