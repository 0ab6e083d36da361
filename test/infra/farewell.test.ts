import assert from "node:assert/strict";
import { afterEach, beforeEach, suite, test } from "node:test";
import { DeleteQueueCommand, GetQueueUrlCommand, ListQueuesCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Fault } from "@gatewright/local-aws";
import { SQSQueue } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

suite("an object whose resource AWS denies", () => {
  let world: InfraWorld;
  /** What goes wrong with operations: before they are made, and when they were. */
  const before = new Map<string, Fault>();
  const after = new Map<string, Fault>();
  beforeEach(async () => {
    before.clear();
    after.clear();
    world = await createInfraWorld({
      faults: { before: ({ operation }) => before.get(operation), after: ({ operation }) => after.get(operation) },
    });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const sdk = async <T>(use: (sqs: SQSClient) => Promise<T>): Promise<T> => {
    const sqs = new SQSClient(world.sdk());
    try {
      return await use(sqs);
    } finally {
      sqs.destroy();
    }
  };
  const queues = async (): Promise<readonly string[]> =>
    (await sdk((sqs) => sqs.send(new ListQueuesCommand({})))).QueueUrls ?? [];
  const isGone = async (): Promise<boolean> => (await world.get(SQSQueue, "orders")) === undefined;
  const message = async (): Promise<string> =>
    (await world.get(SQSQueue, "orders"))?.status?.conditions?.find(({ type }) => type === "Ready")?.message ?? "";
  const wanted = () => world.put(SQSQueue, "orders", { queueName: "orders" });

  test("stays for two minutes, which it says, since somebody else may have deleted it or AWS may be behind", async () => {
    await wanted();
    await world.ready(SQSQueue, "orders");
    await sdk(async (sqs) => {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: "orders" }));
      await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    });
    await world.remove(SQSQueue, "orders");
    await world.long(110_000);
    assert.equal(
      await message(),
      "AWS says that SQSQueue orders is not there: that is believed when it was said for long enough.",
    );
    await world.long(30_000);
    assert.ok(await isGone());
  });

  test("goes at once when AWS refused to make it, which is no denial", async () => {
    before.set("CreateQueue", { kind: "deny" });
    await wanted();
    await world.reason(SQSQueue, "orders", "Denied");
    await world.remove(SQSQueue, "orders");
    await world.long(5_000);
    assert.ok(await isGone());
  });

  test("takes along what AWS made, and then denied for a minute and refused to make", async () => {
    after.set("CreateQueue", { kind: "lose reply" });
    before.set("GetQueueUrl", { kind: "error", code: "AWS.SimpleQueueService.NonExistentQueue", status: 400 });
    await wanted();
    await world.time.until("it is made", () => world.calls({ operation: "CreateQueue" }).length > 0);
    before.set("CreateQueue", { kind: "deny" });
    await world.reason(SQSQueue, "orders", "Denied");
    await world.remove(SQSQueue, "orders");
    await world.long(60_000);
    assert.ok(!(await isGone()));
    before.clear();
    await world.long(60_000);
    assert.ok(await isGone());
    assert.deepEqual(await queues(), []);
  });
});
