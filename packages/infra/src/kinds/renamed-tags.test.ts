import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { ALL_KINDS } from "./index.ts";
import { settle } from "./testing/kind-life.ts";
import { givenOf } from "./testing/kind-stage.ts";
import { kindWorld } from "./testing/kind-world.ts";

const TRUST = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
});

/** The least that each kind can be made of. */
const SPECS: Readonly<Record<string, JsonObject>> = {
  S3Bucket: { bucketName: "sample" },
  SQSQueue: { queueName: "sample" },
  SNSTopic: { topicName: "sample" },
  DynamoDBTable: { tableName: "sample", hashKey: { name: "id", type: "S" } },
  IAMRole: { roleName: "sample", assumeRolePolicyDocument: TRUST },
  ECRRepository: { repositoryName: "sample" },
  SecretsManagerSecret: { secretName: "sample" },
  EC2Instance: { instanceName: "sample", imageID: "ami-0a1b2c3d4e5f60001", instanceType: "t3.micro", state: "Running" },
  RDSInstance: {
    dbInstanceIdentifier: "sample",
    engine: "postgres",
    engineVersion: "16.9",
    dbInstanceClass: "db.t4g.micro",
    allocatedStorage: 20,
    masterUsername: "boss",
    manageMasterUserPassword: true,
  },
};

const tags = (prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${prefix}-${at}`, "x"]));

for (const kind of ALL_KINDS) {
  test(`${kind.resource.kind}: all tags that a spec may have can be renamed at once, though both together are too many`, async () => {
    await using world = await kindWorld();
    const object = {
      apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
      kind: kind.resource.kind,
      metadata: { name: "sample", namespace: "shop", uid: "uid-1" },
      spec: { providerRef: { name: "aws" }, deletionPolicy: "Delete", ...SPECS[kind.resource.kind], tags: tags("old") },
    };
    const { id, seen } = await settle(world, kind, object, givenOf());
    await world.passing(kind.tag(world.ground, seen, { set: tags("new"), remove: Object.keys(tags("old")) }));
    await world.pass(60_000);
    const now = await world.passing(kind.read(world.ground, id, new Set()));
    assert.ok(now !== "absent");
    const found = Object.keys(kind.tagsOf(now)).filter((key) => /^(?:old|new)-/.test(key));
    assert.deepEqual(found.toSorted(), Object.keys(tags("new")).toSorted());
  });
}
