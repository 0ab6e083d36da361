import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { kubeconfigFor } from "@gatewright/apiserver";
import type { Listener } from "@gatewright/apiserver";
import { startLaptop } from "@gatewright/laptop";
import type { Laptop } from "@gatewright/laptop";
import { systemClock, systemRandom } from "@gatewright/ports";
import { MINORS, tools } from "../tools/layer.ts";
import { suite } from "../tools/suite.ts";
import { clientOf } from "../tools/world.ts";
import type { Client } from "../tools/world.ts";

const POD = `
apiVersion: v1
kind: Pod
metadata: { name: two }
spec:
  terminationGracePeriodSeconds: 1
  containers:
  - name: web
    image: gatewright/echo:v1
    ports: [{ containerPort: 8080 }]
  - name: restless
    image: gatewright/crash
    env: [{ name: AFTER_SECONDS, value: "1" }, { name: PORT, value: "9000" }]
`;

for (const minor of MINORS) {
  const found = tools(minor);
  suite(`kubectl ${minor} and pods that run`, "missing" in found ? found.missing : false, () => {
    const folder = mkdtempSync(join(tmpdir(), "gatewright-test-"));
    let laptop: Laptop;
    let listener: Listener;
    let client: Client;

    before(async () => {
      const cloud = { api: { port: 0 }, dns: { port: 0 } };
      laptop = await startLaptop({ clock: systemClock, random: systemRandom, log: () => {}, cloud });
      listener = await laptop.server.listen({ host: "127.0.0.1", port: 0 });
      const kubeconfig = join(folder, "kubeconfig");
      writeFileSync(kubeconfig, kubeconfigFor({ server: listener.url }));
      if (!("missing" in found)) client = clientOf({ folder, kubeconfig }, found);
      await client.ok("apply -f -", POD);
    });
    after(async () => {
      await listener.close();
      await laptop.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test("logs are of one container, in part, with times, and of the run before", async () => {
      // Restarts are told once the second run has begun.
      await client.ok("wait pod/two --for=jsonpath={.status.containerStatuses[1].restartCount}=1 --timeout=30s");
      const whole = await client.ok("logs two -c web");
      assert.deepEqual(whole.split("\n"), ["gatewright/echo:v1 starts as two/web", "listening on port 8080", ""]);
      assert.equal(await client.ok("logs two -c web --tail=1"), "listening on port 8080\n");
      assert.match(await client.ok("logs two -c web --tail=1 --timestamps"), /^\d{4}-\S+Z listening on port 8080\n$/);
      assert.equal(await client.ok("logs two -c restless --previous --tail=1"), "exits with code 1\n");
      const none = await client.kubectl("logs two -c web --previous");
      assert.notEqual(none.code, 0);
      assert.match(none.stderr, /previous terminated container "web" in pod "two" not found/);
    });

    test("a log that is followed ends with its container", async () => {
      const followed = client.kubectl("logs -f two -c web");
      await client.ok("get --raw /api/v1/namespaces/default/pods/two:8080/proxy/hello");
      await client.ok("delete pod two --wait=true");
      const { stdout, code } = await followed;
      assert.equal(code, 0);
      assert.match(stdout, /GET \/hello 200\n/);
      assert.match(stdout, /exits with code 0\n$/);
    });

    test("kubectl run, wait, get and describe show a pod as the real node does", async () => {
      await client.ok("run one --image=gatewright/echo:v3 --port=8080");
      await client.ok("wait pod/one --for=condition=Ready --timeout=30s");
      assert.match(await client.ok("get pod one --no-headers"), /^one +1\/1 +Running +0 +\S+\n$/);
      const described = await client.ok("describe pod one");
      assert.match(described, /Successfully assigned default\/one to laptop/);
      assert.match(described, /Started container one/);
      assert.match(await client.ok("get node --no-headers"), /^laptop +Ready +/);
      await client.ok("run missing --image=gatewright/echo:missing");
      await client.ok(
        "wait pod/missing --for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=ImagePullBackOff",
      );
      assert.match(await client.ok("get pod missing --no-headers"), /^missing +0\/1 +ImagePullBackOff +0 /);
      const refused = await client.kubectl("logs missing");
      assert.match(
        refused.stderr,
        /container "missing" in pod "missing" is waiting to start: trying and failing to pull image/,
      );
    });
  });
}
