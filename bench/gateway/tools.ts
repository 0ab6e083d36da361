import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";

/** Whether a program is on this machine. */
export function has(program: string): boolean {
  return spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
}

/** The core of what is measured, and that of everything around it. */
export const CORES = { measured: 0, around: Math.min(1, availableParallelism() - 1) };

/** Starts a program on one core, or on all of them. Its words on stderr are ours. */
export function startOn(core: number | undefined, program: string, args: readonly string[]): ChildProcess {
  const words =
    core !== undefined && has("taskset") ? ["taskset", "-c", String(core), program, ...args] : [program, ...args];
  const [first = program, ...rest] = words;
  return spawn(first, rest, { stdio: ["pipe", "pipe", "inherit"] });
}

/** Everything that a program says until it ends. */
export async function saidBy(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const code = await new Promise((resolve) => void child.once("close", resolve));
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${String(code)}: ${text}`);
  return text;
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
