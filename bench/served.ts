import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, pause } from "./load.ts";
import type { Call, Reply } from "./load.ts";

/** A server in processes of its own. */
export interface Served {
  readonly url: string;
  /** Milliseconds from spawn until `/readyz` answered ok. */
  readonly startMs: number;
  readonly processes: readonly { readonly pid?: number | undefined }[];
  readonly headers: Readonly<Record<string, string>>;
  /** How it is ended, when a SIGTERM to its processes will not do. */
  end?(): Promise<void>;
}

const MAIN = join(import.meta.dirname, "..", "packages", "cli", "src", "main.cjs");
const PLAIN = join(import.meta.dirname, "plain-server.cjs");

/** Makes the bundle that `npm ci` makes: what is measured is what users start. */
export function makeBundle(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "scripts", "bundle.ts")], { stdio: "inherit" });
}

/** Starts the API server alone on a free port and waits for its first answer. */
export function serve(home: string, args: readonly string[] = []): Promise<Served> {
  return announced([MAIN, "up", "--bare", "--port", "0", "--home", home, ...args], () =>
    args.includes("--tls") ? { authorization: `Bearer ${readFileSync(join(home, "admin.token"), "utf8")}` } : {},
  );
}

/** The same for all that `gatewright up` runs: AWS, a node and the controllers too. */
export function serveWorld(home: string): Promise<Served> {
  // As `npm start` does.
  return announced(["--max-semi-space-size=32", MAIN, "up", "--port", "0", "--home", home], () => ({}));
}

/** Starts a node:http server that answers every request with `bytes` bytes from memory: the floor of any server on Node. */
export function servePlain(bytes: number): Promise<Served> {
  return announced([PLAIN, String(bytes)], () => ({}));
}

async function announced(args: readonly string[], headers: () => Served["headers"]): Promise<Served> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it served`)));
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const found = /https?:\/\/[\w.:[\]-]+(?=\s)/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const served = { url, processes: [child], headers: headers() };
  while ((await ask(served, "/readyz")).status !== 200) await pause(5);
  return { ...served, startMs: performance.now() - started };
}

/** Gives the work a server, and ends it afterwards. */
export async function withServer<T>(starting: Promise<Served>, work: (served: Served) => Promise<T>): Promise<T> {
  const served = await starting;
  try {
    return await work(served);
  } finally {
    await stop(served);
  }
}

/** Gives the work a folder, and removes it afterwards. */
export async function withHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** One request to a server, with its credentials. */
export function ask(served: Pick<Served, "url" | "headers">, path: string, options: Call = {}): Promise<Reply> {
  return call(served.url + path, { ...options, headers: { ...served.headers, ...options.headers } }).reply;
}

export function residentMb(served: Served): number {
  return statusMb(served, "VmRSS");
}

/** Resident memory that is its own. The rest are pages of files, mostly of the program. */
export function ownMb(served: Served): number {
  return statusMb(served, "RssAnon");
}

function statusMb(served: Served, field: string): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`);
  const kb = served.processes.map(({ pid }) => Number(line.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]));
  return kb.reduce((sum, each) => sum + each, 0) / 1024;
}

/** Processor time that the server has used, in milliseconds: neighbours on the machine disturb it less than a clock. */
export function processorMs(served: Served): number {
  let nanoseconds = 0;
  for (const { pid } of served.processes) {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      try {
        nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
      } catch {
        // A thread that ended meanwhile.
      }
    }
  }
  return nanoseconds / 1e6;
}

/** Ends a server and waits for its end. */
export async function stop(served: Served): Promise<void> {
  if (served.end) return served.end();
  for (const { pid = 0 } of served.processes) {
    for (let running = signal(pid, "SIGTERM"); running; running = signal(pid, 0)) await pause(5);
  }
}

/** False when there is no such process any more. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return pid !== 0 && process.kill(pid, name);
  } catch {
    return false;
  }
}
