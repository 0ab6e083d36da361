import assert from "node:assert/strict";
import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { applyApplication, ask, laptopWorld, publish, until, untilReady, versionOf } from "./laptop-world.ts";
import type { LaptopWorld } from "./laptop-world.ts";

const HOST = "shop.example.com";
const CLIENTS = 4;

/** What clients saw that asked all the time, on connections that they keep. */
interface Seen {
  readonly answers: Map<string, number>;
  readonly failures: string[];
}

/** Asks without a pause until the signal aborts. */
async function constantly({ laptop }: LaptopWorld, seen: Seen, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const client = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const answer = await ask(laptop, HOST, agent);
        const version = versionOf(answer);
        if (version === undefined) seen.failures.push(`${answer.status} ${answer.body.slice(0, 200)}`);
        else seen.answers.set(version, (seen.answers.get(version) ?? 0) + 1);
      } catch (error) {
        seen.failures.push(String(error));
      }
      await pause(2);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
}

/** Has clients ask all the time while the work is done, and a little longer. */
async function underLoad(world: LaptopWorld, work: () => Promise<void>): Promise<Seen> {
  const seen: Seen = { answers: new Map(), failures: [] };
  const stop = new AbortController();
  const asking = constantly(world, seen, stop.signal);
  try {
    await work();
    await pause(200);
  } finally {
    stop.abort();
    await asking;
  }
  return seen;
}

test("an Application answers through a Gateway; a rolling update under load loses no request, Recreate has its gap", async () => {
  await using world = await laptopWorld();
  const { client, laptop } = world;
  await applyApplication(client, { name: "web", version: "v1" });
  await publish(client, HOST, "web");
  await untilReady(client, "web");
  await until("requests are answered", async () => versionOf(await ask(laptop, HOST)) === "v1");

  const roll = async (version: string, strategy: "RollingUpdate" | "Recreate"): Promise<void> => {
    await applyApplication(client, { name: "web", version, strategy });
    await untilReady(client, "web");
    await until(`all answers are of ${version}`, async () => {
      for (let n = 0; n < 6; n++) if (versionOf(await ask(laptop, HOST)) !== version) return false;
      return true;
    });
  };
  const rolled = await underLoad(world, () => roll("v2", "RollingUpdate"));
  assert.deepEqual(rolled.failures, []);
  assert.ok((rolled.answers.get("v1") ?? 0) > 0, "the update was under load");
  assert.ok((rolled.answers.get("v2") ?? 0) > 0, "the new version answered");

  const recreated = await underLoad(world, () => roll("v3", "Recreate"));
  assert.ok(recreated.failures.length > 0, "nothing can answer between the last pod of old and the first of new");
  assert.ok((recreated.answers.get("v3") ?? 0) > 0);
  assert.deepEqual(world.faults, []);
});
