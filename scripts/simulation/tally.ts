import {
  CALL_FAULTS,
  FRAME_FAULTS,
  SYSTEM_FAULTS,
  SYSTEM_TIMED_FAULTS,
  TIMED_FAULTS,
} from "@gatewright/runtime/simulation";
import { SCENARIOS } from "../../test/simulation/scenarios.ts";
import { replayOptions } from "./messages.ts";
import type { Ran } from "./pool.ts";

const KINDS = [...Object.keys(CALL_FAULTS), ...Object.keys(FRAME_FAULTS), ...Object.keys(TIMED_FAULTS)];
/** Those that only worlds with systems beside the server know. */
const SYSTEM_KINDS = [...Object.keys(SYSTEM_FAULTS), ...Object.keys(SYSTEM_TIMED_FAULTS)].filter(
  (kind) => !KINDS.includes(kind),
);
/** From so many runs on, a fault that never happened means that it cannot. */
const ENOUGH = 500;
const SHOWN = 20;

/** What many runs found. */
export class Tally {
  readonly #hits = new Map<string, number>();
  readonly #scenario: string;
  runs = 0;
  failed = 0;
  #moments = 0;

  constructor(scenario: string) {
    this.#scenario = scenario;
  }

  add(ran: Ran): void {
    this.runs++;
    this.#moments += ran.moments;
    for (const [site, count] of ran.hits) this.#hits.set(site, (this.#hits.get(site) ?? 0) + count);
    if (ran.violations.length === 0) return;
    this.failed++;
    if (this.failed > SHOWN) return;
    const options = replayOptions(ran.task);
    console.log(
      `\nFAIL ${options.slice(2)} (${ran.parts === undefined ? "" : `parts: ${ran.parts}; `}faults: ${ran.faults})`,
    );
    for (const { oracle, what } of ran.violations.slice(0, 5)) console.log(`  ${oracle}: ${what.slice(0, 600)}`);
    console.log(`  replay: npm run simulate -- --scenario ${this.#scenario} ${options} --trace`);
  }

  /** Prints what happened. Returns whether all is well. */
  summary(): boolean {
    const hasSystems = SCENARIOS.find(({ name }) => name === this.#scenario)?.systems !== undefined;
    const kinds = hasSystems ? [...KINDS, ...SYSTEM_KINDS] : KINDS;
    const never = kinds.filter((kind) => this.#ofKind(kind).length === 0);
    console.log(`\n${this.runs} runs, ${this.#moments} moments, ${this.failed} with violations`);
    for (const kind of kinds) {
      const sites = this.#ofKind(kind);
      const total = sites.reduce((sum, [, count]) => sum + count, 0);
      if (total > 0) console.log(`  ${kind.padEnd(16)} ${String(total).padStart(8)} times at ${sites.length} places`);
    }
    if (never.length > 0) console.log(`  never happened: ${never.join(", ")}`);
    return this.failed === 0 && (never.length === 0 || this.runs < ENOUGH);
  }

  #ofKind(kind: string): [string, number][] {
    return [...this.#hits].filter(([site]) => site.startsWith(`${kind} @ `));
  }
}
