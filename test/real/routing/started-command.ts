import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const MAIN = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "src", "main.cjs");

/** A command of ours in a process of its own, as users run it. */
export interface StartedCommand {
  readonly pid: number;
  /** All that it has said so far. */
  said(): string;
  /** Ends it and waits for that. Once it has ended this does nothing. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Starts `gatewright` with these arguments. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): StartedCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    said: () => said,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
