import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

function manifests(...args: readonly string[]): Promise<{ readonly stdout: string }> {
  const command = [join(ROOT, "packages/cli/src/main.cjs"), "manifests", ...args];
  return run(process.execPath, command, { maxBuffer: 8 * 1024 * 1024 });
}

const objectsIn = (text: string): readonly unknown[] => parseAllDocuments(text).map((each) => each.toJS() as unknown);
const ofRepository = async (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");

test("what is printed is what is in config", async () => {
  const { stdout } = await manifests("--only", "rbac,webhook");
  const expected = [
    ...objectsIn(await ofRepository("config/rbac/gatewright.yaml")),
    ...objectsIn(await ofRepository("config/webhook/routing.yaml")),
  ];
  const printed = objectsIn(stdout);
  for (const object of expected) assert.ok(printed.some((each) => JSON.stringify(each) === JSON.stringify(object)));
  const policy = await manifests("--only", "iam", "--cluster-name", "default");
  assert.equal(policy.stdout, await ofRepository("config/iam/gatewright.json"));
});

test("all of it, for the parts chosen, in an order in which it can be applied", async () => {
  const { stdout } = await manifests("--parts", "hostnames", "-n", "ops", "-o", "json");
  const { items } = JSON.parse(stdout) as { items: readonly { kind: string; metadata: { name: string } }[] };
  const kinds = items.map(({ kind }) => kind);
  const inOrder = [...new Set(kinds)];
  assert.deepEqual(inOrder.slice(0, 3), ["Namespace", "CustomResourceDefinition", "ServiceAccount"]);
  assert.ok(inOrder.includes("ValidatingAdmissionPolicyBinding"));
  assert.ok(!kinds.includes("ValidatingWebhookConfiguration"));
  assert.equal(items[0]?.metadata.name, "ops");
});
