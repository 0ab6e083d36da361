import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../testbed/index.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");

/** `gatewright up` in a process of its own, as users run it, at a port that PORT tells it. */
export interface UpProcess extends AsyncDisposable {
  readonly port: number;
  readonly kubeconfig: string;
  /** Kills it without warning and starts it again on the same data. */
  restart(): Promise<void>;
}

/** Flags by which a world, whatever its own port, takes no port that another one may have. */
export const ANY_OTHER_PORTS: readonly string[] = ["aws", "dns", "gateway", "grpc"].flatMap((name) => [
  `--${name}-port`,
  "0",
]);

/** Starts it, with these flags beside, and resolves when it serves. */
export async function startUpProcess(...flags: readonly string[]): Promise<UpProcess> {
  const home = mkdtempSync(join(tmpdir(), "gatewright-up-"));
  const [port = 0] = await freePorts(1);
  let child = await start(home, port, flags);
  const kill = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    port,
    kubeconfig: join(home, "kubeconfig"),
    async restart() {
      await kill();
      child = await start(home, port, flags);
    },
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function start(home: string, port: number, flags: readonly string[]): Promise<ChildProcess> {
  const args = [MAIN, "up", "--home", home, ...ANY_OTHER_PORTS, ...flags];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (told = (told + text).slice(-10_000)));
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (!said.includes(`:${port}`)) continue;
    child.stdout.resume();
    return child;
  }
  throw new Error(`the world ended before it served: ${said}\n${told}`);
}
