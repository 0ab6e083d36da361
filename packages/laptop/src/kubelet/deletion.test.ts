import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { ManualClock } from "@gatewright/ports";
import type { Address } from "../network/cluster-network.ts";
import { createKubeletWorld, is } from "./testing/kubelet-world.ts";

const ref = (name: string) => ({ namespace: "default", name });

function ask({ host, port }: Address, path: string, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host, port, path, ...(agent !== undefined && { agent }) }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    })
      .on("error", reject)
      .end();
  });
}

test("a pod that is deleted serves those who ask, until nobody does, and then goes", async () => {
  await using world = await createKubeletWorld();
  await world.run({ terminationGracePeriodSeconds: 20 }, { name: "web" });
  const pod = await world.until("it is ready", "web", (seen) => is(seen, "Ready"));
  const address = world.addressOf(pod, 8080);
  const agent = new Agent({ keepAlive: true });
  const slow = ask(address, "/?delayMs=1500");
  await world.client.for(core.Pod).delete(ref("web"));
  let answered = 0;
  for (let i = 0; i < 20; i++) {
    assert.equal(await ask(address, "/", agent), 200);
    answered++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(is(await world.get("web"), "Ready"), "it serves, so it is still ready");
  assert.equal(await slow, 200, "a request that was under way ends well");
  await world.until("it is gone", "web", (seen) => seen === undefined);
  await assert.rejects(ask(address, "/"));
  agent.destroy();
  assert.equal(answered, 20);
  assert.deepEqual(world.writes, ["POST web/binding", "PATCH web/status", "PATCH web/status", "DELETE web"]);
  assert.ok((await world.eventsOf("web")).includes("Killing: Stopping container main"));
});

test("a request that takes longer than the grace period is cut", async () => {
  await using world = await createKubeletWorld();
  await world.run({ terminationGracePeriodSeconds: 2 }, { name: "web" });
  const pod = await world.until("it is ready", "web", (seen) => is(seen, "Ready"));
  const slow = assert.rejects(ask(world.addressOf(pod, 8080), "/?delayMs=30000"));
  await world.client.for(core.Pod).delete(ref("web"));
  await slow;
  await world.until("it is gone", "web", (seen) => seen === undefined);
});

test("the hook before the stop takes its time, and nothing is asked to end meanwhile", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock });
  const lifecycle = { preStop: { sleep: { seconds: 12 } } };
  await world.run({ containers: [{ name: "main", image: "nginx", lifecycle }] }, { name: "hooked" });
  await world.until("it is ready", "hooked", (pod) => is(pod, "Ready"));
  const deletedAt = clock.now();
  await world.client.for(core.Pod).delete(ref("hooked"));
  await world.until("it is gone", "hooked", (pod) => pod === undefined);
  const took = clock.now() - deletedAt;
  assert.ok(took >= 12_000 && took < 20_000, `it took ${took} ms`);
});

test("a second deletion with less time is heard", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock });
  const lifecycle = { preStop: { sleep: { seconds: 600 } } };
  await world.run(
    { terminationGracePeriodSeconds: 900, containers: [{ name: "main", image: "nginx", lifecycle }] },
    { name: "slow" },
  );
  await world.until("it is ready", "slow", (pod) => is(pod, "Ready"));
  await world.client.for(core.Pod).delete(ref("slow"));
  await world.client.for(core.Pod).delete(ref("slow"), { gracePeriodSeconds: 5 });
  const from = clock.now();
  await world.until("it is gone", "slow", (pod) => pod === undefined);
  assert.ok(clock.now() - from < 10_000);
});

test("a pod that is deleted by force is killed, and one of its name can follow at once", async () => {
  await using world = await createKubeletWorld();
  await world.run({}, { name: "web" });
  const first = await world.until("it is ready", "web", (pod) => is(pod, "Ready"));
  const old = world.addressOf(first, 8080);
  await world.client.for(core.Pod).delete(ref("web"), { gracePeriodSeconds: 0 });
  await world.run({}, { name: "web" });
  const second = await world.until("the new one is ready", "web", (pod) => is(pod, "Ready"));
  assert.notEqual(second.metadata.uid, first.metadata.uid);
  await world.settle("the old one is gone", async () => {
    try {
      await ask(old, "/healthz");
      return false;
    } catch {
      return true;
    }
  });
  assert.equal(await ask(world.addressOf(second, 8080), "/healthz"), 200);
});

test("a finalizer holds a pod that has ended, and its last state is told", async () => {
  await using world = await createKubeletWorld();
  await world.run({ terminationGracePeriodSeconds: 3 }, { name: "held", finalizers: ["example.com/held"] });
  await world.until("it is ready", "held", (pod) => is(pod, "Ready"));
  await world.client.for(core.Pod).delete(ref("held"));
  const ended = await world.until("it has ended", "held", (pod) => pod?.status?.phase === "Succeeded");
  assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 0);
  await world.until("the kubelet lets it go", "held", (pod) => pod?.metadata.deletionGracePeriodSeconds === 0);
  await world.client.for(core.Pod).patch(ref("held"), { merge: { metadata: { finalizers: null } } });
  await world.until("it is gone", "held", (pod) => pod === undefined);
});
