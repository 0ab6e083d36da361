import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ourObjects, ourSettings } from "./configs.ts";
import type { Where } from "./configs.ts";
import { running } from "./proxies.ts";
import type { Proxy } from "./proxies.ts";
import type { Scenario } from "./scenario.ts";
import { freePort, startOn } from "./tools.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");

/** The gateway's own command on all cores: with one worker for each, and with one alone. */
export async function startOnAllCores(scenario: Scenario, where: Where): Promise<readonly Proxy[]> {
  const cores = availableParallelism();
  return [
    await startWith(cores, `ours, ${cores} workers`, scenario, where),
    await startWith(1, "ours, 1 worker", scenario, where),
  ];
}

async function startWith(workers: number, name: string, scenario: Scenario, where: Where): Promise<Proxy> {
  const port = await freePort();
  const folder = join(where.folder, `workers-${workers}`);
  mkdirSync(folder, { recursive: true });
  const more = { workers, admin: { enabled: false }, accessLog: { enabled: false } };
  writeFileSync(join(folder, "settings.json"), ourSettings(scenario, where, port, more));
  writeFileSync(join(folder, "objects.json"), ourObjects(scenario, where));
  // As `npm run gatewright` does.
  const args = ["--max-semi-space-size=32", MAIN, "gateway", "--config", join(folder, "settings.json")];
  return running(name, startOn(undefined, process.execPath, args), port);
}
