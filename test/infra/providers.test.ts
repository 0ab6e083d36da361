import assert from "node:assert/strict";
import { test } from "node:test";
import { createProviderWorld } from "./provider-world.ts";

const { signal } = new AbortController();

test("a provider without credentials of its own leads to the local AWS, and its session works", async () => {
  await using world = await createProviderWorld();
  await world.make("aws", { defaultTags: { team: "shop" } });
  const provider = await world.ready("aws", "Authenticated");
  assert.equal(provider.status?.ready, true);
  assert.equal(provider.status?.accountID, "000000000000");
  assert.equal(provider.status?.callerIdentity, "arn:aws:iam::000000000000:root");
  assert.ok(provider.status?.lastAuthenticationTime);
  const session = world.providers().sessions.of(provider);
  assert.ok(session);
  assert.deepEqual(
    [session.account, session.region, session.partition, session.defaultTags],
    ["000000000000", "eu-west-1", "aws", { team: "shop" }],
  );
  const { QueueUrl } = await session.aws.sqs.createQueue({ QueueName: "orders" }, { signal });
  assert.match(QueueUrl ?? "", /orders$/);
});
