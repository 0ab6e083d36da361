import { spawn } from "node:child_process";
import { PartMissingError } from "./part-missing-error.ts";

export interface ToolOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What to do when the tool is not installed, as a whole sentence. */
  readonly whenMissing: string;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a tool of the machine and gives what it wrote. A failure carries the end of what it said. */
export function runTool(program: string, args: readonly string[], options: ToolOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.signal && { signal: options.signal }),
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err = (err + text).slice(-4000)));
    child.on("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "ENOENT" ? new PartMissingError(`${program} was not found. ${options.whenMissing}`) : error,
      ),
    );
    child.on("close", (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${program} ${args.slice(0, 3).join(" ")} ended with ${code}:\n${err.trim()}`));
    });
  });
}
