import { setTimeout as sleep } from "node:timers/promises";
import { endOfLog, isRunning } from "./processes.ts";
import type { PartProcess } from "./processes.ts";

/** Thrown when a part did not become ready; the message holds the end of its log. */
export class NotReadyError extends Error {
  override readonly name = "NotReadyError";
}

export interface Waiting {
  readonly folder: string;
  readonly process: PartProcess;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const TRY_EVERY_MS = 20;
/** Looking at a process runs another one, which would slow the start that is waited for. */
const LOOK_EVERY = 10;

/** Resolves when the check holds; a check that rejects is tried again. */
export async function until(waiting: Waiting, what: string, check: () => Promise<boolean>): Promise<void> {
  const { folder, process, timeoutMs, signal } = waiting;
  const deadline = performance.now() + timeoutMs;
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    // Until it listens, connections are refused.
    if (await check().catch(() => false)) return;
    const ended = tries % LOOK_EVERY === 0 && !isRunning(process);
    if (ended || performance.now() > deadline) {
      const why = ended ? "it ended" : `no answer within ${timeoutMs / 1000} s`;
      throw new NotReadyError(`${process.name} is not ready (${what}): ${why}\n${endOfLog(folder, process.name)}`);
    }
    await sleep(TRY_EVERY_MS);
  }
}
