import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of this bench that answers questions. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#process = child;
  }

  /** Starts one, and gives what it says first. */
  static async start<T>(file: string, ...args: readonly string[]): Promise<readonly [Child, T]> {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const child = new Child(
      fork(path, args, {
        execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=32", "--expose-gc"],
      }),
    );
    return [child, await child.#said<T>()];
  }

  async ask<T>(question: string): Promise<T> {
    const answer = this.#said<T>();
    this.#process.send(question);
    return answer;
  }

  async end(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.disconnect();
    await ended;
  }

  #said<T>(): Promise<T> {
    return new Promise((resolve, reject) => {
      const said = (message: T): void => {
        this.#process.off("exit", ended);
        resolve(message);
      };
      const ended = (code: number): void => {
        this.#process.off("message", said);
        reject(new Error(`a process of the bench ended: ${code}`));
      };
      this.#process.once("message", said);
      this.#process.once("exit", ended);
    });
  }
}

/** Answers the questions of {@link Child}, and ends with it. */
export function answering(answers: Readonly<Record<string, () => unknown>>): void {
  process.on("message", (question: string) => {
    void Promise.resolve(answers[question]?.()).then((answer) => process.send?.(answer ?? {}));
  });
  process.on("disconnect", () => process.exit());
}

/** Milliseconds on a clock that all processes of a machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What a process has used. */
export interface Usage {
  readonly cpuMs: number;
  readonly residentMb: number;
}

/** Milliseconds of processor time so far. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Of this process, with what can be collected collected. */
export function usage(): Usage {
  const cpuMs = processorTime();
  globalThis.gc?.();
  return { cpuMs, residentMb: process.memoryUsage.rss() / 1e6 };
}
