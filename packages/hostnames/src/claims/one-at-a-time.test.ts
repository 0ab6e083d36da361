import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAtATime } from "./one-at-a-time.ts";

test("work with the same lock takes turns, also after work that failed", async () => {
  const alone = oneAtATime();
  const order: string[] = [];
  const work =
    (name: string, fails = false) =>
    async (): Promise<string> => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const first = assert.rejects(alone("x", work("a", true)));
  assert.equal(await alone("x", work("b")), "b");
  await first;
  assert.deepEqual(order, ["a begins", "a ends", "b begins", "b ends"]);
});
