import { spawn } from "node:child_process";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether it may ask the user on the terminal. */
  readonly interactive: boolean;
}

/** Runs a program and gives what it printed. Rejects when it cannot be started or fails. What it says as errors goes to ours. */
export type RunProgram = (program: Program, signal: AbortSignal) => Promise<string>;

const MAX_OUTPUT = 1024 * 1024;

/** Runs a program of this machine. */
export const runProgram: RunProgram = (program, signal) =>
  new Promise((resolve, reject) => {
    const child = spawn(program.command, [...program.args], {
      env: program.env,
      stdio: [program.interactive ? "inherit" : "ignore", "pipe", "inherit"],
      signal,
    });
    const output: Buffer[] = [];
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT) output.push(chunk);
      else child.kill();
    });
    child.once("error", reject);
    child.once("close", (code, killedBy) => {
      if (size > MAX_OUTPUT) reject(new Error("it printed too much"));
      else if (code !== 0)
        reject(new Error(code === null ? `it was ended by ${killedBy}` : `it ended with code ${code}`));
      else resolve(Buffer.concat(output).toString("utf8"));
    });
  });
