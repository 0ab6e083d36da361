import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  GetInstanceProfileCommand,
  IAMClient,
  RemoveRoleFromInstanceProfileCommand,
} from "@aws-sdk/client-iam";
import type { Immutable, Json } from "@gatewright/kube";
import type { IAMRole } from "@gatewright/resources";
import { kindWorld } from "../testing/kind-world.ts";
import { iamRole } from "./index.ts";
import type { Role } from "./role.ts";

const ALL: ReadonlySet<string> = new Set(iamRole.fields.map(({ path }) => path));
const TRUST = '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}}';
const POLICY = '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}}';
const GIVEN = { value: () => undefined, version: () => undefined };
const OWNER = { "gatewright.dev/uid": "uid-1" };

function role(spec: Partial<IAMRole["spec"]> = {}): Immutable<IAMRole> {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "IAMRole",
    metadata: { name: "web", namespace: "shop", uid: "uid-1" },
    spec: {
      providerRef: { name: "aws" },
      deletionPolicy: "Delete",
      roleName: "web",
      assumeRolePolicyDocument: TRUST,
      ...spec,
    },
  };
}

async function bench() {
  const calls: string[] = [];
  const before = ({ operation }: { readonly operation: string }) => void calls.push(operation);
  const world = await kindWorld({ listening: true, faults: { before } });
  const { ground } = world;
  const object = role({ instanceProfile: true });
  const create = (tags: Readonly<Record<string, string>> = OWNER) =>
    iamRole.create(ground, { object, given: GIVEN, wanted: new Map(), tags, token: "token" });
  const read = async (): Promise<Role> => {
    const seen = await iamRole.read(ground, "web", ALL);
    assert.ok(seen !== "absent");
    return seen;
  };
  const change = async (fields: Parameters<typeof iamRole.change>[2]["fields"]) =>
    iamRole.change(ground, await read(), { object, given: GIVEN, fields, wanted: new Map() });
  return { world, ground, calls, create, read, change, object, iam: new IAMClient(world.sdk()) };
}

test("a description that is left to others stays when the duration of sessions is written", async () => {
  const { world, ground, create, read, object } = await bench();
  await using _ = world;
  await create();
  const wanted = new Map<string, Json>([
    ["description", "ours"],
    ["maxSessionDuration", 7_200],
  ]);
  const fields = new Map([["maxSessionDuration", 7_200]]);
  await iamRole.change(ground, { ...(await read()), description: "theirs" }, { object, given: GIVEN, fields, wanted });
  const { description, maxSession } = await read();
  assert.deepEqual([description, maxSession], ["theirs", 7_200]);
});

test("a role that is there already is left to its tags", async () => {
  const { world, create, read } = await bench();
  await using _ = world;
  assert.equal(await iamRole.read(world.ground, "web", ALL), "absent");
  await create({ owner: "somebody" });
  assert.equal(await create(), "web");
  const seen = await read();
  assert.deepEqual(seen.tags, { owner: "somebody" });
  assert.equal(iamRole.idOf(seen.arn), "web");
});

test("a role goes with its policies and its own instance profile, also when it was asked halfway before", async () => {
  const { world, ground, create, read, change, object, iam } = await bench();
  await using _ = world;
  await create();
  await change(
    new Map<string, Json>([
      ["managedPolicyArns", ["arn:aws:iam::aws:policy/ReadOnlyAccess"]],
      ["inlinePolicies", [{ policyName: "all", policyDocument: POLICY }]],
      ["instanceProfile", true],
    ]),
  );
  const seen = await read();
  assert.match(iamRole.outputsOf(seen, ground)["instanceProfileArn"] ?? "", /:instance-profile\/web$/);
  const both = { InstanceProfileName: "web", RoleName: "web" };
  await iam.send(new RemoveRoleFromInstanceProfileCommand(both));
  assert.equal(await iamRole.remove(ground, seen, object), undefined);
  assert.equal(await iamRole.read(ground, "web", ALL), "absent");
  await assert.rejects(iam.send(new GetInstanceProfileCommand(both)), { name: "NoSuchEntityException" });
  assert.equal(await iamRole.remove(ground, seen, object), undefined);
});

test("a role in somebody else's instance profile stays, and so does that", async () => {
  const { world, ground, create, read, object, iam } = await bench();
  await using _ = world;
  await create();
  const both = { InstanceProfileName: "theirs", RoleName: "web" };
  await iam.send(new CreateInstanceProfileCommand(both));
  await iam.send(new AddRoleToInstanceProfileCommand(both));
  const obstacle = await iamRole.remove(ground, await read(), object);
  assert.equal(obstacle?.reason, "InUse");
  assert.match(obstacle.message, /theirs/);
  await iam.send(new RemoveRoleFromInstanceProfileCommand(both));
  assert.equal(await iamRole.remove(ground, await read(), object), undefined);
  await iam.send(new GetInstanceProfileCommand(both));
});

test("an instance profile of the same name that others made is neither used nor deleted", async () => {
  const { world, create, read, change, iam } = await bench();
  await using _ = world;
  await create();
  const profile = { InstanceProfileName: "web" };
  await iam.send(new CreateInstanceProfileCommand(profile));
  await assert.rejects(change(new Map([["instanceProfile", true]])), { code: "EntityAlreadyExists" });
  await change(new Map([["instanceProfile", false]]));
  const field = iamRole.fields.find(({ path }) => path === "instanceProfile");
  const seen = await read();
  assert.equal(field?.same?.(false, field.have?.(seen), seen), true);
  await iam.send(new GetInstanceProfileCommand(profile));
});

test("a tag whose key changes its case is the new one afterwards", async () => {
  const { world, ground, create, read } = await bench();
  await using _ = world;
  await create({ ...OWNER, Team: "a" });
  await iamRole.tag(ground, await read(), { set: { team: "a" }, remove: ["Team"] });
  assert.deepEqual((await read()).tags, { ...OWNER, team: "a" });
});

test("policies that are renamed or grouped otherwise get there, however large, and without a gap where there is room", async () => {
  const { world, calls, create, read, change } = await bench();
  await using _ = world;
  await create();
  const sized = (characters: number): string => POLICY.replace("s3:*", `s3:${"x".repeat(characters)}`);
  /** Brings the role to policies of such sizes; gives the calls that wrote them. */
  const bring = async (sizes: Readonly<Record<string, number>>): Promise<readonly string[]> => {
    const wish = Object.entries(sizes).map(([policyName, size]) => ({ policyName, policyDocument: sized(size) }));
    calls.length = 0;
    await change(new Map([["inlinePolicies", wish]]));
    const written = calls.filter((call) => /^(?:Put|Delete)RolePolicy$/.test(call)).map((call) => call.slice(0, 3));
    assert.deepEqual((await read()).inline, wish);
    return written;
  };
  assert.deepEqual(await bring({ a: 4_000 }), ["Put"]);
  assert.deepEqual(await bring({ b: 4_000 }), ["Put", "Del"]);
  assert.deepEqual(await bring({ b: 9_000 }), ["Put"]);
  assert.deepEqual(await bring({ a: 9_000 }), ["Del", "Put"]);
  assert.deepEqual(await bring({ a: 1_000, b: 8_000 }), ["Put", "Put"]);
  assert.deepEqual(await bring({ a: 8_000, b: 1_000 }), ["Put", "Put"]);
});
