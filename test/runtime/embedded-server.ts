import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../testbed/index.ts";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");

/** `gatewright up` in a process of its own, as users run it. */
export interface EmbeddedServer extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Kills it without warning and starts it again at the same address. */
  restart(): Promise<void>;
}

export async function startEmbeddedServer(): Promise<EmbeddedServer> {
  const home = mkdtempSync(join(tmpdir(), "gatewright-runtime-"));
  const [port = 0] = await freePorts(1);
  let child = await start(home, port);
  const kill = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    kubeconfig: join(home, "kubeconfig"),
    async restart() {
      await kill();
      child = await start(home, port);
    },
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function start(home: string, port: number): Promise<ChildProcess> {
  const args = [MAIN, "up", "--bare", "--port", String(port), "--home", home];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (!said.includes(`:${port}`)) continue;
    child.stdout.resume();
    return child;
  }
  throw new Error(`the server ended before it served: ${said}`);
}
