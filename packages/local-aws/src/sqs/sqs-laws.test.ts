import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sqsBench } from "./sqs-bench.ts";

type Step =
  | { readonly do: "send"; readonly group: string }
  | { readonly do: "receive"; readonly most: number }
  | { readonly do: "delete"; readonly which: number }
  | { readonly do: "release"; readonly which: number }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("send" as const), group: fc.constantFrom("a", "b", "c") }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("receive" as const), most: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
);

interface Held {
  readonly body: string;
  readonly handle: string;
  until: number;
}

/** Runs steps on a queue and checks each receive against a list of what there is and who has it. */
async function run(steps: readonly Step[], fifo: boolean): Promise<void> {
  let bench = sqsBench();
  const { clock, state } = bench;
  const QueueUrl = await bench.create(fifo ? "q.fifo" : "q", fifo ? { FifoQueue: "true" } : {});
  /** Bodies are `group:number` in the order in which they were sent. */
  let there: string[] = [];
  let held: Held[] = [];
  let sent = 0;
  for (const each of steps) {
    const now = clock.now();
    held = held.filter(({ until }) => until > now);
    const pick = "which" in each && held.length > 0 ? held[each.which % held.length] : undefined;
    if (each.do === "send") {
      const body = `${each.group}:${sent++}`;
      const ids = fifo ? { MessageGroupId: each.group, MessageDeduplicationId: body } : {};
      await bench.call("SendMessage", { QueueUrl, MessageBody: body, ...ids });
      there.push(body);
    } else if (each.do === "receive") {
      const closed = new Set(held.map(({ body }) => (fifo ? body.split(":")[0] : body)));
      const expected = there.filter((body) => !closed.has(fifo ? body.split(":")[0] : body)).slice(0, each.most);
      const got = await bench.receive(QueueUrl, { MaxNumberOfMessages: each.most });
      assert.deepEqual(
        got.map(({ Body }) => Body),
        expected,
      );
      held.push(
        ...got.map(({ Body = "", ReceiptHandle = "" }) => ({ body: Body, handle: ReceiptHandle, until: now + 30_000 })),
      );
    } else if (each.do === "delete" && pick) {
      await bench.call("DeleteMessage", { QueueUrl, ReceiptHandle: pick.handle });
      there = there.filter((body) => body !== pick.body);
      held = held.filter((other) => other !== pick);
    } else if (each.do === "release" && pick) {
      await bench.call("ChangeMessageVisibility", { QueueUrl, ReceiptHandle: pick.handle, VisibilityTimeout: 0 });
      pick.until = now;
    } else if (each.do === "wait") clock.advance(each.seconds * 1_000);
    else if (each.do === "restart") bench = sqsBench({ state, clock });
  }
}

test("law: a standard queue gives what is there and nobody has, whatever happened before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => run(steps, false)),
    { numRuns: 60 },
  );
});

test("law: a FIFO queue gives each group in order and to one receiver at a time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => run(steps, true)),
    { numRuns: 60 },
  );
});
