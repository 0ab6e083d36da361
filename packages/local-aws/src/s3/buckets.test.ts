import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/s3";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createS3 } from "./create-s3.ts";

function setUp({ lag = false }: { readonly lag?: boolean } = {}) {
  const world = testWorld({ lag });
  const { service, tagged } = createS3(world);
  return {
    world,
    service,
    tagged,
    s3: serviceCaller<Operations>(service),
    ireland: serviceCaller<Operations>(service, { region: "eu-west-1" }),
    stranger: serviceCaller<Operations>(service, { account: "111111111111" }),
  };
}

test("names that no bucket can have are refused", async () => {
  const { s3 } = setUp();
  for (const name of [
    "Bad_Name",
    "ab",
    "a..b",
    "-abc",
    "abc-",
    "192.168.0.1",
    "xn--abc",
    "abc-s3alias",
    "a".repeat(64),
  ]) {
    await assert.rejects(s3("CreateBucket", { Bucket: name }), refusal("InvalidBucketName", 400), name);
  }
});

test("the location is the region, and in us-east-1 it must not be said", async () => {
  const { s3, ireland } = setUp();
  const located = (name: string, location?: string) => ({
    Bucket: name,
    ...(location !== undefined && { CreateBucketConfiguration: { LocationConstraint: location } }),
  });
  await assert.rejects(s3("CreateBucket", located("one", "us-east-1")), refusal("InvalidLocationConstraint"));
  await assert.rejects(s3("CreateBucket", located("one", "eu-west-1")), refusal("IllegalLocationConstraintException"));
  await assert.rejects(ireland("CreateBucket", located("one")), refusal("IllegalLocationConstraintException"));
  await assert.rejects(ireland("CreateBucket", located("one", "nowhere")), refusal("InvalidLocationConstraint"));
  await ireland("CreateBucket", located("one", "eu-west-1"));
  await s3("CreateBucket", located("two"));
  assert.deepEqual(await ireland("GetBucketLocation", { Bucket: "one" }), { LocationConstraint: "eu-west-1" });
  assert.deepEqual(await s3("GetBucketLocation", { Bucket: "two" }), {});
  await assert.rejects(s3("HeadBucket", { Bucket: "one" }), (error: Error & { headers?: Record<string, string> }) => {
    refusal("PermanentRedirect", 301)(error);
    return error.headers?.["x-amz-bucket-region"] === "eu-west-1";
  });
});

test("a bucket is made once, except that us-east-1 takes it as said again; others cannot have the name", async () => {
  const { s3, ireland, stranger } = setUp();
  const inIreland = { Bucket: "irish", CreateBucketConfiguration: { LocationConstraint: "eu-west-1" } };
  await ireland("CreateBucket", inIreland);
  await assert.rejects(ireland("CreateBucket", inIreland), refusal("BucketAlreadyOwnedByYou", 409));
  await s3("CreateBucket", { Bucket: "mine" });
  await s3("CreateBucket", { Bucket: "mine" });
  await assert.rejects(stranger("CreateBucket", { Bucket: "mine" }), refusal("BucketAlreadyExists", 409));
});

test("somebody else's bucket and an owner that is not expected are forbidden, not hidden", async () => {
  const { s3, stranger } = setUp();
  await s3("CreateBucket", { Bucket: "mine" });
  await assert.rejects(stranger("HeadBucket", { Bucket: "mine" }), refusal("AccessDenied", 403));
  await assert.rejects(s3("HeadBucket", { Bucket: "none" }), refusal("NoSuchBucket", 404));
  const expecting = (owner: string) => s3("HeadBucket", { Bucket: "mine", ExpectedBucketOwner: owner });
  await assert.rejects(expecting("111111111111"), refusal("AccessDenied", 403));
  await assert.rejects(expecting("me"), refusal("InvalidBucketOwnerAWSAccountID", 400));
  assert.equal((await expecting("000000000000")).BucketRegion, "us-east-1");
});

test("the name of a deleted bucket rests for a while, where names lag", async () => {
  const { world, s3 } = setUp({ lag: true });
  await s3("CreateBucket", { Bucket: "phoenix" });
  await s3("DeleteBucket", { Bucket: "phoenix" });
  await assert.rejects(s3("CreateBucket", { Bucket: "phoenix" }), refusal("OperationAborted", 409));
  world.clock.advance(60_000);
  await s3("CreateBucket", { Bucket: "phoenix" });
});

test("the list of buckets and their configuration come late, where reads lag; buckets and objects do not", async () => {
  const { world, s3 } = setUp({ lag: true });
  const Bucket = "files";
  const names = async () => ((await s3("ListBuckets", {})).Buckets ?? []).map(({ Name }) => Name);
  const versioning = async () => (await s3("GetBucketVersioning", { Bucket })).Status;
  await s3("CreateBucket", { Bucket });
  assert.deepEqual(await names(), []);
  await s3("HeadBucket", { Bucket });
  assert.equal(await versioning(), undefined);
  world.clock.advance(2000);
  assert.deepEqual(await names(), [Bucket]);
  await s3("PutBucketVersioning", { Bucket, VersioningConfiguration: { Status: "Enabled" } });
  assert.equal(await versioning(), undefined);
  const { VersionId } = await s3("PutObject", { Bucket, Key: "a", Body: Buffer.from("a") });
  assert.notEqual(VersionId, undefined);
  assert.equal((await s3("HeadObject", { Bucket, Key: "a" })).VersionId, VersionId);
  world.clock.advance(2000);
  assert.equal(await versioning(), "Enabled");
  await s3("DeleteObject", { Bucket, Key: "a", VersionId });
  await s3("DeleteBucket", { Bucket });
  assert.deepEqual(await names(), [Bucket]);
  await assert.rejects(versioning(), refusal("NoSuchBucket", 404));
  world.clock.advance(2000);
  assert.deepEqual(await names(), []);
});

test("a new bucket encrypts, has no ACLs and blocks the public", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "fresh" });
  const encryption = await s3("GetBucketEncryption", { Bucket: "fresh" });
  assert.equal(
    encryption.ServerSideEncryptionConfiguration?.Rules[0]?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm,
    "AES256",
  );
  const ownership = await s3("GetBucketOwnershipControls", { Bucket: "fresh" });
  assert.deepEqual(ownership.OwnershipControls?.Rules, [{ ObjectOwnership: "BucketOwnerEnforced" }]);
  const block = (await s3("GetPublicAccessBlock", { Bucket: "fresh" })).PublicAccessBlockConfiguration;
  assert.deepEqual(Object.values(block ?? {}), [true, true, true, true]);
  assert.deepEqual(await s3("GetBucketVersioning", { Bucket: "fresh" }), {});
});

test("configuration that is not there has its own code each", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "bare" });
  const codes = [
    ["GetBucketTagging", "NoSuchTagSet"],
    ["GetBucketPolicy", "NoSuchBucketPolicy"],
    ["GetBucketPolicyStatus", "NoSuchBucketPolicy"],
    ["GetBucketLifecycleConfiguration", "NoSuchLifecycleConfiguration"],
    ["GetBucketCors", "NoSuchCORSConfiguration"],
    ["GetBucketWebsite", "NoSuchWebsiteConfiguration"],
    ["GetBucketReplication", "ReplicationConfigurationNotFoundError"],
    ["GetObjectLockConfiguration", "ObjectLockConfigurationNotFoundError"],
  ] as const;
  for (const [operation, code] of codes) await assert.rejects(s3(operation, { Bucket: "bare" }), refusal(code, 404));
  await s3("DeletePublicAccessBlock", { Bucket: "bare" });
  await assert.rejects(
    s3("GetPublicAccessBlock", { Bucket: "bare" }),
    refusal("NoSuchPublicAccessBlockConfiguration", 404),
  );
  await s3("DeleteBucketOwnershipControls", { Bucket: "bare" });
  await assert.rejects(
    s3("GetBucketOwnershipControls", { Bucket: "bare" }),
    refusal("OwnershipControlsNotFoundError", 404),
  );
});

test("tags can be there from the beginning; the tagging API sees and changes them", async () => {
  const { s3, tagged } = setUp();
  await s3("CreateBucket", { Bucket: "tagged", CreateBucketConfiguration: { Tags: [{ Key: "a", Value: "1" }] } });
  assert.equal(await tagged.tag("arn:aws:s3:::tagged", new Map([["b", "2"]])), true);
  assert.deepEqual(
    [...tagged.list("000000000000", "us-east-1")].map(({ arn, tags }) => [arn, [...tags]]),
    [
      [
        "arn:aws:s3:::tagged",
        [
          ["a", "1"],
          ["b", "2"],
        ],
      ],
    ],
  );
  assert.equal(await tagged.untag("arn:aws:s3:::tagged", ["a", "b"]), true);
  await assert.rejects(s3("GetBucketTagging", { Bucket: "tagged" }), refusal("NoSuchTagSet"));
  assert.equal(await tagged.tag("arn:aws:sqs:us-east-1:000000000000:q", new Map()), false);
});

test("tags of the system, twice the same key and too many are refused", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "tags" });
  const put = (keys: readonly string[]) =>
    s3("PutBucketTagging", { Bucket: "tags", Tagging: { TagSet: keys.map((Key) => ({ Key, Value: "v" })) } });
  await assert.rejects(put(["aws:mine"]), refusal("InvalidTag"));
  await assert.rejects(put(["a", "a"]), refusal("InvalidTag"));
  await assert.rejects(put(Array.from({ length: 51 }, (_, i) => `k${i}`)), refusal("BadRequest"));
});

test("a public policy is denied while public policies are blocked, and a malformed one always", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "open" });
  const statement = { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: "arn:aws:s3:::open/*" };
  const put = (...statements: readonly object[]) =>
    s3("PutBucketPolicy", { Bucket: "open", Policy: JSON.stringify({ Version: "2012-10-17", Statement: statements }) });
  await assert.rejects(put(statement), refusal("AccessDenied", 403));
  await put({ ...statement, Condition: { StringEquals: { "aws:PrincipalOrgID": "o-1" } } });
  await put({ ...statement, Principal: { AWS: "000000000000" } });
  assert.deepEqual(await s3("GetBucketPolicyStatus", { Bucket: "open" }), { PolicyStatus: { IsPublic: false } });
  await s3("PutPublicAccessBlock", { Bucket: "open", PublicAccessBlockConfiguration: { BlockPublicPolicy: false } });
  await put(statement);
  assert.deepEqual(await s3("GetBucketPolicyStatus", { Bucket: "open" }), { PolicyStatus: { IsPublic: true } });
  await assert.rejects(s3("PutBucketPolicy", { Bucket: "open", Policy: "nonsense" }), refusal("MalformedPolicy"));
  await assert.rejects(put({ ...statement, Resource: "arn:aws:s3:::other/*" }), refusal("MalformedPolicy"));
  await assert.rejects(put({ ...statement, Action: "sqs:Send" }), refusal("MalformedPolicy"));
  await assert.rejects(put({ ...statement, Principal: undefined }), refusal("MalformedPolicy"));
  await assert.rejects(put({ ...statement, Principal: { AWS: "nobody" } }), refusal("MalformedPolicy"));
});

test("ACLs need an ownership that allows them, and public ones that the public is not blocked", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "acl" });
  const publish = () => s3("PutBucketAcl", { Bucket: "acl", ACL: "public-read" });
  await assert.rejects(publish(), refusal("AccessControlListNotSupported", 400));
  await s3("PutBucketOwnershipControls", {
    Bucket: "acl",
    OwnershipControls: { Rules: [{ ObjectOwnership: "ObjectWriter" }] },
  });
  await assert.rejects(publish(), refusal("AccessDenied", 403));
  await s3("DeletePublicAccessBlock", { Bucket: "acl" });
  await publish();
  assert.equal((await s3("GetBucketAcl", { Bucket: "acl" })).Grants?.length, 2);
  await assert.rejects(
    s3("CreateBucket", { Bucket: "acl2", ACL: "public-read" }),
    refusal("InvalidBucketAclWithObjectOwnership"),
  );
});

test("versioning cannot be suspended under object lock or replication, and both need it", async () => {
  const { s3 } = setUp();
  const version = (Bucket: string, Status: string) =>
    s3("PutBucketVersioning", { Bucket, VersioningConfiguration: { Status } });
  await s3("CreateBucket", { Bucket: "locked", ObjectLockEnabledForBucket: true });
  assert.equal((await s3("GetBucketVersioning", { Bucket: "locked" })).Status, "Enabled");
  await assert.rejects(version("locked", "Suspended"), refusal("InvalidBucketState", 409));

  await s3("CreateBucket", { Bucket: "plain" });
  const lock = s3("PutObjectLockConfiguration", {
    Bucket: "plain",
    ObjectLockConfiguration: { ObjectLockEnabled: "Enabled" },
  });
  await assert.rejects(lock, refusal("InvalidBucketState", 409));
  const replicate = () =>
    s3("PutBucketReplication", {
      Bucket: "plain",
      ReplicationConfiguration: {
        Role: "arn:aws:iam::000000000000:role/r",
        Rules: [{ Status: "Enabled", Prefix: "", Destination: { Bucket: "arn:aws:s3:::locked" } }],
      },
    });
  await assert.rejects(replicate(), refusal("InvalidRequest"));
  await version("plain", "Enabled");
  await replicate();
  await assert.rejects(version("plain", "Suspended"), refusal("InvalidBucketState", 409));
  await s3("DeleteBucketReplication", { Bucket: "plain" });
  await version("plain", "Suspended");
});

test("lifecycle rules need a filter or a prefix, one kind of expiration and an action", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "cycle" });
  const put = (rule: object) =>
    s3("PutBucketLifecycleConfiguration", {
      Bucket: "cycle",
      LifecycleConfiguration: { Rules: [{ Status: "Enabled", ...rule }] },
    });
  await assert.rejects(put({ Expiration: { Days: 1 } }), refusal("MalformedXML"));
  await assert.rejects(put({ Filter: {}, Prefix: "", Expiration: { Days: 1 } }), refusal("MalformedXML"));
  await assert.rejects(put({ Filter: {} }), refusal("InvalidRequest"));
  await assert.rejects(put({ Filter: {}, Expiration: { Days: 0 } }), refusal("InvalidArgument"));
  await assert.rejects(put({ Filter: {}, Expiration: { Days: 1, Date: 0 } }), refusal("MalformedXML"));
  await assert.rejects(
    put({ Filter: {}, Transitions: [{ Days: 7, StorageClass: "STANDARD_IA" }] }),
    refusal("InvalidArgument"),
  );
  await put({ Filter: { Prefix: "logs/" }, Expiration: { Days: 30 } });
  const { Rules: rules, TransitionDefaultMinimumObjectSize: size } = await s3("GetBucketLifecycleConfiguration", {
    Bucket: "cycle",
  });
  assert.equal(rules?.[0]?.ID?.length, 48);
  assert.equal(size, "all_storage_classes_128K");
});

test("encryption, CORS, websites and logging are checked", async () => {
  const { s3 } = setUp();
  await s3("CreateBucket", { Bucket: "conf" });
  const Bucket = "conf";
  const encrypt = (...Rules: readonly object[]) =>
    s3("PutBucketEncryption", { Bucket, ServerSideEncryptionConfiguration: { Rules } });
  await assert.rejects(encrypt(), refusal("MalformedXML"));
  await assert.rejects(encrypt({}), refusal("MalformedXML"));
  await encrypt({ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "aws:kms" } });
  await s3("DeleteBucketEncryption", { Bucket });
  const cors = { AllowedMethods: ["PATCH"], AllowedOrigins: ["*"] };
  await assert.rejects(
    s3("PutBucketCors", { Bucket, CORSConfiguration: { CORSRules: [cors] } }),
    refusal("InvalidRequest"),
  );
  await assert.rejects(s3("PutBucketWebsite", { Bucket, WebsiteConfiguration: {} }), refusal("InvalidArgument"));
  await assert.rejects(
    s3("PutBucketLogging", {
      Bucket,
      BucketLoggingStatus: { LoggingEnabled: { TargetBucket: "none", TargetPrefix: "" } },
    }),
    refusal("InvalidTargetBucketForLogging"),
  );
});

test("buckets are listed in pages", async () => {
  const { s3, stranger } = setUp();
  for (const name of ["bbb", "aaa", "abc"]) await s3("CreateBucket", { Bucket: name });
  const first = await s3("ListBuckets", { MaxBuckets: 2 });
  assert.deepEqual(
    first.Buckets?.map(({ Name }) => Name),
    ["aaa", "abc"],
  );
  const second = await s3("ListBuckets", { MaxBuckets: 2, ContinuationToken: first.ContinuationToken });
  assert.deepEqual(
    second.Buckets?.map(({ Name }) => Name),
    ["bbb"],
  );
  assert.equal(second.ContinuationToken, undefined);
  assert.deepEqual((await stranger("ListBuckets", {})).Buckets, []);
});
