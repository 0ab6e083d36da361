import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { Clock } from "@gatewright/ports";
import type { Container, ContainerExit, ContainerSpec } from "../container-runtime.ts";
import type { ImageCommand } from "./image-commands.ts";
import { killGroup } from "./process-list.ts";
import type { ProcessList } from "./process-list.ts";

export interface RunCommandOptions {
  readonly spec: ContainerSpec;
  readonly command: ImageCommand;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly list: ProcessList;
}

const MOST_OUTPUT = 10 * 1024;

/** Runs a command of this machine as a container, in a process group of its own. Rejects when it cannot be started. */
export async function runCommand({ spec, command, env, clock, list }: RunCommandOptions): Promise<Container> {
  const args = command.trustPods && spec.args.length > 0 ? spec.args : command.args;
  const child = spawn(command.command, [...args], {
    cwd: command.cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = await started(child);
  await list.add(pid);
  const flushes = [lines(child.stdout, spec), lines(child.stderr, spec)];
  const { promise: exited, resolve } = Promise.withResolvers<ContainerExit>();
  const timers: (() => void)[] = [];
  child.once("close", (code, signal) => {
    for (const cancel of timers) cancel();
    for (const flush of flushes) flush();
    resolve(exitOf(code, signal));
  });
  // Others of the group may hold its output open: they go with it.
  child.once("exit", () => {
    killGroup(pid, "SIGKILL");
    void list.remove(pid).catch(() => {}); // an entry too many is told apart by its time
  });
  return {
    exited,
    simulated: false,
    async stop(graceMs) {
      if (child.exitCode === null && child.signalCode === null) {
        killGroup(pid, graceMs > 0 ? "SIGTERM" : "SIGKILL");
        if (graceMs > 0) timers.push(clock.timer(graceMs, () => killGroup(pid, "SIGKILL")));
      }
      await exited;
    },
    ...(command.trustPods && { exec: (words, signal) => exec(words, { cwd: command.cwd, env }, signal) }),
  };
}

function started(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      child.on("error", () => {}); // a signal that came too late
      resolve(child.pid ?? 0);
    });
  });
}

function exitOf(code: number | null, signal: NodeJS.Signals | null): ContainerExit {
  const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  return { exitCode, reason: exitCode === 0 ? "Completed" : "Error" };
}

/** Hands each line of an output to the log. Returns how to hand on a last one that has no end. */
function lines(output: Readable, { log }: ContainerSpec): () => void {
  let rest = "";
  output.setEncoding("utf8");
  output.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) log.write(part);
    if (rest.length > 64 * 1024) {
      log.write(rest);
      rest = "";
    }
  });
  return () => {
    if (rest !== "") log.write(rest);
  };
}

function exec(
  [program = "", ...args]: readonly string[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...place, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const end = (): void => {
      if (child.pid !== undefined) killGroup(child.pid, "SIGKILL");
    };
    let output = "";
    const read = (chunk: Buffer): void => {
      if (output.length < MOST_OUTPUT) output += chunk.toString("utf8").slice(0, MOST_OUTPUT - output.length);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    signal.addEventListener("abort", end, { once: true });
    child.once("error", reject);
    child.once("close", (code, ended) => {
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(new Error(`command timed out: ${program}`));
      else resolve({ exitCode: exitOf(code, ended).exitCode, output });
    });
  });
}
