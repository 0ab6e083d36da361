import assert from "node:assert/strict";
import { test } from "node:test";
import type { core } from "@gatewright/kube/api";
import type { ConfigSource } from "./config-source.ts";
import { environmentOf } from "./environment.ts";
import { expand } from "./expand.ts";
import { volumeFiles } from "./volume-files.ts";

const where = {
  podIP: "10.244.0.9",
  hostIP: "192.168.244.2",
  nodeName: "laptop",
  allocatable: { cpu: "64", memory: "256Gi" },
};
const data = (entries: Record<string, string>) =>
  new Map(Object.entries(entries).map(([key, text]) => [key, Buffer.from(text)] as const));
const source: ConfigSource = {
  configMap: async (name) => (name === "conf" ? data({ a: "1", "b.txt": "two" }) : undefined),
  secret: async (name) => (name === "keys" ? data({ token: "s3cret" }) : undefined),
};
const base: core.Container = { name: "main", image: "i" };
const pod: core.Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "ns", uid: "u", labels: { app: "web" } },
  spec: { containers: [base] },
};
const values = async (container: Partial<core.Container>) =>
  Object.fromEntries((await environmentOf(pod, { ...base, ...container }, where, source)).values);

test("variables come from literals, config, secrets and the pod itself, in the order of the real kubelet", async () => {
  const env = [
    { name: "a", value: "own $(APP)" },
    { name: "APP", valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
    { name: "LATE", value: "$(APP) $$(APP) $(NOBODY)" },
    { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
    { name: "CPU", valueFrom: { resourceFieldRef: { resource: "requests.cpu", divisor: "1m" } } },
    { name: "MEMORY", valueFrom: { resourceFieldRef: { resource: "limits.memory", divisor: "1Gi" } } },
  ];
  const resources = { requests: { cpu: "250m" } };
  assert.deepEqual(await values({ env, envFrom: [{ configMapRef: { name: "conf" }, prefix: "" }], resources }), {
    HOSTNAME: "p",
    a: "own $(APP)",
    "b.txt": "two",
    APP: "web",
    LATE: "web $(APP) $(NOBODY)",
    IP: "10.244.0.9",
    CPU: "250",
    MEMORY: "256",
  });
});

test("what holds a part of a Secret counts as secret", async () => {
  const env = [
    { name: "TOKEN", valueFrom: { secretKeyRef: { name: "keys", key: "token" } } },
    { name: "URL", value: "https://$(TOKEN)@host" },
    { name: "PLAIN", value: "https://host" },
  ];
  const made = await environmentOf(pod, { ...base, env }, where, source);
  assert.deepEqual([...made.secret], ["TOKEN", "URL"]);
});

test("what is missing is told in the words of the real kubelet, unless it is optional", async () => {
  const cases: readonly [core.EnvVarSource, string][] = [
    [{ configMapKeyRef: { name: "gone", key: "a" } }, 'configmap "gone" not found'],
    [{ secretKeyRef: { name: "gone", key: "a" } }, 'secret "gone" not found'],
    [{ configMapKeyRef: { name: "conf", key: "z" } }, "couldn't find key z in ConfigMap ns/conf"],
    [{ secretKeyRef: { name: "keys", key: "z" } }, "couldn't find key z in Secret ns/keys"],
  ];
  for (const [valueFrom, message] of cases) {
    await assert.rejects(values({ env: [{ name: "X", valueFrom }] }), { message, code: "CreateContainerConfigError" });
  }
  assert.deepEqual(
    await values({
      env: [{ name: "X", valueFrom: { configMapKeyRef: { name: "gone", key: "a", optional: true } } }],
      envFrom: [{ secretRef: { name: "gone", optional: true } }],
    }),
    { HOSTNAME: "p" },
  );
});

test("a dollar sign that begins nothing stays one", () => {
  const known = (name: string): string | undefined => (name === "A" ? "1" : undefined);
  for (const [text, expected] of [
    ["$(A)", "1"],
    ["$$(A)", "$(A)"],
    ["$$$(A)", "$1"],
    ["$A", "$A"],
    ["$(B)", "$(B)"],
    ["$(A", "$(A"],
    ["100$", "100$"],
  ]) {
    assert.equal(expand(text ?? "", known).text, expected, text);
  }
});

test("files of volumes are where they are mounted", async () => {
  const volumes: core.Volume[] = [
    { name: "conf", configMap: { name: "conf", items: [{ key: "b.txt", path: "sub/b" }] } },
    { name: "all", projected: { sources: [{ secret: { name: "keys" } }, { configMap: { name: "conf" } }] } },
    { name: "down", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
    { name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
    { name: "empty", emptyDir: {} },
  ];
  const mounts = [
    { name: "conf", mountPath: "/etc/conf/" },
    { name: "all", mountPath: "/all" },
    { name: "all", mountPath: "/one/file", subPath: "a" },
    { name: "down", mountPath: "/down" },
    { name: "token", mountPath: "/var/run/secrets" },
    { name: "empty", mountPath: "/tmp" },
  ];
  const mounted = { ...pod, spec: { containers: [base], volumes } };
  const files = await volumeFiles(mounted, { ...base, volumeMounts: mounts }, where, source);
  const shown = [...files].map(
    ([path, file]) => `${path} ${Buffer.from(file.data).toString()}${file.secret ? " (secret)" : ""}`,
  );
  assert.deepEqual(shown, [
    "/etc/conf/sub/b two",
    "/all/token s3cret (secret)",
    "/all/a 1",
    "/all/b.txt two",
    "/one/file 1",
    '/down/labels app="web"',
  ]);
  const gone = { ...pod, spec: { containers: [base], volumes: [{ name: "conf", configMap: { name: "gone" } }] } };
  await assert.rejects(volumeFiles(gone, { ...base, volumeMounts: mounts }, where, source), {
    code: "FailedMount",
    message: 'MountVolume.SetUp failed for volume "conf" : configmap "gone" not found',
  });
});
