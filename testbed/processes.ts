import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A process of a part, as the state file remembers it. */
export interface PartProcess {
  readonly name: string;
  readonly pid: number;
  /** The program that it runs, by which a reused pid is told from ours. */
  readonly program: string;
}

export interface Launch {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its log is `logs/<name>.log` in here. */
  readonly folder: string;
  /** Whether it goes on after this process ends. */
  readonly outlive: boolean;
}

/** Starts a process whose output goes to a log file. */
export function launch({ name, program, args, env, folder, outlive }: Launch): PartProcess {
  mkdirSync(join(folder, "logs"), { recursive: true });
  const log = openSync(logOf(folder, name), "a");
  try {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", log, log],
      detached: outlive,
    });
    // A program that cannot be started is seen by those who wait for it to answer.
    child.on("error", () => {});
    if (outlive) {
      child.unref();
    } else {
      const kill = (): boolean => child.kill("SIGKILL");
      process.once("exit", kill);
      child.once("exit", () => process.off("exit", kill));
    }
    return { name, pid: child.pid ?? 0, program };
  } finally {
    closeSync(log);
  }
}

/** The last lines that a process wrote, for a message about its end. */
export function endOfLog(folder: string, name: string): string {
  return readFileSync(logOf(folder, name), "utf8").trimEnd().split("\n").slice(-12).join("\n");
}

/** Whether the process still runs: the same pid with the same program. */
export function isRunning({ pid, program }: PartProcess): boolean {
  if (pid === 0) return false;
  try {
    const fields = execFileSync("ps", ["-p", String(pid), "-o", "stat=,args="], { encoding: "utf8" }).trim();
    return !fields.startsWith("Z") && fields.includes(basename(program));
  } catch {
    return false;
  }
}

/** How long a process may take to end by itself. */
const GRACE_MS = 10_000;

/** Ends processes in the order given, each before the next: clients first, storage last. */
export async function endAll(processes: readonly PartProcess[]): Promise<void> {
  for (const each of processes) {
    if (!isRunning(each)) continue;
    signal(each.pid, "SIGTERM");
    const deadline = performance.now() + GRACE_MS;
    while (isRunning(each)) {
      if (performance.now() > deadline) signal(each.pid, "SIGKILL");
      await sleep(50);
    }
  }
}

/** Ends processes without warning, and resolves when they are gone. */
export async function killAll(processes: readonly PartProcess[]): Promise<void> {
  for (const each of processes) {
    signal(each.pid, "SIGKILL");
    while (isRunning(each)) await sleep(20);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
}

function logOf(folder: string, name: string): string {
  return join(folder, "logs", `${name}.log`);
}
