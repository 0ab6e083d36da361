import assert from "node:assert/strict";
import { test } from "node:test";
import { AWSProvider, SQSQueue } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

const PROVIDER = { namespace: "shop", name: "aws" };
const ROLE = "arn:aws:iam::222222222222:role/other";

async function lead(world: InfraWorld, spec: Partial<AWSProvider["spec"]>): Promise<void> {
  await world.user.for(AWSProvider).apply({ metadata: PROVIDER, spec: { region: "eu-west-1", ...spec } });
}

const provider = (world: InfraWorld) => world.user.for(AWSProvider).find(PROVIDER);
const created = (world: InfraWorld): readonly string[] =>
  world.calls({ service: "sqs", operation: "CreateQueue" }).map(({ account, region }) => `${account} ${region}`);

test("a queue stays where it is when its provider leads elsewhere, both say so, and all is well when it leads back", async () => {
  await using world = await createInfraWorld();
  await world.put(SQSQueue, "orders", { queueName: "orders" });
  await world.ready(SQSQueue, "orders");
  for (const elsewhere of [{ assumeRoleARN: ROLE }, { region: "us-east-2" }]) {
    await lead(world, elsewhere);
    await world.reason(SQSQueue, "orders", "AccountChanged");
    await world.time.until("the provider says it", async () =>
      (await provider(world))?.status?.conditions?.some(({ type }) => type === "AccountChanged"),
    );
    await lead(world, {});
    await world.ready(SQSQueue, "orders");
    await world.time.until("the provider is done with it", async () =>
      (await provider(world))?.status?.conditions?.every(({ type }) => type !== "AccountChanged"),
    );
  }
  assert.deepEqual(created(world), ["000000000000 eu-west-1"]);
});

test("what was refused where the provider led by mistake is made where it leads now, and can be deleted", async () => {
  const denied = { kind: "error", code: "AccessDenied", message: "denied by the organization", status: 403 } as const;
  await using world = await createInfraWorld({
    faults: {
      before: ({ operation, region }) => (operation === "CreateQueue" && region !== "us-east-2" ? denied : undefined),
    },
  });
  await world.put(SQSQueue, "orders", { queueName: "orders" });
  await world.put(SQSQueue, "going", { queueName: "going" });
  for (const name of ["orders", "going"]) await world.reason(SQSQueue, name, "Denied");
  await lead(world, { region: "eu-central-1" });
  await world.remove(SQSQueue, "going");
  await world.gone(SQSQueue, "going");
  await world.reason(SQSQueue, "orders", "Denied");
  await lead(world, { region: "us-east-2" });
  const made = await world.ready(SQSQueue, "orders");
  assert.equal(made.status?.region, "us-east-2");
});

test("a provider that is deleted serves the deletion of its last user, and goes after it", async () => {
  await using world = await createInfraWorld();
  await world.put(SQSQueue, "orders", { queueName: "orders" });
  await world.ready(SQSQueue, "orders");
  await world.user.for(AWSProvider).delete(PROVIDER);
  await world.time.until(
    "it is held",
    async () => (await provider(world))?.status?.usedBy?.[0] === "SQSQueue shop/orders",
  );
  await world.crash();
  await world.remove(SQSQueue, "orders");
  await world.gone(SQSQueue, "orders");
  assert.equal(world.calls({ service: "sqs", operation: "DeleteQueue" }).filter(({ code }) => code === "OK").length, 1);
  await world.time.until("the provider is gone", async () => (await provider(world)) === undefined);
});
