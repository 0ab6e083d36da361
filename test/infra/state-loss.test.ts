import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { SQSQueue } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

suite("AWS resources whose objects were lost", () => {
  let world: InfraWorld;
  before(async () => (world = await createInfraWorld()));
  after(() => world[Symbol.asyncDispose]());
  const creations = (): number => world.calls({ service: "sqs", operation: "CreateQueue" }).length;
  const ref = { namespace: "shop", name: "orders" };

  test("an operator that finds no status finds the queue, and makes none", async () => {
    await world.put(SQSQueue, "orders", { queueName: "orders", visibilityTimeout: 60 });
    const { status } = await world.ready(SQSQueue, "orders");
    const made = creations();
    await world.crash(async () => {
      await world.user.for(SQSQueue).status.patch(ref, { merge: { status: null } });
    });
    const again = await world.ready(SQSQueue, "orders");
    assert.equal(again.status?.queueARN, status?.queueARN);
    assert.equal(creations(), made);
  });

  test("an object that is restored from a backup is another one: it says so, and takes its queue back when it may", async () => {
    const made = creations();
    await world.crash(async () => {
      await world.user.for(SQSQueue).patch(ref, { merge: { metadata: { finalizers: null } } });
      await world.user.for(SQSQueue).delete(ref);
    });
    await world.put(SQSQueue, "orders", { queueName: "orders", visibilityTimeout: 60 });
    const refused = await world.reason(SQSQueue, "orders", "Conflict");
    const { message } = refused.status?.conditions?.find(({ type }) => type === "Ready") ?? {};
    assert.match(
      message ?? "",
      /belongs to shop\/orders of cluster test\. It is taken over only with management\.adopt/u,
    );
    await world.put(SQSQueue, "orders", {
      queueName: "orders",
      visibilityTimeout: 60,
      management: { adopt: { byName: true } },
    });
    await world.ready(SQSQueue, "orders");
    assert.equal(creations(), made);
  });
});
