import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable, Json } from "@gatewright/kube";
import type { SecretsManagerSecret } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { compare } from "../../engine/compare.ts";
import { settle } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { secretsManagerSecret } from "./index.ts";
import type { SeenSecret } from "./secret.ts";

type Spec = SecretsManagerSecret["spec"];
const SecretId = "shop/key";
const lambda = (name: string): string => `arn:aws:lambda:eu-west-1:000000000000:function:${name}`;
const ROTATION = { rotationEnabled: true, rotationLambdaARN: lambda("rotate"), automaticallyAfterDays: 30 };
const GIVEN = givenOf();

function secret(spec: Partial<Spec> = {}): Immutable<SecretsManagerSecret> {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SecretsManagerSecret",
    metadata: { name: "key", namespace: "shop", uid: "uid-1" },
    spec: {
      providerRef: { name: "aws" },
      deletionPolicy: "Delete",
      recoveryWindowInDays: 30,
      secretName: SecretId,
      ...spec,
    },
  };
}

async function bench(spec: Partial<Spec> = {}) {
  const world = await kindWorld();
  const { ground } = world;
  const { object } = await settle(world, anyKind(secretsManagerSecret), secret(spec), GIVEN);
  const read = async (): Promise<SeenSecret> => {
    const seen = await world.passing(secretsManagerSecret.read(ground, SecretId, new Set()));
    assert.ok(seen !== "absent");
    return seen;
  };
  /** Writes what differs, but for what is ignored; gives the paths. */
  const bring = async (next: Partial<Spec>, ...ignored: readonly string[]): Promise<readonly string[]> => {
    const seen = await read();
    const wish = { ...secret(next), ...(object.status && { status: object.status }) } as typeof object;
    const { differences, wanted } = compare(anyKind(secretsManagerSecret), wish, GIVEN, seen, ignored);
    const fields = new Map<string, Json | undefined>(differences.map(({ path, want }) => [path, want]));
    const change = { object: secret(next), given: GIVEN, fields, wanted };
    await world.passing(secretsManagerSecret.change(ground, seen, change));
    return [...fields.keys()];
  };
  const console = ground.aws.secretsmanager;
  return { world, ground, read, bring, console };
}

test("a rotation that is tried again has the token that it had, and the next one has another", async () => {
  const { world, ground, read } = await bench(ROTATION);
  await using _ = world;
  const tokens: (string | undefined)[] = [];
  const rotateSecret: typeof ground.aws.secretsmanager.rotateSecret = async ({ ClientRequestToken: token }) => {
    tokens.push(token);
    return {};
  };
  const aws = { ...ground.aws, secretsmanager: { ...ground.aws.secretsmanager, rotateSecret } };
  const seen = await read();
  const fields = new Map<string, Json>([["automaticallyAfterDays", 30]]);
  const change = { object: secret(ROTATION), given: GIVEN, fields, wanted: fields };
  const rotated = { ...seen, current: "the-next", rotation: { ...seen.rotation, last: 1 } };
  for (const state of [seen, seen, rotated]) await secretsManagerSecret.change({ ...ground, aws }, state, change);
  const [first, again, next] = tokens;
  assert.ok(first !== undefined && first.length <= 64);
  assert.equal(again, first);
  assert.notEqual(next, first);
});

test("rotation that others turned off stays off where that is left to them, and is turned on with all of it otherwise", async () => {
  const { world, read, bring, console } = await bench(ROTATION);
  await using _ = world;
  await world.passing(console.cancelRotateSecret({ SecretId }));
  const next = { ...ROTATION, rotationLambdaARN: lambda("other"), automaticallyAfterDays: 7 };
  assert.deepEqual(await bring(next, "rotationEnabled"), []);
  assert.equal((await read()).rotation.enabled, false);
  assert.deepEqual(await bring(next), ["rotationEnabled"]);
  const { enabled, lambda: by, days } = (await read()).rotation;
  assert.deepEqual([enabled, by, days], [true, lambda("other"), 7]);
  assert.deepEqual(await bring(next), []);
});

test("rotation that is on keeps what is left to others when the rest of it is written", async () => {
  const { world, read, bring, console } = await bench(ROTATION);
  await using _ = world;
  const ClientRequestToken = "t".repeat(32);
  const RotationRules = { AutomaticallyAfterDays: 9, Duration: "2h" };
  await world.passing(console.rotateSecret({ SecretId, ClientRequestToken, RotationRules }));
  const next = { ...ROTATION, rotationLambdaARN: lambda("other") };
  assert.deepEqual(await bring(next, "automaticallyAfterDays"), ["rotationLambdaARN"]);
  const { rotation } = await read();
  assert.deepEqual([rotation.lambda, rotation.days, rotation.duration], [lambda("other"), 9, "2h"]);
  const { automaticallyAfterDays: __, ...scheduled } = { ...next, rotationScheduleExpression: "rate(10 days)" };
  assert.deepEqual(await bring(scheduled), ["rotationScheduleExpression"]);
  const { days, schedule } = (await read()).rotation;
  assert.deepEqual([days, schedule], [undefined, "rate(10 days)"]);
});

test("the key that AWS keeps for secrets is there when none is told", async () => {
  const { world, bring, read } = await bench({ kmsKeyId: "alias/shop" });
  await using _ = world;
  const own = "alias/aws/secretsmanager";
  assert.deepEqual(await bring({ kmsKeyId: own }), ["kmsKeyId"]);
  assert.equal((await read()).kmsKeyId, undefined);
  for (const kmsKeyId of [own, `arn:aws:kms:eu-west-1:000000000000:${own}`])
    assert.deepEqual(await bring({ kmsKeyId }), []);
  assert.deepEqual(await bring({ kmsKeyId: "alias/aws/secretsmanager-2" }), ["kmsKeyId"]);
});

test("what is written without a value makes no version of it", async () => {
  const { world, bring, read } = await bench();
  await using _ = world;
  assert.deepEqual(await bring({ description: "of the shop" }), ["description"]);
  assert.deepEqual([(await read()).description, (await read()).current], ["of the shop", undefined]);
});
