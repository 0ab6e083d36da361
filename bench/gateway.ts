import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { print } from "./figure.ts";
import { startOnAllCores } from "./gateway/all-cores.ts";
import { certificates } from "./gateway/certificates.ts";
import { measure, measureSteady, startAll } from "./gateway/measure.ts";
import { proxyKinds, startBackend, startGreeter } from "./gateway/proxies.ts";
import type { Proxy } from "./gateway/proxies.ts";
import { ALL_CORES, SCENARIOS } from "./gateway/scenario.ts";
import type { Scenario } from "./gateway/scenario.ts";
import { has } from "./gateway/tools.ts";
import { withHome } from "./served.ts";

/*
 * Our gateway beside nginx, HAProxy, Envoy and proxies on Node: one core each, the same backend and the same load on another core, all
 * in one run, taking turns; then our gateway on all cores. BENCH_SECONDS is how long a round takes, BENCH_ROUNDS how many there are,
 * BENCH_NPM=1 fetches the proxies of npm.
 */
const PACE = { seconds: Number(process.env["BENCH_SECONDS"] ?? 5), rounds: Number(process.env["BENCH_ROUNDS"] ?? 5) };

function machine(): string {
  const model = /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "an unknown processor";
  return `${model}, load ${readFileSync("/proc/loadavg", "utf8").split(" ")[0]}, Node ${process.version}`;
}

/** What keeps a scenario from being measured. */
function obstacle({ grpc }: Scenario): string | undefined {
  if (grpc && !has("h2load")) return "h2load is not installed (Debian: nghttp2-client)";
  return grpc && !has("nginx") ? "its backend is nginx, which is not installed" : undefined;
}

if (!has("wrk")) print("gateway", "skipped: wrk is not installed (Debian: wrk)");
else {
  print("machine", machine());
  await withHome(async (home) => {
    const backend = await startBackend(home);
    const greeter = await startGreeter(home);
    const files = await certificates(home);
    const kinds = proxyKinds();
    const isFast = ({ name }: Proxy): boolean => kinds.some((kind) => kind.name === name && kind.onNode !== true);
    for (const scenario of [...SCENARIOS, ALL_CORES]) {
      const problem = obstacle(scenario);
      if (problem !== undefined) {
        print(scenario.name, `skipped: ${problem}`);
        continue;
      }
      const folder = join(home, scenario.name.replaceAll(/\W+/g, "-"));
      mkdirSync(folder);
      const backendPort = (scenario.grpc ? greeter?.port : undefined) ?? backend.port;
      const where = { folder, backendPort, ...files };
      const proxies =
        scenario === ALL_CORES ? await startOnAllCores(scenario, where) : await startAll(kinds, scenario, where);
      try {
        const loads = await measure(scenario, proxies, folder, PACE);
        if (scenario.routes === 1 && !scenario.grpc && scenario !== ALL_CORES)
          await measureSteady(scenario, proxies.filter(isFast), loads, PACE);
      } finally {
        for (const proxy of proxies) await proxy.stop();
      }
    }
    await greeter?.stop();
    await backend.stop();
  });
}
