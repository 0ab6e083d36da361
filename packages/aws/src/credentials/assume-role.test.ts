import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom } from "@gatewright/ports";
import { scriptedAws } from "../testing/scripted-aws.ts";
import { assumeRole } from "./assume-role.ts";

const { signal } = new AbortController();
const ROLE = "arn:aws:iam::123456789012:role/shop";
const keys = (id: string, Expiration: number) => ({
  Credentials: { AccessKeyId: id, SecretAccessKey: "secret", SessionToken: "token", Expiration },
});

test("a role is assumed with its external id, name and tags, and again before its keys end", async () => {
  const far = 4_000_000_000_000;
  const { aws, clock, calls } = scriptedAws("sts", [
    { output: keys("ASIA1", far) },
    { output: keys("ASIA2", 2 * far) },
  ]);
  const source = assumeRole({
    sts: aws.sts,
    clock,
    random: seededRandom(1),
    roleArn: ROLE,
    sessionName: "gatewright@shop@aws",
    externalId: "shop-1",
    tags: { team: "shop" },
    durationSeconds: 900,
  });
  assert.deepEqual(await source(signal), { accessKeyId: "ASIA1", secretAccessKey: "secret", sessionToken: "token" });
  await source(signal);
  assert.deepEqual(
    calls.map(({ operation, input }) => [operation, input]),
    [
      [
        "AssumeRole",
        {
          RoleArn: ROLE,
          RoleSessionName: "gatewright@shop@aws",
          ExternalId: "shop-1",
          DurationSeconds: 900,
          Tags: [{ Key: "team", Value: "shop" }],
        },
      ],
    ],
  );
  clock.advance(far - clock.now());
  assert.equal((await source(signal)).accessKeyId, "ASIA2");
});

test("an answer without keys is no credentials", async () => {
  const { aws, clock } = scriptedAws("sts", [{ output: {} }]);
  const source = assumeRole({ sts: aws.sts, clock, random: seededRandom(1), roleArn: ROLE, sessionName: "me" });
  await assert.rejects(source(signal), { code: "MalformedAnswer", message: "STS answered without keys" });
});
