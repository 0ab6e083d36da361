import { deadline } from "@gatewright/ports";
import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import { fraction } from "../balancing/fraction.ts";
import { stepHealth, UNKNOWN_HEALTH } from "./health.ts";
import type { Health } from "./health.ts";
import type { HealthPlan } from "./health-plan.ts";

/** Asks once. True: healthy. What it throws counts as no. */
export type HealthCheck = (signal: AbortSignal) => Promise<boolean>;

/** How much earlier or later than its interval a check comes, so that gateways and endpoints do not beat in time. */
const JITTER = 0.1;

/** Asks one endpoint over and over whether it is healthy: one for an endpoint, however many routes lead to it. */
export class HealthChecker {
  readonly #plan: HealthPlan;
  readonly #check: HealthCheck;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #passed: () => void;
  readonly #stop = new AbortController();
  #timer: CancelTimer | undefined;
  #health: Health = UNKNOWN_HEALTH;

  /** `passed` is told of every check that an endpoint passes while it counts as healthy. */
  constructor(plan: HealthPlan, check: HealthCheck, clock: Clock, random: Random, passed: () => void) {
    this.#plan = plan;
    this.#check = check;
    this.#clock = clock;
    this.#random = random;
    this.#passed = passed;
  }

  get healthy(): boolean {
    return this.#health.is !== "unhealthy";
  }

  /** Begins with the first check at once. Once. */
  start(): void {
    void this.#ask();
  }

  stop(): void {
    this.#timer?.();
    this.#stop.abort();
  }

  async #ask(): Promise<void> {
    using limit = deadline(this.#clock, this.#plan.timeoutMs, this.#stop.signal);
    const passed = await this.#answer(limit.signal);
    if (this.#stop.signal.aborted) return;
    this.#health = stepHealth(this.#health, passed, this.#plan);
    if (passed && this.healthy) this.#passed();
    const { intervalMs } = this.#plan;
    const wait = intervalMs * (1 - JITTER + 2 * JITTER * fraction(this.#random));
    this.#timer = this.#clock.timer(wait, () => void this.#ask());
  }

  /** False as soon as the signal aborts, whether or not the check heeds it. */
  #answer(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(false), { once: true });
      // Whatever a check fails with, it says that the endpoint is not healthy.
      this.#check(signal).then(resolve, () => resolve(false));
    });
  }
}
