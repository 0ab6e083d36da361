import assert from "node:assert/strict";
import { test } from "node:test";
import type { Operations } from "@gatewright/aws-wire/types/tagging";
import { AwsError } from "../aws-error.ts";
import type { TaggedResources } from "../neighbours.ts";
import { createTagging } from "./create-tagging.ts";

const ACCOUNT = "000000000000";
const QUEUE = `arn:aws:sqs:eu-west-1:${ACCOUNT}:orders`;
const BUCKET = "arn:aws:s3:::files";
const CERTIFICATE = `arn:aws:acm:eu-west-1:${ACCOUNT}:certificate/1`;

function resources(
  account: string,
  ...tagged: readonly (readonly [arn: string, tags: Readonly<Record<string, string>>])[]
): TaggedResources {
  const held = new Map(tagged.map(([arn, tags]) => [arn, new Map(Object.entries(tags))]));
  return {
    list: (of) => (of === account ? [...held].map(([arn, tags]) => ({ arn, tags })) : []),
    tag: async (arn, tags) => {
      if ([...tags.values()].includes("refuse me")) throw new AwsError("TooManyTagsException", "too many");
      for (const [key, value] of tags) held.get(arn)?.set(key, value);
      return held.has(arn);
    },
    untag: async (arn, keys) => {
      for (const key of keys) held.get(arn)?.delete(key);
      return held.has(arn);
    },
  };
}

function bench() {
  const { service } = createTagging([
    resources(ACCOUNT, [QUEUE, { team: "shop", env: "dev" }], [`${QUEUE}-2`, {}]),
    resources(ACCOUNT, [BUCKET, { team: "blog" }]),
    resources(ACCOUNT, [CERTIFICATE, { team: "shop", env: "prod" }]),
    resources("111111111111", ["arn:aws:s3:::theirs", { team: "shop" }]),
  ]);
  const call = async <Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]["input"],
  ): Promise<Operations[Name]["output"]> =>
    (await service.operations.get(name)?.(input, {
      caller: { account: ACCOUNT, arn: "", userId: "", accessKeyId: "" },
      account: ACCOUNT,
      region: "eu-west-1",
      requestId: "1",
      signal: new AbortController().signal,
    })) as Operations[Name]["output"];
  const found = async (input: Operations["GetResources"]["input"]) =>
    ((await call("GetResources", input)).ResourceTagMappingList ?? []).map(({ ResourceARN }) => ResourceARN);
  return { call, found };
}

test("resources are found by tags and types", async () => {
  const { found } = bench();
  assert.deepEqual(await found({}), [CERTIFICATE, BUCKET, QUEUE]);
  assert.deepEqual(await found({ TagFilters: [{ Key: "team", Values: ["shop"] }] }), [CERTIFICATE, QUEUE]);
  assert.deepEqual(await found({ TagFilters: [{ Key: "team" }, { Key: "env", Values: ["dev", "test"] }] }), [QUEUE]);
  assert.deepEqual(await found({ ResourceTypeFilters: ["sqs", "s3:bucket"] }), [BUCKET, QUEUE]);
  assert.deepEqual(await found({ ResourceTypeFilters: ["acm:certificate"] }), [CERTIFICATE]);
  assert.deepEqual(await found({ ResourceTypeFilters: ["acm:nothing"] }), []);
  assert.deepEqual(await found({ ResourceARNList: [QUEUE] }), [QUEUE]);
});

test("pages follow each other, and the last has an empty token", async () => {
  const { call } = bench();
  const all: unknown[] = [];
  let PaginationToken: string | undefined;
  do {
    const answer = await call("GetResources", { ResourcesPerPage: 2, PaginationToken });
    all.push(...(answer.ResourceTagMappingList ?? []));
    PaginationToken = answer.PaginationToken;
  } while (PaginationToken !== "");
  assert.equal(all.length, 3);
  for (const wrong of [
    { ResourcesPerPage: 101 },
    { TagsPerPage: 150 },
    { PaginationToken: "?" },
    { ResourceARNList: [QUEUE], ResourcesPerPage: 1 },
  ]) {
    await assert.rejects(call("GetResources", wrong), { code: "InvalidParameterException" });
  }
});

test("keys and values are those in use", async () => {
  const { call } = bench();
  assert.deepEqual((await call("GetTagKeys", {})).TagKeys, ["env", "team"]);
  assert.deepEqual((await call("GetTagValues", { Key: "team" })).TagValues, ["blog", "shop"]);
});

test("tagging tells for each resource whether it failed", async () => {
  const { call, found } = bench();
  const theirs = "arn:aws:sqs:eu-west-1:111111111111:orders";
  const ResourceARNList = [QUEUE, BUCKET, theirs, "arn:aws:s3:::theirs", "nonsense"];
  const { FailedResourcesMap = {} } = await call("TagResources", { ResourceARNList, Tags: { owner: "ada" } });
  assert.deepEqual(Object.keys(FailedResourcesMap), [theirs, "arn:aws:s3:::theirs", "nonsense"]);
  assert.equal(FailedResourcesMap[theirs]?.ErrorCode, "InvalidParameterException");
  assert.deepEqual(await found({ TagFilters: [{ Key: "owner" }] }), [BUCKET, QUEUE]);
  await call("UntagResources", { ResourceARNList: [QUEUE], TagKeys: ["owner"] });
  assert.deepEqual(await found({ TagFilters: [{ Key: "owner" }] }), [BUCKET]);
  const refused = await call("TagResources", { ResourceARNList: [QUEUE], Tags: { a: "refuse me" } });
  assert.equal(refused.FailedResourcesMap?.[QUEUE]?.ErrorMessage, "too many");
  await assert.rejects(call("TagResources", { ResourceARNList: [QUEUE], Tags: { "aws:a": "" } }), {
    code: "InvalidParameterException",
  });
});
