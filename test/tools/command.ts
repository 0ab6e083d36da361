import { spawn } from "node:child_process";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Ends the command (SIGTERM) when it aborts. */
  readonly signal?: AbortSignal;
  /** Hears of output as it comes. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a program to its end without blocking: the server under test lives in this process. */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe"],
      ...(options.env && { env: { ...process.env, ...options.env } }),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(options.signal && { signal: options.signal, killSignal: "SIGTERM" }),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      options.onOutput?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", (error) => (error.name === "AbortError" ? undefined : reject(error)));
    child.once("close", (code) => resolve({ code, stdout, stderr }));
    // A program that does not read its input closes the pipe; that is its right.
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
  });
}
