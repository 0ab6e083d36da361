import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/telemetry";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";
import type { ListenerError } from "../listeners/listener-error.ts";
import { ToldOnce } from "./told-once.ts";

/** Who listens. */
interface Listening {
  listen(settings: GatewaySettings, signal: AbortSignal): Promise<readonly ListenerError[]>;
}

/** When a port is tried again that could not be had. */
const AGAIN_MS = 5000;

/** Keeps listeners as the settings of the moment say. What cannot be had is logged once and tried again. */
export class ListeningAsSet {
  readonly #listeners: Listening;
  readonly #parts: { readonly clock: Clock; readonly log: Log };
  readonly #signal: AbortSignal;
  readonly #told = new ToldOnce();
  #applying: Promise<unknown> = Promise.resolve();
  #again: CancelTimer = () => {};

  constructor(listeners: Listening, parts: { readonly clock: Clock; readonly log: Log }, signal: AbortSignal) {
    this.#listeners = listeners;
    this.#parts = parts;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#again(), { once: true });
  }

  /** Listens for the first time. Rejects when no listener can. */
  async begin(settings: GatewaySettings): Promise<void> {
    const failures = await this.#listen(settings);
    const [failure] = failures;
    if (failure !== undefined && failures.length === settings.listeners.length) throw failure;
  }

  /** Listens as these say; soon. */
  apply(settings: GatewaySettings): void {
    this.#applying = this.#applying.then(() => this.#listen(settings));
  }

  /** Resolves when the settings that were given last are applied. */
  async settled(): Promise<void> {
    await this.#applying;
  }

  async #listen(settings: GatewaySettings): Promise<readonly ListenerError[]> {
    this.#again();
    if (this.#signal.aborted) return [];
    const { clock, log } = this.#parts;
    let failures: readonly ListenerError[];
    try {
      failures = await this.#listeners.listen(settings, this.#signal);
    } catch (error) {
      if (!this.#signal.aborted) log.error("The listeners could not be changed", { error });
      return [];
    }
    for (const { message, listener } of this.#told.fresh("listeners", failures, (one) => one.message))
      log.error("A listener does not listen as its settings say", { listener, problem: message });
    if (failures.some(({ isRetryable }) => isRetryable))
      this.#again = clock.timer(AGAIN_MS, () => this.apply(settings));
    return failures;
  }
}
