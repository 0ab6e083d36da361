import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

/** Ends with code 7 once it has waited: a process that ends while it waits has code 13. */
const PROGRAM = `
  import { sleep, systemClock } from "@gatewright/ports";
  import { runOperator } from ${JSON.stringify(new URL("run-operator.ts", import.meta.url).href)};
  await runOperator({ name: "test" }, () => sleep(systemClock, 50).then(() => process.exit(7)), new AbortController().signal);
`;

const KUBECONFIG = new URL("testing/no-server.kubeconfig", import.meta.url);

test("an operator that waits for its API server and for nothing else does not end", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
    cwd: import.meta.dirname,
    env: { ...process.env, KUBECONFIG: KUBECONFIG.pathname },
    stdio: "ignore",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  assert.equal(code, 7);
});
