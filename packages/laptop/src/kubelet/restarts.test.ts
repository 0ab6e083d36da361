import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTime } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { ManualClock } from "@gatewright/ports";
import { createKubeletWorld, is, waitsFor } from "./testing/kubelet-world.ts";

test("a container that crashes is restarted after 10, 20, 40 seconds, up to five minutes", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock });
  const env = [{ name: "AFTER_SECONDS", value: "2" }];
  await world.run({ containers: [{ name: "main", image: "gatewright/fail", env }] }, { name: "crashes" });
  const waits: string[] = [];
  for (let restart = 1; restart <= 8; restart++) {
    const pod = await world.until(`it was restarted ${restart} times`, "crashes", (seen) => {
      const status = seen?.status?.containerStatuses?.[0];
      const message = status?.state?.waiting?.message;
      if (message !== undefined && waits.at(-1) !== message) waits.push(message);
      return status?.restartCount === restart && status.state?.running !== undefined;
    });
    assert.equal(pod.status?.phase, "Running", "a pod that is restarted has not failed");
    const { lastState, state } = pod.status?.containerStatuses?.[0] ?? {};
    assert.equal(lastState?.terminated?.exitCode, 1);
    const idle =
      (parseTime(state?.running?.startedAt ?? "") ?? 0) - (parseTime(lastState?.terminated?.finishedAt ?? "") ?? 0);
    const expected = restart === 1 ? 0 : Math.min(300, 10 * 2 ** (restart - 2));
    assert.ok(idle >= expected * 1000 && idle <= expected * 1000 + 2000, `restart ${restart} came after ${idle} ms`);
  }
  assert.deepEqual(
    waits.map((message) => message.split(" ")[1]),
    ["10s", "20s", "40s", "1m20s", "2m40s", "5m0s", "5m0s"].filter((text, i, all) => text !== all[i - 1]),
  );
  const events = await world.eventsOf("crashes");
  assert.ok(
    events.some((event) =>
      event.startsWith("BackOff: Back-off restarting failed container main in pod crashes_default("),
    ),
  );
});

test("a pod that must not be restarted fails, and one that may is restarted only after failures", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock });
  await world.run(
    { restartPolicy: "Never", containers: [{ name: "main", image: "gatewright/fail" }] },
    { name: "never" },
  );
  const failed = await world.until("it has failed", "never", (pod) => pod?.status?.phase === "Failed");
  assert.equal(failed.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 1);
  assert.equal(failed.status?.conditions?.find(({ type }) => type === "Ready")?.reason, "PodFailed");
  await world.run(
    { restartPolicy: "OnFailure", containers: [{ name: "main", image: "gatewright/complete" }] },
    { name: "ok" },
  );
  const succeeded = await world.until("it has succeeded", "ok", (pod) => pod?.status?.phase === "Succeeded");
  assert.equal(succeeded.status?.containerStatuses?.[0]?.restartCount, 0);
  await world.run(
    { restartPolicy: "OnFailure", containers: [{ name: "main", image: "gatewright/fail" }] },
    { name: "retried" },
  );
  await world.until("it waits to be tried again", "retried", (pod) => waitsFor(pod) === "CrashLoopBackOff");
});

test("an image that is not there is shown as such, then as waited for, and tried again", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock });
  await world.run({ containers: [{ name: "main", image: "registry.example/app:missing" }] }, { name: "missing" });
  const failed = await world.until("the pull fails", "missing", (pod) => waitsFor(pod) === "ErrImagePull");
  const message = failed.status?.containerStatuses?.[0]?.state?.waiting?.message ?? "";
  assert.match(message, /^rpc error: code = NotFound desc = .* registry\.example\/app:missing: not found$/);
  assert.equal(failed.status?.phase, "Pending");
  await world.until("it waits", "missing", (pod) => waitsFor(pod) === "ImagePullBackOff");
  await world.until("it is tried again", "missing", (pod) => waitsFor(pod) === "ErrImagePull");

  await world.run({ containers: [{ name: "main", image: "gatewright/nothing" }] }, { name: "unknown" });
  await world.until("there is no such image", "unknown", (pod) => waitsFor(pod) === "ImagePullBackOff");
  await world.run({ containers: [{ name: "main", image: "Not A:Name" }] }, { name: "malformed" });
  await world.until("it is no name", "malformed", (pod) => waitsFor(pod) === "InvalidImageName");
});

test("when the process of the node is gone, its containers are started again and that is counted", async () => {
  await using world = await createKubeletWorld();
  await world.run({}, { name: "always" });
  await world.run({ restartPolicy: "Never" }, { name: "never" });
  const before = await world.until("it is ready", "always", (pod) => is(pod, "Ready"));
  await world.until("it is ready", "never", (pod) => is(pod, "Ready"));
  await world.stopNode();
  assert.throws(() => world.addressOf(before, 8080), /nothing listens/);
  world.startNode();
  const after = await world.until(
    "it was restarted",
    "always",
    (pod) => pod?.status?.containerStatuses?.[0]?.restartCount === 1,
  );
  const { lastState } = after.status?.containerStatuses?.[0] ?? {};
  assert.deepEqual([lastState?.terminated?.exitCode, lastState?.terminated?.reason], [255, "Unknown"]);
  assert.equal(after.status?.podIP, before.status?.podIP);
  const { host, port } = world.addressOf(after, 8080);
  assert.equal((await fetch(`http://${host}:${port}/healthz`)).status, 200);
  await world.until("it has failed", "never", (pod) => pod?.status?.phase === "Failed");
  await world.run({}, { name: "new" });
  const fresh = await world.until("it is ready", "new", (pod) => is(pod, "Ready"));
  assert.notEqual(fresh.status?.podIP, after.status?.podIP);
  assert.ok((await world.eventsOf("always")).some((event) => event.startsWith("SandboxChanged: ")));
});

test("a pod that was deleted while nobody ran it goes when the node is back", async () => {
  await using world = await createKubeletWorld();
  await world.run({}, { name: "gone" });
  await world.until("it is ready", "gone", (pod) => is(pod, "Ready"));
  await world.stopNode();
  await world.client.for(core.Pod).delete({ namespace: "default", name: "gone" });
  assert.ok((await world.get("gone")) !== undefined);
  world.startNode();
  await world.until("it is gone", "gone", (pod) => pod === undefined);
});

test("a pod that runs longer than it may fails for that reason", async () => {
  const clock = new ManualClock();
  await using world = await createKubeletWorld({ clock });
  await world.run({ activeDeadlineSeconds: 30, containers: [{ name: "main", image: "nginx" }] }, { name: "long" });
  await world.until("it is ready", "long", (pod) => is(pod, "Ready"));
  const over = await world.until("it has failed", "long", (pod) => pod?.status?.phase === "Failed");
  assert.equal(over.status?.reason, "DeadlineExceeded");
});
