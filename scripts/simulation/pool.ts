import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Report, Task } from "./messages.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
/** A run that takes so long hangs. Runs with a long idle time take seconds. */
const HANGS_AFTER_MS = 180_000;

const FOR_SPEED = [
  // In MiB. A world lives for a tenth of a second: with this most of one dies young, and costs the collector nothing.
  "--max-semi-space-size=256",
  // Runs are spread over so much code that finding its pages costs a seventh of the time. Where the system has none, nothing is said.
  "--use-largepages=silent",
] as const;

export type Ran = Extract<Report, { readonly kind: "ran" }>;

export interface PoolOptions {
  readonly scenario: string;
  readonly jobs: number;
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The tasks, drawn one by one; given the plans of the scenario. */
  tasks(plans: readonly string[]): Iterator<Task, void>;
  /** Told of each run. Returning false ends everything. */
  ran(report: Ran): boolean;
}

/** Runs tasks in processes of their own. Resolves when all are done, or ended; a worker that dies or hangs counts as a violation. */
export async function runPool(options: PoolOptions): Promise<void> {
  let tasks: Iterator<Task, void> | undefined;
  let ended = false;
  const workers = Array.from({ length: options.jobs }, () => runWorker());
  await Promise.all(workers);

  function runWorker(): Promise<void> {
    const execArgv = ["--disable-warning=ExperimentalWarning", ...FOR_SPEED, ...(options.execArgv ?? [])];
    const env = { ...process.env, ...options.env };
    const child = fork(WORKER, [options.scenario], { execArgv, env, stdio: ["ignore", "inherit", "pipe", "ipc"] });
    return new Promise((resolve) => {
      let current: Task | undefined;
      let errors = "";
      let watchdog: NodeJS.Timeout | undefined;
      child.stderr?.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4000)));
      const next = (): void => {
        clearTimeout(watchdog);
        const task = ended ? undefined : tasks?.next();
        if (task === undefined || task.done === true) return end(child);
        current = task.value;
        watchdog = setTimeout(() => child.kill("SIGKILL"), HANGS_AFTER_MS);
        child.send(current);
      };
      watchdog = setTimeout(() => child.kill("SIGKILL"), HANGS_AFTER_MS);
      child.on("message", (report: Report) => {
        if (report.kind === "ready") tasks ??= options.tasks(report.plans);
        else {
          current = undefined;
          if (!options.ran(report)) ended = true;
        }
        next();
      });
      child.on("exit", (code, signal) => {
        clearTimeout(watchdog);
        if (code !== 0 && !(ended && signal !== null)) {
          const what = signal === "SIGKILL" ? "it hangs" : `the process ended with ${code ?? signal}: ${errors.trim()}`;
          if (!options.ran(dead(current ?? {}, what))) ended = true;
        }
        resolve();
      });
    });
  }

  function end(child: ChildProcess): void {
    if (child.connected) child.disconnect();
  }
}

function dead(task: Task, what: string): Ran {
  const violations = [{ oracle: "the process", what }];
  return { kind: "ran", task, violations, hash: "", faults: "", parts: undefined, hits: [], moments: 0 };
}
