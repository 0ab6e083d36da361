import assert from "node:assert/strict";
import { test } from "node:test";
import { BatchDeleteImageCommand, ECRClient, PutImageCommand } from "@aws-sdk/client-ecr";
import type { Immutable, Json } from "@gatewright/kube";
import type { ECRRepository } from "@gatewright/resources";
import { kindWorld } from "../testing/kind-world.ts";
import { ecrRepository } from "./index.ts";

const repositoryName = "shop/web";
const NOTHING: ReadonlySet<string> = new Set();

function repository(spec: Partial<ECRRepository["spec"]> = {}): Immutable<ECRRepository> {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "ECRRepository",
    metadata: { name: "web", namespace: "shop", uid: "uid-1" },
    spec: { providerRef: { name: "aws" }, deletionPolicy: "Delete", repositoryName, ...spec },
  };
}

async function bench() {
  const world = await kindWorld({ listening: true });
  const { ground } = world;
  const create = (tags: Readonly<Record<string, string>>) =>
    ecrRepository.create(ground, {
      object: repository(),
      given: { value: () => undefined, version: () => undefined },
      wanted: new Map(),
      tags,
      token: "token",
    });
  const read = () => ecrRepository.read(ground, repositoryName, NOTHING);
  return { world, ground, create, read, ecr: new ECRClient(world.sdk()) };
}

test("a repository that is there already is left to its tags", async () => {
  const { world, create, read } = await bench();
  await using _ = world;
  assert.equal(await read(), "absent");
  assert.equal(await create({ owner: "somebody" }), repositoryName);
  assert.equal(await create({ owner: "us" }), repositoryName);
  const seen = await read();
  assert.ok(seen !== "absent");
  assert.deepEqual(ecrRepository.tagsOf(seen), { owner: "somebody" });
  assert.equal(ecrRepository.idOf(seen.arn), repositoryName);
  assert.equal(ecrRepository.outputsOf(seen, world.ground)["uri"], seen.uri);
});

test("a repository with images stays, unless the spec gives them up", async () => {
  const { world, ground, create, read, ecr } = await bench();
  await using _ = world;
  await create({});
  await ecr.send(new PutImageCommand({ repositoryName, imageManifest: "{}", imageTag: "v1" }));
  const seen = await read();
  assert.ok(seen !== "absent");
  const obstacle = await ecrRepository.remove(ground, seen, repository());
  assert.equal(obstacle?.reason, "NotEmpty");
  assert.equal(await ecrRepository.remove(ground, seen, repository({ forceDestroy: true })), undefined);
  assert.equal(await read(), "absent");
  assert.equal(await ecrRepository.remove(ground, seen, repository()), undefined);
  await create({});
  await ecr.send(new PutImageCommand({ repositoryName, imageManifest: "{}", imageTag: "v1" }));
  await ecr.send(new BatchDeleteImageCommand({ repositoryName, imageIds: [{ imageTag: "v1" }] }));
  assert.equal(await ecrRepository.remove(ground, seen, repository()), undefined);
  assert.equal(await read(), "absent");
});

test("how a repository is encrypted is compared by what the spec says of it", async () => {
  const { world, ground, read } = await bench();
  await using _ = world;
  await ground.aws.ecr.createRepository({ repositoryName, encryptionConfiguration: { encryptionType: "KMS" } });
  const seen = await read();
  assert.ok(seen !== "absent");
  const field = ecrRepository.fields.find(({ path }) => path === "encryptionConfiguration");
  const isSame = (encryptionType: string, kmsKey?: string) =>
    field?.same?.({ encryptionType, ...(kmsKey !== undefined && { kmsKey }) }, field.have?.(seen), seen);
  assert.deepEqual(
    [isSame("KMS"), isSame("KMS", "aws-ecr"), isSame("KMS", "alias/aws/ecr"), isSame("KMS", "1234"), isSame("AES256")],
    [true, true, true, false, false],
  );
});

test("exceptions that are left to others stay when the kind of mutability is written", async () => {
  const { world, ground, create, read } = await bench();
  await using _ = world;
  await create({});
  const given = { value: () => undefined, version: () => undefined };
  const kind = (imageTagMutability: string) => ({ imageTagMutability });
  const filters = (...imageTagMutabilityExclusionFilters: string[]) => ({ imageTagMutabilityExclusionFilters });
  const change = async (fields: Readonly<Record<string, Json>>, wanted: Readonly<Record<string, Json>>) => {
    const seen = await read();
    assert.ok(seen !== "absent");
    const wish = { fields: new Map(Object.entries(fields)), wanted: new Map(Object.entries(wanted)) };
    await ecrRepository.change(ground, seen, { object: repository(), given, ...wish });
    const after = await read();
    assert.ok(after !== "absent");
    return [after.mutability, after.exclusions];
  };
  const immutable = kind("IMMUTABLE_WITH_EXCLUSION");
  const made = await change(immutable, { ...immutable, ...filters("ours*") });
  assert.deepEqual(made, ["IMMUTABLE_WITH_EXCLUSION", ["ours*"]]);
  await change(filters("theirs*"), {});
  const mutable = kind("MUTABLE_WITH_EXCLUSION");
  const kept = await change(mutable, { ...mutable, ...filters("ours*") });
  assert.deepEqual(kept, ["MUTABLE_WITH_EXCLUSION", ["theirs*"]]);
});
