import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { PartMissingError, upKube } from "../testbed/index.ts";
import { call, median, pause } from "./load.ts";
import { createNotes, renewNotes, whenFinished } from "./runtime/notes.ts";
import type { Ask } from "./runtime/notes.ts";
import { processorMs, residentMb, stop } from "./served.ts";

/*
 * One controller, written for this runtime and for Go's controller-runtime, each in a process of its own, in turn, on one real
 * kube-apiserver with a durable etcd: for each of many Notes it applies a ConfigMap and writes a status.
 */
const COUNT = Number(process.env["BENCH_OBJECTS"] ?? 10_000);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const CONCURRENCY = "10";
/** What docs/controllers.md recommends for an operator. */
const NODE_FLAGS = ["--max-semi-space-size=2", "--heap-growing-percent=30"];
const NODE_ENV = { MALLOC_ARENA_MAX: "1" };
const FOLDER = join(import.meta.dirname, "runtime");

interface Side {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** What one side needed in one round. */
interface Round {
  readonly syncedMs: number;
  readonly convergedMs: number;
  readonly convergedCpuMs: number;
  readonly residentMb: number;
  readonly peakMb: number;
  /** Started again, with nothing to do. */
  readonly idleSyncedMs: number;
  readonly idleResidentMb: number;
}

async function ours(): Promise<Side> {
  // Beside the modules: what is loaded on demand is found from where the bundle is.
  const outfile = join(import.meta.dirname, "..", "node_modules", ".cache", "gatewright", "bench-controller.mjs");
  await build({
    entryPoints: [join(FOLDER, "controller.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "error",
  });
  return { name: "gatewright", command: [process.execPath, ...NODE_FLAGS, outfile, CONCURRENCY], env: NODE_ENV };
}

function peer(folder: string): Side {
  const binary = join(folder, "peer");
  execFileSync("go", ["build", "-o", binary, "."], { cwd: join(FOLDER, "peer"), stdio: "inherit" });
  return { name: "controller-runtime", command: [binary, `--concurrency=${CONCURRENCY}`] };
}

/** Starts a controller and resolves when it says that its caches are synced. */
async function start({ command: [program, ...args], env }: Side, kubeconfig: string): Promise<[ChildProcess, number]> {
  const started = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
    child.stdout.once("data", () => resolve());
  });
  return [child, performance.now() - started];
}

function served(child: ChildProcess): Parameters<typeof residentMb>[0] {
  return { url: "", startMs: 0, processes: [child], headers: {} };
}

function peakMb({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

async function round(side: Side, kubeconfig: string, ask: Ask): Promise<Round> {
  const before = performance.now();
  const [busy, syncedMs] = await start(side, kubeconfig);
  await whenFinished(ask, pause);
  const convergedMs = performance.now() - before;
  const convergedCpuMs = processorMs(served(busy));
  await pause(3000);
  const memory = { residentMb: residentMb(served(busy)), peakMb: peakMb(busy) };
  await stop(served(busy));
  const [idle, idleSyncedMs] = await start(side, kubeconfig);
  await pause(5000);
  const idleResidentMb = residentMb(served(idle));
  await stop(served(idle));
  return { syncedMs, convergedMs, convergedCpuMs, ...memory, idleSyncedMs, idleResidentMb };
}

const FIGURES: readonly (readonly [keyof Round, string])[] = [
  ["idleSyncedMs", "start to synced, nothing to do (ms)"],
  ["idleResidentMb", "resident with these objects cached (MB)"],
  ["convergedMs", "start to all converged (ms)"],
  ["convergedCpuMs", "processor time until converged (ms)"],
  ["residentMb", "resident 3 s after converging (MB)"],
  ["peakMb", "most resident ever (MB)"],
];

async function compare(folder: string): Promise<void> {
  const sides = [await ours(), peer(folder)];
  await using kube = await upKube({ nodes: false, gatewayApi: false, durable: true, progress: console.log });
  const headers = { authorization: `Bearer ${kube.token}` };
  const ask: Ask = (path, options = {}) =>
    call(kube.url + path, { ...options, headers: { ...headers, ...options.headers } }).reply;
  await createNotes(ask, COUNT);
  const rounds = new Map<Side, Round[]>(sides.map((side) => [side, []]));
  let renewed = 0;
  for (let i = 0; i < ROUNDS; i++) {
    for (const side of i % 2 === 0 ? sides : sides.toReversed()) {
      if (renewed++ > 0) await renewNotes(ask, COUNT, renewed);
      rounds.get(side)?.push(await round(side, kube.kubeconfig, ask));
    }
  }
  console.log(`${COUNT} objects and as many children, ${CONCURRENCY} at once, median of ${ROUNDS} rounds`);
  for (const [figure, name] of FIGURES) {
    const [mine = Number.NaN, theirs = Number.NaN] = sides.map((side) =>
      median((rounds.get(side) ?? []).map((one) => one[figure])),
    );
    console.log(
      `${name.padEnd(48)} ${mine.toFixed(0)}; controller-runtime ${theirs.toFixed(0)}: ${(mine / theirs).toFixed(2)} x`,
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
try {
  await compare(folder);
} catch (error) {
  if (!(error instanceof PartMissingError)) throw error;
  console.log(`skipped: ${error.message}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
