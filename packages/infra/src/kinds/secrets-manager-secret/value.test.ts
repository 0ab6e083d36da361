import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import type { Immutable } from "@gatewright/kube";
import type { SecretsManagerSecret } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { settle } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { secretsManagerSecret } from "./index.ts";

type Spec = SecretsManagerSecret["spec"];
const SecretId = "shop/key";
const REF = { secretStringRef: { name: "key", key: "value" } };
const ROTATION = {
  rotationEnabled: true,
  rotationLambdaARN: "arn:aws:lambda:eu-west-1:000000000000:function:rotate",
  automaticallyAfterDays: 30,
};
const NOTHING: ReadonlySet<string> = new Set();
const KIND = anyKind(secretsManagerSecret);

function secret(spec: Partial<Spec> = {}, uid = "uid-1"): Immutable<SecretsManagerSecret> {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SecretsManagerSecret",
    metadata: { name: "key", namespace: "shop", uid },
    spec: {
      providerRef: { name: "aws" },
      deletionPolicy: "Delete",
      recoveryWindowInDays: 30,
      secretName: SecretId,
      ...spec,
    },
  };
}

async function bench() {
  const world = await kindWorld({ listening: true });
  const client = new SecretsManagerClient(world.sdk());
  let object: Immutable<SecretsManagerSecret> | undefined;
  /** Brings the secret to a spec; gives how often that took a write. */
  const bring = async (spec: Partial<Spec>, value: string): Promise<number> => {
    const given = givenOf({ secretStringRef: value, secretBinaryRef: value });
    const next = { ...secret(spec), ...(object?.status && { status: object.status }) };
    const lived = await settle(world, KIND, next, given);
    object = lived.object as Immutable<SecretsManagerSecret>;
    return lived.writes;
  };
  const value = () => client.send(new GetSecretValueCommand({ SecretId }));
  const text = async () => (await value()).SecretString;
  const read = () => secretsManagerSecret.read(world.ground, SecretId, NOTHING);
  return { world, client, bring, value, text, read };
}

test("a value is written when the Secret has another, and only then; it may also go back", async () => {
  const { world, bring, text } = await bench();
  await using _ = world;
  assert.equal(await bring(REF, "a"), 1);
  assert.equal(await text(), "a");
  assert.equal(await bring(REF, "a"), 0);
  assert.equal(await bring(REF, "b"), 1);
  assert.equal(await text(), "b");
  assert.equal(await bring(REF, "a"), 1);
  assert.equal(await text(), "a");
  assert.equal(await bring(REF, "a"), 0);
  assert.equal(await bring({}, "c"), 0);
  assert.equal(await text(), "a");
});

test("bytes are written as bytes", async () => {
  const { world, bring, value } = await bench();
  await using _ = world;
  await bring({ secretBinaryRef: { name: "key", key: "value" } }, Buffer.from([0, 255]).toString("base64"));
  assert.deepEqual([...((await value()).SecretBinary ?? [])], [0, 255]);
});

test("a secret that was made without a value gets one when the spec does", async () => {
  const { world, bring, text } = await bench();
  await using _ = world;
  await bring({}, "");
  assert.equal(await bring(REF, "a"), 1);
  assert.equal(await text(), "a");
});

test("what others put, rotation among them, stays until the Secret changes", async () => {
  const { world, client, bring, text } = await bench();
  await using _ = world;
  await bring({ ...REF, ...ROTATION }, "first");
  assert.equal(await text(), "first");
  for (const SecretString of ["rotated once", "rotated twice", "rotated thrice"]) {
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
  }
  assert.equal(await bring({ ...REF, ...ROTATION }, "first"), 0);
  assert.equal(await bring({ ...REF, ...ROTATION }, "second"), 0);
  assert.equal(await bring(REF, "first"), 1, "rotation is turned off");
  assert.equal(await text(), "rotated thrice");
  assert.equal(await bring(REF, "second"), 1);
  assert.equal(await text(), "second");
});

test("a deleted secret is absent at once, and had back by its own object or with consent", async () => {
  const { world, client, bring, text, read } = await bench();
  await using _ = world;
  const { ground } = world;
  await bring(REF, "a");
  const seen = await read();
  assert.ok(seen !== "absent");
  assert.equal(secretsManagerSecret.idOf(seen.arn), SecretId);
  await secretsManagerSecret.remove(ground, seen, secret({ recoveryWindowInDays: 7 }));
  await secretsManagerSecret.remove(ground, seen, secret({ recoveryWindowInDays: 7 }));
  assert.equal(await read(), "absent");
  const again = (object: Immutable<SecretsManagerSecret>) =>
    secretsManagerSecret.create(ground, { object, given: givenOf(), wanted: new Map(), tags: {}, token: "token" });
  await assert.rejects(again(secret({}, "uid-2")), { code: "InvalidRequestException" });
  assert.equal(await again(secret()), SecretId);
  assert.equal(await text(), "a");
  await secretsManagerSecret.remove(ground, seen, secret());
  const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }));
  assert.ok(DeletedDate);
  assert.equal(await again(secret({ management: { mode: "Manage", adopt: { byName: true } } }, "uid-2")), SecretId);
  assert.ok((await read()) !== "absent");
});

test("with no window a secret is gone, and its name is free a moment later", async () => {
  const { world, bring, read } = await bench();
  await using _ = world;
  await bring({}, "");
  const seen = await read();
  assert.ok(seen !== "absent");
  await secretsManagerSecret.remove(world.ground, seen, secret({ recoveryWindowInDays: 0 }));
  assert.equal(await read(), "absent");
  world.clock.advance(5_000);
  await secretsManagerSecret.remove(world.ground, seen, secret({ recoveryWindowInDays: 0 }));
  assert.equal(await bring({}, ""), 1);
});
