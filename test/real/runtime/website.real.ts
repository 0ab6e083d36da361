import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTransport } from "@gatewright/runtime";
import { upKube } from "../../../testbed/index.ts";
import { endure } from "../../runtime/endurance.ts";
import { suite } from "../../tools/suite.ts";
import { realKube } from "../kube.ts";

const shared = realKube();

/** Before a release: `GATEWRIGHT_CHANGES=100000`. */
const CHANGES = Number(process.env["GATEWRIGHT_CHANGES"] ?? 10_000);
const TIMEOUT_MS = 20 * 60_000;

suite("the example controller on a real server", "missing" in shared ? shared.missing : false, () => {
  test(
    `it loses none of ${CHANGES} changes though watches are cut and the server is killed, and runs no key twice at once`,
    { timeout: TIMEOUT_MS },
    async (t) => {
      // One of its own, since it is killed.
      await using kube = await upKube({ nodes: false, gatewayApi: false });
      const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
      const { cuts, runs } = await endure(transport, {
        namespace: "sites",
        objects: 100,
        changes: CHANGES,
        between: (made) => (made === Math.round(CHANGES / 2000) * 1000 ? kube.restartServer() : Promise.resolve()),
      });
      t.diagnostic(`${cuts} watches cut, ${runs} runs`);
      assert.ok(cuts > 10, `only ${cuts} watches were cut`);
      transport.close();
    },
  );
});
