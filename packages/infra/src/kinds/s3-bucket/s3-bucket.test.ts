import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { AwsCallError } from "@gatewright/aws";
import { ConnectionLost, planFaults } from "@gatewright/local-aws";
import type { JsonObject } from "@gatewright/kube";
import { S3Bucket } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { admissionOf } from "../testing/admission.ts";
import { settle } from "../testing/kind-life.ts";
import type { Lived } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld, STRANGER } from "../testing/kind-world.ts";
import type { KindWorld } from "../testing/kind-world.ts";
import { s3Bucket } from "./index.ts";

const kind = anyKind(s3Bucket);
const admission = admissionOf(S3Bucket);
const NOTHING: ReadonlySet<string> = new Set();

function bucket(spec: JsonObject = {}): S3Bucket {
  const judged = admission.judge<object>({
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "S3Bucket",
    metadata: { name: "photos", namespace: "shop", uid: "1" },
    spec: { providerRef: { name: "aws" }, bucketName: "shop-photos", ...spec },
  });
  if ("refused" in judged) throw new Error(judged.refused);
  return judged.admitted as S3Bucket;
}

const made = (world: KindWorld, object = bucket()): Promise<Lived> => settle(world, kind, object, givenOf());
const changed = (world: KindWorld, { object }: Lived, spec: JsonObject): Promise<Lived> =>
  settle(world, kind, { ...object, spec: bucket(spec).spec }, givenOf());

/** Writes since the journal was cleared, in order. */
const writes = (world: KindWorld): readonly string[] =>
  world.local.journal
    .calls({ service: "s3" })
    .map(({ operation }) => operation)
    .filter((operation) => !/^(?:Get|Head|List)/.test(operation));

const refusedWith = (code: string) => (error: unknown) => error instanceof AwsCallError && error.code === code;

suite("whether a bucket is there", () => {
  test("another account's bucket of the name is never taken for absent", async () => {
    await using world = await kindWorld();
    const theirs = { ...world, ground: world.groundOf({ key: STRANGER }) };
    await made(theirs);
    await assert.rejects(world.passing(kind.read(world.ground, "shop-photos", NOTHING)), refusedWith("AccessDenied"));
    const creation = { object: bucket(), given: givenOf(), wanted: new Map(), tags: {}, token: "t" };
    await assert.rejects(world.passing(s3Bucket.create(world.ground, creation)), refusedWith("AccessDenied"));
  });

  test("a bucket in another region is never taken for absent", async () => {
    await using world = await kindWorld();
    await made({ ...world, ground: world.groundOf({ region: "eu-central-1" }) });
    await assert.rejects(
      world.passing(kind.read(world.ground, "shop-photos", NOTHING)),
      refusedWith("PermanentRedirect"),
    );
  });

  test("a name that nobody has is absent", async () => {
    await using world = await kindWorld();
    assert.equal(await world.passing(kind.read(world.ground, "shop-photos", NOTHING)), "absent");
  });
});

suite("making a bucket", () => {
  test("the region is said everywhere but where S3 does not want to hear it, and tags come with the creation", async () => {
    for (const region of ["us-east-1", "eu-west-1", "us-gov-west-1", "cn-north-1"]) {
      await using world = await kindWorld({ region });
      const { seen } = await made(world);
      assert.equal(kind.tagsOf(seen)["gatewright.dev/uid"], "1");
      assert.deepEqual(writes(world), ["CreateBucket"]);
    }
  });

  test("an S3 that passes over the tags of a creation is told them right after it", async () => {
    await using world = await kindWorld();
    const { s3 } = world.ground.aws;
    const forgetful: typeof s3 = {
      ...s3,
      createBucket: (request, options) => {
        const { Tags: _, ...configuration } = request.CreateBucketConfiguration ?? {};
        return s3.createBucket({ ...request, CreateBucketConfiguration: configuration }, options);
      },
    };
    const ground = { ...world.ground, aws: { ...world.ground.aws, s3: forgetful } };
    const { seen } = await made({ ...world, ground });
    assert.equal(kind.tagsOf(seen)["gatewright.dev/uid"], "1");
    assert.deepEqual(writes(world), ["CreateBucket", "PutBucketTagging"]);
  });

  test("a bucket that is there is not made again, which would reset its ACL in us-east-1", async () => {
    await using world = await kindWorld({ region: "us-east-1" });
    const spec = {
      objectOwnership: "ObjectWriter",
      publicAccessBlock: { blockPublicAcls: false },
      acl: "public-read",
    };
    const { object } = await made(world, bucket(spec));
    const creation = { object: object as S3Bucket, given: givenOf(), wanted: new Map(), tags: {}, token: "t" };
    assert.equal(await world.passing(s3Bucket.create(world.ground, creation)), "shop-photos");
    assert.equal((await settle(world, kind, object, givenOf())).writes, 0);
  });

  test("a creation whose answer is lost is one bucket", async () => {
    const faults = planFaults([
      { when: ({ operation }) => operation === "CreateBucket", fault: { kind: "lose reply" }, times: 1, after: true },
    ]);
    await using world = await kindWorld({ faults });
    await assert.rejects(made(world), ({ kind: how, cause }: AwsCallError) => {
      return how === "unknown" && cause instanceof ConnectionLost;
    });
    assert.equal((await made(world)).writes, 0);
  });

  test("writes that S3 has no time for are made again", async () => {
    const faults = planFaults([
      {
        when: ({ operation }) => /^(?:Create|Put)/.test(operation),
        fault: { kind: "error", code: "OperationAborted", status: 409 },
        times: 2,
      },
    ]);
    await using world = await kindWorld({ faults });
    await made(world, bucket({ versioning: { enabled: true } }));
  });

  test("ARN and host are those of the partition", () => {
    const seen = { name: "shop-photos", tags: {} };
    const china = { account: "0", region: "cn-north-1", partition: "aws-cn" };
    assert.deepEqual(s3Bucket.outputsOf(seen, china), {
      arn: "arn:aws-cn:s3:::shop-photos",
      name: "shop-photos",
      domainName: "shop-photos.s3.cn-north-1.amazonaws.com.cn",
      region: "cn-north-1",
    });
    assert.equal(s3Bucket.idOf("arn:aws-cn:s3:::shop-photos"), "shop-photos");
  });
});

suite("reading and writing a bucket", () => {
  test("only sections that are declared, or were, are read", async () => {
    await using world = await kindWorld();
    const lived = await made(world, bucket({ versioning: { enabled: true } }));
    const reads = async (object: Lived["object"]): Promise<readonly string[]> => {
      world.local.journal.clear();
      await settle(world, kind, object, givenOf());
      return world.local.journal.calls({ service: "s3" }).map(({ operation }) => operation);
    };
    assert.deepEqual(await reads(lived.object), ["GetBucketTagging", "GetBucketVersioning"]);
    const without = await changed(world, lived, {});
    assert.deepEqual(await reads(without.object), ["GetBucketTagging"]);
  });

  test("a bucket is opened before its policy and ACL let everybody in, and shut after they do no more", async () => {
    await using world = await kindWorld();
    const lived = await made(world);
    world.local.journal.clear();
    const Resource = "arn:aws:s3:::shop-photos/*";
    const statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource };
    const open = {
      acl: "public-read",
      objectOwnership: "BucketOwnerPreferred",
      publicAccessBlock: { blockPublicAcls: false, blockPublicPolicy: false },
      policy: JSON.stringify({ Version: "2012-10-17", Statement: [statement] }),
    };
    const opened = await changed(world, lived, open);
    assert.deepEqual(writes(world), [
      "PutBucketOwnershipControls",
      "PutPublicAccessBlock",
      "PutBucketPolicy",
      "PutBucketAcl",
    ]);
    world.local.journal.clear();
    await changed(world, opened, {});
    assert.deepEqual(writes(world), [
      "DeleteBucketPolicy",
      "PutBucketAcl",
      "PutBucketOwnershipControls",
      "PutPublicAccessBlock",
    ]);
  });

  test("a section that S3 refuses does not hold up the others, and is told", async () => {
    await using world = await kindWorld();
    const spec = { logging: { targetBucket: "nobodys" }, requestPayment: "Requester" };
    await assert.rejects(made(world, bucket(spec)), refusedWith("InvalidTargetBucketForLogging"));
    const { Payer } = await world.passing(world.ground.aws.s3.getBucketRequestPayment({ Bucket: "shop-photos" }));
    assert.equal(Payer, "Requester");
  });

  test("tags of others stay", async () => {
    await using world = await kindWorld();
    const { seen } = await made(world);
    const tag = (set: Record<string, string>, remove: readonly string[]) =>
      world.passing(kind.tag(world.ground, seen, { set, remove }));
    await tag({ theirs: "1" }, []);
    // What is known of the bucket is older than the tag of the others.
    await tag({ ours: "2" }, ["managed-by"]);
    const now = await world.passing(kind.read(world.ground, "shop-photos", NOTHING));
    assert.deepEqual(kind.tagsOf(now), { "gatewright.dev/uid": "1", theirs: "1", ours: "2" });
    await tag({}, ["gatewright.dev/uid", "theirs", "ours"]);
    assert.deepEqual(kind.tagsOf(await world.passing(kind.read(world.ground, "shop-photos", NOTHING))), {});
  });
});
