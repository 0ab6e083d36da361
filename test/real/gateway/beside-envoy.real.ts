import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { certificates } from "../../../bench/gateway/certificates.ts";
import { measure, startAll } from "../../../bench/gateway/measure.ts";
import { envoyKind, proxyKinds, startBackend } from "../../../bench/gateway/proxies.ts";
import { SCENARIOS } from "../../../bench/gateway/scenario.ts";
import { has } from "../../../bench/gateway/tools.ts";
import { withHome } from "../../../bench/served.ts";
import { envoyPart } from "../../../testbed/index.ts";
import { suite } from "../../tools/suite.ts";
import { realPart } from "../part.ts";

/** Long enough to see that they answer: figures to rely on come from `npm run bench -- gateway`. */
const PACE = { seconds: 1, rounds: 1 };

// Nothing is started that nobody would stop.
const envoy = has("wrk") ? await realPart(envoyPart) : { missing: "wrk is not installed (Debian: wrk)" };

suite("our gateway beside Envoy", "missing" in envoy ? envoy.missing : false, () => {
  if ("missing" in envoy) return;
  after(() => envoy[Symbol.asyncDispose]());
  const kinds = [...proxyKinds().filter(({ name }) => name === "ours"), envoyKind(envoy.facts["binary"])];

  // Calls of gRPC need more programs; the bench has them.
  for (const scenario of SCENARIOS.filter(({ grpc }) => !grpc)) {
    test(`${scenario.name}: both answer everything`, () =>
      withHome(async (home) => {
        const folder = join(home, "proxies");
        mkdirSync(folder);
        const backend = await startBackend(home);
        const where = { folder, backendPort: backend.port, ...(await certificates(home)) };
        const proxies = await startAll(kinds, scenario, where);
        try {
          const loads = await measure(scenario, proxies, folder, PACE);
          for (const [name, [load]] of loads) {
            assert.ok(load !== undefined && load.perSecond > 0, `${name} answers`);
            assert.equal(load.errors, 0, `errors of ${name}`);
          }
        } finally {
          for (const proxy of proxies) await proxy.stop();
          await backend.stop();
        }
      }));
  }
});
