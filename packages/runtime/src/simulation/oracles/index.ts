import type { History } from "../history.ts";
import { cacheTruth } from "./cache-truth.ts";
import { churn } from "./churn.ts";
import { endState } from "./end-state.ts";
import { idleWrites } from "./idle-writes.ts";
import { leaks } from "./leaks.ts";
import { mishaps } from "./mishaps.ts";
import { monotonicReads } from "./monotonic-reads.ts";
import type { Oracle, Reference, Violation } from "./oracle.ts";
import { singleRun } from "./single-run.ts";
import { singleWriter } from "./single-writer.ts";

/** All of them judge every run. */
export const ORACLES: readonly Oracle[] = [
  mishaps,
  singleWriter,
  singleRun,
  monotonicReads,
  cacheTruth,
  endState,
  churn,
  idleWrites,
  leaks,
];

/** What a run did wrong. Empty: nothing. */
export function judge(history: History, reference: Reference): readonly Violation[] {
  return ORACLES.flatMap((oracle) => oracle.judge(history, reference).map((what) => ({ oracle: oracle.name, what })));
}

export type { Oracle, Reference, Violation };
