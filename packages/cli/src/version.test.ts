import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const MAIN = join(import.meta.dirname, "main.cjs");

test("the client's version is told though no server is there, and the exit code says so", async () => {
  const run = promisify(execFile);
  const env = { ...process.env, KUBECONFIG: "/there/is/none" };
  const { stdout } = await run(process.execPath, [MAIN, "version", "--client"], { env });
  assert.match(stdout, /^gatewright \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/u);
  assert.equal((await run(process.execPath, [MAIN, "--version"], { env })).stdout, stdout);
  await assert.rejects(
    run(process.execPath, [MAIN, "version", "-o", "json"], { env }),
    (error: { readonly code: number; readonly stdout: string }) => {
      const { client, server } = JSON.parse(error.stdout) as { client: object; server: { problem: string } };
      assert.deepEqual(Object.keys(client), ["version", "node"]);
      assert.match(server.problem, /is not there/u);
      return error.code === 3;
    },
  );
});
