import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { print } from "../figure.ts";
import { median } from "../load.ts";
import type { Where } from "./configs.ts";
import { fullLoad, steadyLoad } from "./loads.ts";
import type { FullLoad } from "./loads.ts";
import type { Proxy, ProxyKind } from "./proxies.ts";
import { wrkScript } from "./scenario.ts";
import type { Scenario } from "./scenario.ts";

/** How long it is measured, and how often. */
export interface Pace {
  readonly seconds: number;
  readonly rounds: number;
}

/** Starts those that can be had and can do it, and says which cannot. */
export async function startAll(kinds: readonly ProxyKind[], scenario: Scenario, where: Where): Promise<Proxy[]> {
  const proxies: Proxy[] = [];
  for (const kind of kinds) {
    if (scenario.grpc && kind.onNode === true) continue;
    if (kind.missing === undefined) proxies.push(await kind.start(scenario, where));
    else print(`${scenario.name}: ${kind.name}`, `skipped: ${kind.missing}`);
  }
  return proxies;
}

/** Lets proxies take turns under all the load that they take, prints what they did, ours first, and gives it back by name. */
export async function measure(
  scenario: Scenario,
  proxies: readonly Proxy[],
  folder: string,
  { seconds, rounds }: Pace,
): Promise<ReadonlyMap<string, readonly FullLoad[]>> {
  const script = join(folder, "requests.lua");
  writeFileSync(script, wrkScript(scenario));
  // What compiles itself as it runs has compiled itself by then.
  for (const proxy of proxies) await fullLoad(proxy, scenario, script, seconds);
  const loads = new Map(proxies.map(({ name }) => [name, [] as FullLoad[]]));
  for (let round = 0; round < rounds; round++)
    for (const proxy of proxies) loads.get(proxy.name)?.push(await fullLoad(proxy, scenario, script, seconds));
  const ours = middle(loads.get(proxies[0]?.name ?? "") ?? [], ({ perSecond }) => perSecond);
  for (const [name, each] of loads) {
    const ratio = ours / middle(each, (one) => one.perSecond);
    print(`${scenario.name}: ${name}`, `${shown(each)}${ratio === 1 ? "" : `, ours / it: ${ratio.toFixed(2)}`}`);
  }
  return loads;
}

/** How long requests take at half of what the slowest of these takes. */
export async function measureSteady(
  scenario: Scenario,
  proxies: readonly Proxy[],
  loads: ReadonlyMap<string, readonly FullLoad[]>,
  { seconds }: Pace,
): Promise<void> {
  const rates = proxies.map(({ name }) => middle(loads.get(name) ?? [], ({ perSecond }) => perSecond));
  const rate = Math.min(...rates) / 2;
  for (const proxy of proxies) {
    const { p50Ms, p99Ms } = await steadyLoad(proxy, scenario, rate, seconds);
    const pace = `${rate.toFixed(0)}/s, half of what the slowest takes`;
    print(`${scenario.name}: ${proxy.name} at ${pace}`, `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`);
  }
}

function shown(each: readonly FullLoad[]): string {
  return [
    `${middle(each, (one) => one.perSecond).toFixed(0)}/s`,
    `${middle(each, (one) => one.microseconds).toFixed(1)} us of its core`,
    `p50 ${middle(each, (one) => one.p50Ms).toFixed(2)} ms`,
    `p99 ${middle(each, (one) => one.p99Ms).toFixed(2)} ms`,
    `${middle(each, (one) => one.residentMb).toFixed(0)} MB`,
    ...(each.some(({ errors }) => errors > 0) ? ["WITH ERRORS"] : []),
  ].join(", ");
}

function middle(rounds: readonly FullLoad[], of: (round: FullLoad) => number): number {
  return median(rounds.map(of));
}
