import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { ManualClock } from "@gatewright/ports";
import { createKubeletWorld, is, waitsFor } from "./testing/kubelet-world.ts";

test("a pod of gatewright/echo becomes ready with two writes and answers what it is asked", async () => {
  await using world = await createKubeletWorld();
  await world.client.for(core.Secret).create({
    metadata: { namespace: "default", name: "keys" },
    stringData: { password: "hunter2" },
  });
  await world.client.for(core.ConfigMap).create({
    metadata: { namespace: "default", name: "conf" },
    data: { COLOR: "blue" },
  });
  await world.run(
    {
      containers: [
        {
          name: "web",
          image: "gatewright/echo:v2",
          ports: [{ containerPort: 8080 }, { containerPort: 9090 }],
          envFrom: [{ configMapRef: { name: "conf" } }],
          env: [
            { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "keys", key: "password" } } },
            { name: "URL", value: "http://user:$(PASSWORD)@$(POD_IP)/" },
            { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
          ],
          volumeMounts: [{ name: "conf", mountPath: "/etc/conf" }],
        },
      ],
      volumes: [{ name: "conf", configMap: { name: "conf" } }],
    },
    { name: "web" },
  );
  const pod = await world.until("it is ready", "web", (seen) => is(seen, "Ready"));
  assert.deepEqual(world.writes, ["POST web/binding", "PATCH web/status"]);
  assert.equal(pod.status?.phase, "Running");
  assert.equal(pod.status?.podIP, "10.244.0.2");
  assert.equal(pod.spec?.nodeName, "laptop");

  for (const port of [8080, 9090]) {
    const { host, port: real } = world.addressOf(pod, port);
    const text = await (await fetch(`http://${host}:${real}/some/path?x=1`, { method: "POST", body: "hello" })).text();
    assert.ok(!text.includes("hunter2"), "no value of a Secret is told, not within another variable either");
    const answer = JSON.parse(text);
    assert.equal(answer.method, "POST");
    assert.equal(answer.path, "/some/path");
    assert.equal(answer.body, "hello");
    assert.equal(answer.pod.name, "web");
    assert.equal(answer.container.version, "v2");
    assert.equal(answer.env.COLOR, "blue");
    assert.deepEqual(answer.secretEnv, ["PASSWORD", "URL"]);
    assert.deepEqual(answer.files, ["/etc/conf/COLOR"]);
    assert.equal(await (await fetch(`http://${host}:${real}/healthz`)).text(), "ok\n");
  }
  assert.deepEqual(await world.eventsOf("web"), [
    "Scheduled: Successfully assigned default/web to laptop",
    'Pulled: Container image "gatewright/echo:v2" already present on machine',
    "Created: Created container: web",
    "Started: Started container web",
  ]);
});

test("readiness follows the probe; what starts slowly is not ready before it listens", async () => {
  await using world = await createKubeletWorld();
  const probe = { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 1 };
  await world.run(
    {
      containers: [
        {
          name: "web",
          image: "gatewright/slow-start",
          ports: [{ name: "http", containerPort: 80 }],
          env: [{ name: "AFTER_SECONDS", value: "1" }],
          readinessProbe: probe,
        },
      ],
    },
    { name: "slow" },
  );
  const running = await world.until("it runs", "slow", (pod) => pod?.status?.phase === "Running");
  assert.ok(!is(running, "Ready"));
  const ready = running.status?.conditions?.find(({ type }) => type === "Ready");
  assert.equal(ready?.message, "containers with unready status: [web]");
  await world.until("it is ready", "slow", (pod) => is(pod, "Ready"));
  const events = await world.eventsOf("slow");
  assert.ok(
    events.includes(
      'Unhealthy: Readiness probe failed: Get "http://10.244.0.2:80/healthz": dial tcp 10.244.0.2:80: connect: connection refused',
    ),
    events.join("\n"),
  );
});

test("a container that fails its liveness probe is restarted; its first log stays as the previous one", async () => {
  await using world = await createKubeletWorld();
  await world.run(
    {
      terminationGracePeriodSeconds: 2,
      containers: [
        {
          name: "web",
          image: "gatewright/unhealthy",
          env: [{ name: "AFTER_SECONDS", value: "1" }],
          livenessProbe: { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 1, failureThreshold: 1 },
        },
      ],
    },
    { name: "sick" },
  );
  const pod = await world.until("it was restarted", "sick", (seen) => {
    const status = seen?.status?.containerStatuses?.[0];
    return status?.restartCount === 1 && status.state?.running !== undefined;
  });
  assert.equal(pod.status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 0);
  const events = await world.eventsOf("sick");
  assert.ok(
    events.includes("Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500"),
    events.join("\n"),
  );
  assert.ok(events.includes("Killing: Container web failed liveness probe, will be restarted"), events.join("\n"));
  const ref = { namespace: "default", name: "sick", uid: pod.metadata.uid ?? "" };
  const options = { follow: false, timestamps: false, previous: true, tailLines: 1 };
  const log = await world.kubelet.nodeAccess.logs(ref, "web", options, new AbortController().signal);
  const parts: Uint8Array[] = [];
  for await (const part of log) parts.push(part);
  assert.equal(Buffer.concat(parts).toString(), "exits with code 0\n");
});

test("other images are played, and that is said; their probes are taken as passed", async () => {
  await using world = await createKubeletWorld();
  const probe = { httpGet: { path: "/", port: 80 } };
  await world.run(
    {
      containers: [
        { name: "web", image: "nginx:1.29", readinessProbe: probe, livenessProbe: probe, startupProbe: probe },
      ],
    },
    { name: "played" },
  );
  await world.until("it is being created", "played", (pod) => waitsFor(pod) === "ContainerCreating");
  const pod = await world.until("it is ready", "played", (seen) => is(seen, "Ready"));
  const simulated = pod.status?.conditions?.find(({ type }) => type === "gatewright.dev/Simulated");
  assert.equal(simulated?.message, "nothing really runs for web (nginx:1.29)");
  assert.deepEqual(world.writes, ["POST played/binding", "PATCH played/status", "PATCH played/status"]);
  assert.ok((await world.eventsOf("played")).some((event) => event.startsWith("Simulated: ")));
  assert.throws(() => world.addressOf(pod, 80), /nothing listens/);
});

test("containers that prepare a pod run one after the other, sidecars beside the rest", async () => {
  await using world = await createKubeletWorld();
  await world.run(
    {
      restartPolicy: "Never",
      initContainers: [
        { name: "first", image: "gatewright/complete" },
        { name: "beside", image: "gatewright/echo", ports: [{ containerPort: 1000 }], restartPolicy: "Always" },
        { name: "second", image: "busybox" },
      ],
      containers: [{ name: "main", image: "gatewright/complete", env: [{ name: "AFTER_SECONDS", value: "1" }] }],
    },
    { name: "prepared" },
  );
  const preparing = await world.until("the second one runs", "prepared", (pod) => {
    return pod?.status?.initContainerStatuses?.[2]?.state?.waiting?.reason === "ContainerCreating";
  });
  assert.equal(preparing.status?.phase, "Pending");
  assert.equal(preparing.status?.initContainerStatuses?.[0]?.state?.terminated?.reason, "Completed");
  assert.equal(preparing.status?.initContainerStatuses?.[1]?.started, true);
  assert.equal(waitsFor(preparing), "PodInitializing");
  await world.until("it runs", "prepared", (pod) => is(pod, "Ready"));
  const over = await world.until(
    "it has ended, the sidecar too",
    "prepared",
    (pod) => pod?.status?.phase === "Succeeded",
  );
  assert.equal(over.status?.initContainerStatuses?.[1]?.state?.terminated?.exitCode, 0);
  const conditions = Object.fromEntries(
    (over.status?.conditions ?? []).map((c) => [c.type, `${c.status} ${c.reason ?? ""}`]),
  );
  assert.equal(conditions["Ready"], "False PodCompleted");
  assert.equal(conditions["Initialized"], "True PodCompleted");
});

test("without its ConfigMap a container is not made, and it is made once that is there", async () => {
  await using world = await createKubeletWorld({ clock: new ManualClock() });
  const env = [{ name: "A", valueFrom: { configMapKeyRef: { name: "late", key: "a" } } }];
  await world.run({ containers: [{ name: "main", image: "gatewright/echo", env }] }, { name: "waits" });
  const pod = await world.until("it waits", "waits", (seen) => waitsFor(seen) === "CreateContainerConfigError");
  assert.equal(pod.status?.containerStatuses?.[0]?.state?.waiting?.message, 'configmap "late" not found');
  assert.equal(pod.status?.phase, "Pending");
  await world.client.for(core.ConfigMap).create({ metadata: { namespace: "default", name: "late" }, data: { a: "1" } });
  await world.until("it is ready", "waits", (seen) => is(seen, "Ready"));
});

test("a readiness gate keeps a pod from being ready until somebody opens it", async () => {
  await using world = await createKubeletWorld({ clock: new ManualClock() });
  await world.run({ readinessGates: [{ conditionType: "example.com/lb" }] }, { name: "gated" });
  const closed = await world.until("its containers are ready", "gated", (pod) => is(pod, "ContainersReady"));
  const ready = closed.status?.conditions?.find(({ type }) => type === "Ready");
  assert.equal(ready?.message, 'corresponding condition of pod readiness gate "example.com/lb" does not exist.');
  const opened = { type: "example.com/lb", status: "True" };
  await world.client
    .for(core.Pod)
    .status.patch({ namespace: "default", name: "gated" }, { strategic: { status: { conditions: [opened] } } });
  await world.until("it is ready", "gated", (pod) => is(pod, "Ready"));
});
