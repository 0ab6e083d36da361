import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "./load.ts";

/** A `gatewright up` in a process of its own. */
export interface Served {
  readonly url: string;
  /** Milliseconds from spawn to the first answered request. */
  readonly startMs: number;
  residentMb(): number;
  stop(): Promise<void>;
}

const MAIN = join(import.meta.dirname, "..", "packages", "cli", "src", "main.cjs");

/** Starts a server on a free port and waits for its first answer. */
export async function serve(home: string, args: readonly string[] = []): Promise<Served> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, "up", "--port", "0", "--home", home, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await announced(child);
  const ready = await call(`${url}/readyz`, "GET");
  if (ready.status !== 200) throw new Error(`the server answers ${ready.status} on /readyz`);
  const startMs = performance.now() - started;
  return {
    url,
    startMs,
    residentMb: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

function announced(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it served`)));
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const url = /https?:\/\/[\w.:[\]-]+/.exec(text)?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}
