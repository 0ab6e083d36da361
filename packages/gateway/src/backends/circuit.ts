import type { Clock } from "@gatewright/ports";
import { CLOSED, mayGo, stepCircuit } from "./circuit-breaker.ts";
import type { Circuit, CircuitSettings } from "./circuit-breaker.ts";

/** The era of a request that went while the circuit was closed. */
export type Era = number | undefined;

/** A backend's circuit as it is now. */
export class LiveCircuit {
  readonly #settings: CircuitSettings;
  readonly #clock: Clock;
  #circuit: Circuit = CLOSED;

  constructor(settings: CircuitSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  get at(): Circuit["at"] {
    return this.#circuit.at;
  }

  /** Whether a request may go, and as what: every request that may has to end. */
  ask(): { readonly era: Era } | "no" {
    const before = this.#circuit;
    if (before.at === "closed") return WHILE_CLOSED;
    this.#circuit = stepCircuit(before, { type: "ask", now: this.#clock.monotonic() }, this.#settings);
    return mayGo(before, this.#circuit) ? { era: this.#circuit.era } : "no";
  }

  ended(ok: boolean, era: Era): void {
    const circuit = this.#circuit;
    if (ok && circuit.at === "closed" && circuit.failures === 0) return;
    this.#circuit = stepCircuit(circuit, { type: "ended", ok, now: this.#clock.monotonic(), era }, this.#settings);
  }

  abandoned(era: Era): void {
    this.#circuit = stepCircuit(this.#circuit, { type: "abandoned", era }, this.#settings);
  }
}

const WHILE_CLOSED = { era: undefined };
