import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/ecr";
import { refusal, serviceCaller, testWorld } from "../testing/service-caller.ts";
import { createEcr } from "./create-ecr.ts";

const ARN = "arn:aws:ecr:eu-west-1:000000000000:repository/shop/web";
const repositoryName = "shop/web";
const manifest = (name: string) => JSON.stringify({ schemaVersion: 2, config: { digest: name } });

function bench() {
  const { service, tagged } = createEcr(testWorld({ lag: false }));
  const call = serviceCaller<Operations>(service, { region: "eu-west-1" });
  const create = async (more: Partial<Operations["CreateRepository"]["input"]> = {}) =>
    (await call("CreateRepository", { repositoryName, ...more })).repository;
  const told = async () =>
    (await call("DescribeRepositories", { repositoryNames: [repositoryName] })).repositories?.[0];
  const push = async (name: string, imageTag?: string) =>
    (await call("PutImage", { repositoryName, imageManifest: manifest(name), imageTag })).image?.imageId;
  return { call, create, told, push, tagged };
}

test("a repository has an ARN, a URI and AWS's defaults", async () => {
  const { create, told, call } = bench();
  const made = await create();
  assert.deepEqual(made, {
    repositoryArn: ARN,
    registryId: "000000000000",
    repositoryName,
    repositoryUri: "000000000000.dkr.ecr.eu-west-1.amazonaws.com/shop/web",
    createdAt: made?.createdAt,
    imageTagMutability: "MUTABLE",
    imageScanningConfiguration: { scanOnPush: false },
    encryptionConfiguration: { encryptionType: "AES256" },
  });
  assert.deepEqual(await told(), made);
  await assert.rejects(create(), refusal("RepositoryAlreadyExistsException", 400));
  for (const name of ["Web", "a/", "-a", "a..b", "a b"]) {
    await assert.rejects(
      call("CreateRepository", { repositoryName: name }),
      refusal("InvalidParameterException"),
      name,
    );
  }
  await assert.rejects(
    call("DescribeRepositories", { repositoryNames: ["none"] }),
    refusal("RepositoryNotFoundException"),
  );
  await assert.rejects(
    call("DeleteRepository", { repositoryName, registryId: "111111111111" }),
    refusal("RepositoryNotFoundException"),
  );
});

test("how it is encrypted is said when it is made", async () => {
  const { create, call } = bench();
  const keyed = { encryptionConfiguration: { encryptionType: "AES256", kmsKey: "x" } };
  await assert.rejects(create(keyed), refusal("InvalidParameterException"));
  const made = await create({ encryptionConfiguration: { encryptionType: "KMS" } });
  assert.match(made?.encryptionConfiguration?.kmsKey ?? "", /^arn:aws:kms:eu-west-1:000000000000:key\//);
  const { repository } = await call("DeleteRepository", { repositoryName });
  assert.equal(repository?.repositoryArn, ARN);
});

test("a repository with images goes only by force", async () => {
  const { create, call, push } = bench();
  await create();
  await push("a", "v1");
  await assert.rejects(call("DeleteRepository", { repositoryName }), refusal("RepositoryNotEmptyException"));
  const { imageIds } = await call("BatchDeleteImage", {
    repositoryName,
    imageIds: [{ imageTag: "v1" }, { imageTag: "v2" }],
  });
  assert.equal(imageIds?.length, 1);
  await call("DeleteRepository", { repositoryName });
  await create();
  await push("b");
  await call("DeleteRepository", { repositoryName, force: true });
  await create();
  assert.deepEqual((await call("ListImages", { repositoryName })).imageIds, []);
});

test("tags move unless they are immutable, with exceptions either way", async () => {
  const { create, call, push, told } = bench();
  await create();
  await push("a", "latest");
  await push("b", "latest");
  await assert.rejects(push("b", "latest"), refusal("ImageAlreadyExistsException"));
  const set = (imageTagMutability: string, ...filters: string[]) =>
    call("PutImageTagMutability", {
      repositoryName,
      imageTagMutability,
      ...(filters.length > 0 && {
        imageTagMutabilityExclusionFilters: filters.map((filter) => ({ filterType: "WILDCARD", filter })),
      }),
    });
  await set("IMMUTABLE");
  await assert.rejects(push("c", "latest"), refusal("ImageTagAlreadyExistsException"));
  await assert.rejects(set("IMMUTABLE", "latest*"), refusal("InvalidParameterException"));
  await assert.rejects(set("IMMUTABLE_WITH_EXCLUSION"), refusal("InvalidParameterException"));
  await assert.rejects(set("IMMUTABLE_WITH_EXCLUSION", "a*b*c*d"), refusal("InvalidParameterException"));
  await set("IMMUTABLE_WITH_EXCLUSION", "la*t", "dev-*");
  assert.deepEqual(
    (await told())?.imageTagMutabilityExclusionFilters?.map(({ filter }) => filter),
    ["la*t", "dev-*"],
  );
  await push("c", "latest");
  await set("MUTABLE_WITH_EXCLUSION", "v*");
  await push("d", "v1");
  await assert.rejects(push("e", "v1"), refusal("ImageTagAlreadyExistsException"));
  await push("e", "latest");
  const tagged = await call("ListImages", { repositoryName, filter: { tagStatus: "TAGGED" } });
  assert.deepEqual(tagged.imageIds?.map(({ imageTag }) => imageTag).toSorted(), ["latest", "v1"]);
  const untagged = await call("DescribeImages", { repositoryName, filter: { tagStatus: "UNTAGGED" } });
  assert.equal(untagged.imageDetails?.length, 3);
  await assert.rejects(
    call("DescribeImages", { repositoryName, imageIds: [{ imageTag: "none" }] }),
    refusal("ImageNotFoundException"),
  );
  const got = await call("BatchGetImage", { repositoryName, imageIds: [{ imageTag: "v1" }, { imageTag: "none" }] });
  assert.deepEqual([got.images?.length, got.failures?.[0]?.failureCode], [1, "ImageNotFound"]);
});

test("scanning can be turned on and off", async () => {
  const { create, call, told } = bench();
  await create({ imageScanningConfiguration: { scanOnPush: true } });
  assert.equal((await told())?.imageScanningConfiguration?.scanOnPush, true);
  await call("PutImageScanningConfiguration", { repositoryName, imageScanningConfiguration: {} });
  assert.equal((await told())?.imageScanningConfiguration?.scanOnPush, false);
});

test("lifecycle policies are checked, kept and taken away", async () => {
  const { create, call } = bench();
  await create();
  const rule = (more = {}, selection = {}) => ({
    rulePriority: 1,
    description: "old ones go",
    selection: {
      tagStatus: "untagged",
      countType: "sinceImagePushed",
      countUnit: "days",
      countNumber: 14,
      ...selection,
    },
    action: { type: "expire" },
    ...more,
  });
  const put = (...rules: readonly object[]) =>
    call("PutLifecyclePolicy", { repositoryName, lifecyclePolicyText: JSON.stringify({ rules }) });
  for (const wrong of [
    [],
    [rule({ rulePriority: 0 })],
    [rule({ action: { type: "burn" } })],
    [rule({ nonsense: 1 })],
    [rule({}, { tagStatus: "tagged" })],
    [rule({}, { tagPrefixList: ["v"] })],
    [rule({}, { countType: "imageCountMoreThan" })],
    [rule({}, { countNumber: 0 })],
    [rule(), rule({ rulePriority: 2 })],
    [rule({}, { tagStatus: "any" }), rule({ rulePriority: 2 })],
  ]) {
    await assert.rejects(put(...wrong), refusal("InvalidParameterException"), JSON.stringify(wrong));
  }
  await assert.rejects(call("GetLifecyclePolicy", { repositoryName }), refusal("LifecyclePolicyNotFoundException"));
  const rules = [
    rule(),
    rule({ rulePriority: 2 }, { tagStatus: "tagged", tagPrefixList: ["w", "v"] }),
    rule({ rulePriority: 3 }, { tagStatus: "any" }),
  ];
  await put(...rules.toReversed());
  const { lifecyclePolicyText = "" } = await call("GetLifecyclePolicy", { repositoryName });
  const sorted = rule({ rulePriority: 2 }, { tagStatus: "tagged", tagPrefixList: ["v", "w"] });
  assert.deepEqual(JSON.parse(lifecyclePolicyText), { rules: rules.with(1, sorted) });
  await call("DeleteLifecyclePolicy", { repositoryName });
  await assert.rejects(call("DeleteLifecyclePolicy", { repositoryName }), refusal("LifecyclePolicyNotFoundException"));
});

test("repository policies are checked, kept and taken away", async () => {
  const { create, call } = bench();
  await create();
  const policy = (more = {}) =>
    JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: "*", Action: "ecr:BatchGetImage", ...more }],
    });
  for (const policyText of [
    "x",
    policy({ Resource: "*" }),
    policy({ Principal: undefined }),
    policy({ Action: "Get" }),
  ]) {
    await assert.rejects(
      call("SetRepositoryPolicy", { repositoryName, policyText }),
      refusal("InvalidParameterException"),
    );
  }
  await assert.rejects(call("GetRepositoryPolicy", { repositoryName }), refusal("RepositoryPolicyNotFoundException"));
  await call("SetRepositoryPolicy", { repositoryName, policyText: policy() });
  assert.equal((await call("GetRepositoryPolicy", { repositoryName })).policyText, policy());
  await call("DeleteRepositoryPolicy", { repositoryName });
  await assert.rejects(
    call("DeleteRepositoryPolicy", { repositoryName }),
    refusal("RepositoryPolicyNotFoundException"),
  );
});

test("tags are seen here and by the tagging API", async () => {
  const { create, call, tagged } = bench();
  await create({ tags: [{ Key: "a", Value: "1" }] });
  await call("TagResource", { resourceArn: ARN, tags: [{ Key: "b", Value: "2" }] });
  await tagged.untag(ARN, ["a"]);
  await tagged.tag(ARN, new Map([["c", "3"]]));
  assert.deepEqual((await call("ListTagsForResource", { resourceArn: ARN })).tags, [
    { Key: "b", Value: "2" },
    { Key: "c", Value: "3" },
  ]);
  await call("UntagResource", { resourceArn: ARN, tagKeys: ["b", "none"] });
  assert.deepEqual([...tagged.list("000000000000", "eu-west-1")], [{ arn: ARN, tags: new Map([["c", "3"]]) }]);
  const many = Array.from({ length: 50 }, (_, i) => ({ Key: `k${i}`, Value: "" }));
  await assert.rejects(call("TagResource", { resourceArn: ARN, tags: many }), refusal("TooManyTagsException"));
  await assert.rejects(
    call("TagResource", { resourceArn: ARN, tags: [{ Key: "aws:a", Value: "" }] }),
    refusal("InvalidTagParameterException"),
  );
  assert.equal(await tagged.tag(`${ARN}x`, new Map()), false);
});

test("lists have pages", async () => {
  const { call } = bench();
  for (const name of ["cc", "aa", "bb"]) await call("CreateRepository", { repositoryName: name });
  const first = await call("DescribeRepositories", { maxResults: 2 });
  const rest = await call("DescribeRepositories", { maxResults: 2, nextToken: first.nextToken });
  const names = [first, rest].map(({ repositories }) => repositories?.map((each) => each.repositoryName));
  assert.deepEqual([names, rest.nextToken], [[["aa", "bb"], ["cc"]], undefined]);
  await assert.rejects(call("DescribeRepositories", { nextToken: "?" }), refusal("InvalidParameterException"));
});
