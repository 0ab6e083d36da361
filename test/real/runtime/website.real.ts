import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTransport } from "@gatewright/runtime";
import { upKube } from "../../../testbed/index.ts";
import { endure } from "../../runtime/endurance.ts";
import { suite } from "../../tools/suite.ts";
import { realKube } from "../kube.ts";

const shared = realKube();

suite("the example controller on a real server", "missing" in shared ? shared.missing : false, () => {
  test("it loses none of 100,000 changes though watches are cut and the server is killed, and runs no key twice at once", async (t) => {
    // One of its own, since it is killed.
    await using kube = await upKube({ nodes: false, gatewayApi: false });
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    const { cuts, runs } = await endure(transport, {
      namespace: "sites",
      objects: 100,
      changes: 100_000,
      between: (made) => (made === 50_000 ? kube.restartServer() : Promise.resolve()),
    });
    t.diagnostic(`${cuts} watches cut, ${runs} runs`);
    assert.ok(cuts > 100, `only ${cuts} watches were cut`);
    transport.close();
  });
});
