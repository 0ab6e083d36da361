import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A local cloud in a process of its own, which can be killed as power cuts kill. */
export interface CloudProcess extends AsyncDisposable {
  readonly url: string;
  readonly dns: { readonly host: string; readonly port: number };
  readonly ca: string;
  /** Ends it without warning, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts one on a folder and free ports. Rejects when it ends before it serves. */
export async function cloudProcess(folder: string): Promise<CloudProcess> {
  const program = new URL("cloud-process-main.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  const lines = createInterface({ input: child.stdout });
  const ended = gone.then(() => Promise.reject(new Error("the cloud ended before it served")));
  const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
  ended.catch(() => {
    // It served; how it ends later is told by `kill`.
  });
  return { ...(JSON.parse(line) as Pick<CloudProcess, "url" | "dns" | "ca">), kill, [Symbol.asyncDispose]: kill };
}
