import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "@gatewright/certificates";
import { systemClock, systemRandom } from "@gatewright/ports";
import { print } from "./figure.ts";
import type { Where } from "./gateway/configs.ts";
import { fullLoad, steadyLoad } from "./gateway/loads.ts";
import type { FullLoad } from "./gateway/loads.ts";
import { proxyKinds, startBackend } from "./gateway/proxies.ts";
import type { Proxy, ProxyKind } from "./gateway/proxies.ts";
import { SCENARIOS, wrkScript } from "./gateway/scenario.ts";
import type { Scenario } from "./gateway/scenario.ts";
import { has } from "./gateway/tools.ts";
import { median } from "./load.ts";
import { withHome } from "./served.ts";

/*
 * Our gateway beside nginx, HAProxy and a proxy on node:http: one core each, the same backend and the same load on another core, all
 * in one run, taking turns. BENCH_SECONDS is how long a round takes, BENCH_ROUNDS how many there are.
 */
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 5);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const DAY = 86_400_000;

/** The middle of what several rounds gave. */
function middle(rounds: readonly FullLoad[], of: (round: FullLoad) => number): number {
  return median(rounds.map(of));
}

async function start(kinds: readonly ProxyKind[], scenario: Scenario, where: Where): Promise<Proxy[]> {
  const proxies: Proxy[] = [];
  for (const kind of kinds) {
    if (kind.missing === undefined) proxies.push(await kind.start(scenario, where));
    else print(`${scenario.name}: ${kind.name}`, `skipped: ${kind.missing}`);
  }
  return proxies;
}

async function measure(scenario: Scenario, proxies: readonly Proxy[], folder: string): Promise<void> {
  const script = join(folder, "requests.lua");
  writeFileSync(script, wrkScript(scenario));
  // What compiles itself as it runs has compiled itself by then.
  for (const proxy of proxies) await fullLoad(proxy, scenario, script, SECONDS);
  const rounds = new Map(proxies.map(({ name }) => [name, [] as FullLoad[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const proxy of proxies) rounds.get(proxy.name)?.push(await fullLoad(proxy, scenario, script, SECONDS));
  }
  const ours = rounds.get("ours") ?? [];
  const oursPerSecond = middle(ours, ({ perSecond }) => perSecond);
  const slowest = Math.min(
    ...[...rounds].filter(([name]) => name !== "node:http").map(([, each]) => middle(each, (one) => one.perSecond)),
  );
  for (const proxy of proxies) {
    const each = rounds.get(proxy.name) ?? [];
    const perSecond = middle(each, (one) => one.perSecond);
    const figures = [
      `${perSecond.toFixed(0)}/s`,
      `${middle(each, (one) => one.microseconds).toFixed(1)} us of its core`,
      `p50 ${middle(each, (one) => one.p50Ms).toFixed(2)} ms`,
      `p99 ${middle(each, (one) => one.p99Ms).toFixed(2)} ms`,
      `${middle(each, (one) => one.residentMb).toFixed(0)} MB`,
      ...(proxy.name === "ours" ? [] : [`ours / it: ${(oursPerSecond / perSecond).toFixed(2)}`]),
      ...(each.some(({ errors }) => errors > 0) ? ["WITH ERRORS"] : []),
    ];
    print(`${scenario.name}: ${proxy.name}`, figures.join(", "));
  }
  if (scenario.routes > 1) return;
  for (const proxy of proxies.filter(({ name }) => name !== "node:http")) {
    const { p50Ms, p99Ms } = await steadyLoad(proxy, scenario, slowest / 2, SECONDS);
    const pace = `${(slowest / 2).toFixed(0)}/s, half of what the slowest takes`;
    print(`${scenario.name}: ${proxy.name} at ${pace}`, `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`);
  }
}

/** Certificates for whoever speaks TLS. */
async function certificates(folder: string): Promise<Pick<Where, "certFile" | "keyFile" | "pairFile">> {
  const now = systemClock.now();
  const validity = { notBefore: now - DAY, notAfter: now + DAY };
  const authority = createAuthority({ ...validity, subject: { commonName: "bench" } }, systemRandom);
  const { certificate, key } = await authority.issue({
    ...validity,
    names: { hosts: ["127.0.0.1"] },
    usedBy: ["server"],
  });
  const files = {
    certFile: join(folder, "cert.pem"),
    keyFile: join(folder, "key.pem"),
    pairFile: join(folder, "pair.pem"),
  };
  writeFileSync(files.certFile, certificate);
  writeFileSync(files.keyFile, key);
  writeFileSync(files.pairFile, certificate + key);
  return files;
}

function machine(): string {
  const model = /model name\s*: (.*)/.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "an unknown processor";
  return `${model}, load ${readFileSync("/proc/loadavg", "utf8").split(" ")[0]}, Node ${process.version}`;
}

if (!has("wrk")) print("gateway", "skipped: wrk is not installed (Debian: wrk)");
else {
  print("machine", machine());
  await withHome(async (home) => {
    const backend = await startBackend(home);
    const files = await certificates(home);
    for (const scenario of SCENARIOS) {
      const folder = join(home, scenario.name.replaceAll(/\W+/g, "-"));
      mkdirSync(folder);
      const proxies = await start(proxyKinds(), scenario, { folder, backendPort: backend.port, ...files });
      try {
        await measure(scenario, proxies, folder);
      } finally {
        for (const proxy of proxies) await proxy.stop();
      }
    }
    await backend.stop();
  });
}
