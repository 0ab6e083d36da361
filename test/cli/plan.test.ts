import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { sleep, systemClock } from "@gatewright/ports";
import { AWSProvider, SQSQueue } from "@gatewright/resources";
import { createClient, loadTransport } from "@gatewright/runtime";
import { run } from "../tools/command.ts";
import type { Outcome } from "../tools/command.ts";
import { startUpProcess } from "../tools/up-process.ts";
import type { UpProcess } from "../tools/up-process.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");
const API = "apiVersion: aws-infra-operator.runner.codes/v1alpha1";
const queue = (visibility: number): string => `${API}
kind: AWSProvider
metadata: { name: aws }
spec: { region: us-east-1 }
---
${API}
kind: SQSQueue
metadata: { name: orders }
spec:
  providerRef: { name: aws }
  queueName: shop-orders
  visibilityTimeout: ${visibility}
`;

suite("gatewright plan on a local world", () => {
  let world: UpProcess;
  before(async () => {
    world = await startUpProcess("--ephemeral");
  });
  after(() => world[Symbol.asyncDispose]());

  const plan = (stdin: string, ...flags: readonly string[]): Promise<Outcome> =>
    run(process.execPath, [MAIN, "plan", "-f", "-", ...flags], { stdin, env: { KUBECONFIG: world.kubeconfig } });

  test("what would be created is told, and the exit code says that something would change", async () => {
    const { code, stdout, stderr } = await plan(queue(60));
    assert.equal(code, 2, stderr);
    assert.match(stdout, /^\+ SQSQueue default\/orders \(shop-orders\) will be created\n/);
    assert.match(stdout, /\+ visibilityTimeout +60\n/);
    assert.match(stdout, /Plan: 1 to create\.\n$/);
    assert.ok(!stdout.includes("\u001b"), "colours are for terminals");
  });

  test("once it is there nothing would change, and a change is told field by field", async () => {
    const { transport } = await loadTransport({ env: {}, kubeconfig: world.kubeconfig });
    try {
      const client = createClient(transport, { fieldManager: "test" });
      const metadata = { namespace: "default" };
      await client.for(AWSProvider).apply({ metadata: { ...metadata, name: "aws" }, spec: { region: "us-east-1" } });
      const spec = { providerRef: { name: "aws" }, queueName: "shop-orders", visibilityTimeout: 60 };
      await client.for(SQSQueue).apply({ metadata: { ...metadata, name: "orders" }, spec });
      for (let ready = false; !ready;) {
        await sleep(systemClock, 100);
        ready = (await client.for(SQSQueue).get({ ...metadata, name: "orders" })).status?.ready === true;
      }
    } finally {
      transport.close();
    }
    const same = await plan(queue(60));
    assert.deepEqual([same.code, same.stderr], [0, ""]);
    const other = await plan(queue(90));
    assert.equal(other.code, 2);
    assert.match(other.stdout, /^~ SQSQueue default\/orders \(shop-orders\) will be changed in place\n/);
    assert.match(other.stdout, /~ visibilityTimeout  60 -> 90\n/);
    const deleted = await plan(queue(60), "--delete");
    assert.match(deleted.stdout, /deletionPolicy Delete: it goes, with its messages\./);
  });

  test("what the server refuses and what is no flag are errors, not changes", async () => {
    const refused = await plan(queue(6_000_000));
    assert.equal(refused.code, 1);
    assert.match(refused.stdout, /cannot be planned\n.*spec\.visibilityTimeout/);
    const unknown = await plan(queue(60), "--colour");
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /Usage: gatewright plan -f FILE/);
  });
});
