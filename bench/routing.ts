import { print } from "./figure.ts";
import { median, pause } from "./load.ts";
import { Child, processorTime, sharedNow } from "./routing/child.ts";
import type { Usage } from "./routing/child.ts";
import { routesCluster } from "./routing/cluster.ts";
import type { RoutesCluster } from "./routing/cluster.ts";

/*
 * From the write of a route to the last gateway's acknowledgement, by our operator and by one that sends everything at each change.
 * GATEWRIGHT_ROUTES and GATEWRIGHT_GATEWAYS say how many; `1000,10000` and `1,100,1000` are all. GATEWRIGHT_PEER=0 leaves the peer out.
 */
const numbers = (name: string, usual: string): number[] => (process.env[name] ?? usual).split(",").map(Number);
const ROUTES = numbers("GATEWRIGHT_ROUTES", "1000,10000");
const GATEWAYS = numbers("GATEWRIGHT_GATEWAYS", "1,100");
const EDITS = Number(process.env["GATEWRIGHT_EDITS"] ?? 200);
/** More than this many routes at gateways are too much for the peer. */
const MOST_FOR_PEER = 1_000_000;
const EDITS_OF_PEER = 10;
/** Edits before those that count: programs begin slowly. */
const WARM = 50;
const GATEWAYS_PER_PROCESS = 500;

/** So far: no edit is as one before. */
let writes = 0;

interface Ways {
  readonly port: number;
}

/** Processor time is in milliseconds an edit. */
interface Measured {
  readonly latencies: readonly number[];
  readonly operatorMs: number;
  readonly gatewaysMs: number;
  /** Of the API server and this bench itself. */
  readonly serverMs: number;
  readonly residentMb: number;
}

/** Starts sessions of gateways, and edits one route after the other. */
async function measure(
  cluster: RoutesCluster,
  operator: Child,
  ways: Ways,
  { routes, gateways, edits }: { readonly routes: number; readonly gateways: number; readonly edits: number },
): Promise<Measured> {
  const fleets: Child[] = [];
  for (let first = 0; first < gateways; first += GATEWAYS_PER_PROCESS) {
    const count = String(Math.min(GATEWAYS_PER_PROCESS, gateways - first));
    const [fleet] = await Child.start("gateways-process.ts", count, String(first), JSON.stringify(ways));
    fleets.push(fleet);
  }
  // All statuses tell of the gateways that came, a few seconds later.
  await pause(4_000);
  for (let used = 0, idle = false; !idle;) {
    const now = await operator.ask<number>("processorTime");
    idle = now - used < 50;
    used = now;
    await pause(1_000);
  }
  const processorTimes = async (): Promise<readonly number[]> => [
    await operator.ask<number>("processorTime"),
    (await Promise.all(fleets.map((fleet) => fleet.ask<number>("processorTime")))).reduce((sum, one) => sum + one, 0),
    processorTime(),
  ];
  const latencies: number[] = [];
  let before: readonly number[] = [];
  for (let turn = 1 - Math.min(WARM, edits); turn <= edits; turn++) {
    if (turn === 1) {
      before = await processorTimes();
      latencies.length = 0;
    }
    await operator.ask("expect");
    const began = sharedNow();
    const all = operator.ask<number>("all");
    await cluster.edit((writes * 7919) % routes, ++writes);
    latencies.push((await all) - began);
  }
  await pause(500);
  const [operatorMs = 0, gatewaysMs = 0, serverMs = 0] = (await processorTimes()).map(
    (now, at) => (now - (before[at] ?? 0)) / edits,
  );
  const { residentMb } = await operator.ask<Usage>("usage");
  for (const fleet of fleets) await fleet.end();
  return { latencies, operatorMs, gatewaysMs, serverMs, residentMb };
}

function show(name: string, { latencies, operatorMs, gatewaysMs, serverMs, residentMb }: Measured): void {
  const sorted = latencies.toSorted((a, b) => a - b);
  const late = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  const times = `p50 ${median(sorted).toFixed(1)} ms, p99 ${late.toFixed(1)} ms`;
  const used = `cpu an edit: operator ${operatorMs.toFixed(1)} ms, gateways ${gatewaysMs.toFixed(1)}, API server ${serverMs.toFixed(1)}`;
  print(name, `${times}, ${used}, ${residentMb.toFixed(0)} MB`);
}

async function against(file: string, name: string, cluster: RoutesCluster, routes: number): Promise<void> {
  const [operator, ways] = await Child.start<Ways>(file, cluster.url);
  const isPeer = name !== "ours";
  for (const gateways of GATEWAYS) {
    if (isPeer && routes * gateways > MOST_FOR_PEER) continue;
    const edits = isPeer ? EDITS_OF_PEER : EDITS;
    show(
      `${routes} routes, ${gateways} gateways: ${name}`,
      await measure(cluster, operator, ways, { routes, gateways, edits }),
    );
  }
  await operator.end();
}

for (const routes of ROUTES) {
  const cluster = await routesCluster(routes);
  // The peer first: nobody asks an operator then that is gone.
  if (process.env["GATEWRIGHT_PEER"] !== "0") await against("naive-process.ts", "all, at each change", cluster, routes);
  await against("operator-process.ts", "ours", cluster, routes);
  await cluster.close();
}
