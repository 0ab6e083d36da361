import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTransport } from "@gatewright/runtime";
import { startUpProcess } from "../tools/up-process.ts";
import { endure } from "./endurance.ts";

test("the example loses no change though its watches are cut and the server is killed, and runs no key twice at once", async (t) => {
  await using server = await startUpProcess("--bare");
  const { transport } = await loadTransport({ kubeconfig: server.kubeconfig });
  const { cuts, runs } = await endure(transport, {
    namespace: "sites",
    objects: 200,
    changes: 6_000,
    between: (made) => (made === 3_000 ? server.restart() : Promise.resolve()),
  });
  t.diagnostic(`${cuts} watches cut, ${runs} runs`);
  assert.ok(cuts > 10, `only ${cuts} watches were cut`);
  transport.close();
});
