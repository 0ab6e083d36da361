import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { call, pause } from "./load.ts";
import type { Call, Reply } from "./load.ts";

/** A server in processes of its own. */
export interface Served {
  readonly url: string;
  /** Milliseconds from spawn to the first answered request. */
  readonly startMs: number;
  readonly processes: readonly ChildProcess[];
  readonly headers: Readonly<Record<string, string>>;
}

const MAIN = join(import.meta.dirname, "..", "packages", "cli", "src", "main.cjs");
const PLAIN = join(import.meta.dirname, "plain-server.cjs");

/** Makes the bundle that `npm ci` makes: what is measured is what users start. */
export function makeBundle(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "scripts", "bundle.ts")], { stdio: "inherit" });
}

/** Starts `gatewright up` on a free port and waits for its first answer. */
export function serve(home: string, args: readonly string[] = []): Promise<Served> {
  return announced([MAIN, "up", "--port", "0", "--home", home, ...args], () =>
    args.includes("--tls") ? { authorization: `Bearer ${readFileSync(join(home, "admin.token"), "utf8")}` } : {},
  );
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
  return firstAnswer({ url, processes: [child], headers: headers() }, started);
}

/** Asks until the server is ready. */
export async function firstAnswer(served: Omit<Served, "startMs">, started: number): Promise<Served> {
  for (;;) {
    const { status } = await ask(served, "/readyz").catch(() => ({ status: 0 }));
    if (status === 200) return { ...served, startMs: performance.now() - started };
    await pause(5);
  }
}

/** One request to a server, with its credentials. */
export function ask(served: Pick<Served, "url" | "headers">, path: string, options: Call = {}): Promise<Reply> {
  return call(served.url + path, { ...options, headers: { ...served.headers, ...options.headers } }).reply;
}

export function residentMb(served: Served): number {
  const each = served.processes.map(({ pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  });
  return each.reduce((sum, mb) => sum + mb, 0);
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

/** Ends the processes in turn, the last one first. */
export async function stop(served: Served): Promise<void> {
  for (const child of [...served.processes].reverse()) {
    if (child.exitCode !== null) continue;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}
