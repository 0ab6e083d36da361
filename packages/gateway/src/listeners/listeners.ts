import { Listener } from "./listener.ts";
import type { ListenerParts } from "./listener.ts";
import { ListenerError } from "./listener-error.ts";
import type { ListenerSettings } from "./listener-settings.ts";

/** Where a listener listens. */
export interface BoundListener {
  readonly name: string;
  readonly address: string;
  /** The real one, also when any free one was asked for. */
  readonly port: number;
  readonly isTls: boolean;
  readonly connections: number;
}

/** All ports of the gateway. They follow the settings without losing connections: what is new is bound before what is old is left. */
export class Listeners {
  readonly #parts: ListenerParts;
  readonly #graceMs: number;
  readonly #bound = new Map<string, Listener>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #applying: Promise<unknown> = Promise.resolve();

  /** `graceMs`: how long connections of a listener that is left may finish what is under way. */
  constructor(parts: ListenerParts, graceMs = 30_000) {
    this.#parts = parts;
    this.#graceMs = graceMs;
  }

  /**
   * Makes these the listeners there are. Those that cannot be are told, and the others go on; one that cannot be changed goes on as it
   * was. Calls follow each other.
   */
  apply(settings: readonly ListenerSettings[], signal: AbortSignal): Promise<readonly ListenerError[]> {
    const applied = this.#applying.then(() => this.#apply(settings, signal));
    this.#applying = applied.catch(() => {});
    return applied;
  }

  get bound(): readonly BoundListener[] {
    return [...this.#bound.values()].map((listener) => ({
      name: listener.settings.name,
      address: listener.address.address,
      port: listener.address.port,
      isTls: listener.settings.tls !== undefined,
      connections: listener.connections,
    }));
  }

  /** Looks at once whether files of certificates have changed. */
  async checkCertificates(): Promise<void> {
    for (const { door } of this.#bound.values()) await door?.check();
  }

  /** Accepts nothing more, lets connections finish, and ends those that do not in time, or on abort. */
  async close(graceMs: number, signal: AbortSignal): Promise<void> {
    await this.#applying;
    const end = (): void => this.#end.abort();
    signal.addEventListener("abort", end, { once: true });
    const listeners = [...this.#bound.values()];
    this.#bound.clear();
    await Promise.all([...listeners.map((listener) => listener.drain(graceMs, signal)), ...this.#leaving]);
    signal.removeEventListener("abort", end);
  }

  async #apply(settings: readonly ListenerSettings[], signal: AbortSignal): Promise<ListenerError[]> {
    const failures: ListenerError[] = [];
    const wanted = new Map<string, ListenerSettings>();
    for (const one of settings) {
      const key = keyOf(one);
      const other = wanted.get(key);
      if (other === undefined) wanted.set(key, one);
      else
        failures.push(
          new ListenerError(
            "settings",
            one.name,
            `port ${one.port} is ${other.name}'s`,
            "give one of them another port",
          ),
        );
    }
    for (const [key, one] of wanted) {
      signal.throwIfAborted();
      try {
        await this.#make(key, one, wanted);
      } catch (error) {
        if (!(error instanceof ListenerError)) throw error;
        failures.push(error);
      }
    }
    for (const [key, listener] of this.#bound) if (!wanted.has(key)) this.#leave(key, listener);
    return failures;
  }

  async #make(key: string, settings: ListenerSettings, wanted: ReadonlyMap<string, ListenerSettings>): Promise<void> {
    const known = this.#bound.get(key);
    if (known !== undefined) {
      await known.change(settings);
      return;
    }
    try {
      this.#bound.set(key, await Listener.bind(settings, this.#parts));
    } catch (error) {
      // The port may be taken by one of ours that is to go: then there is no other way than to leave it first.
      const own = [...this.#bound].filter(
        ([other, { address }]) => !wanted.has(other) && address.port === settings.port,
      );
      if (!(error instanceof ListenerError) || error.code !== "port_taken" || own.length === 0) throw error;
      for (const [other, listener] of own) this.#leave(other, listener);
      this.#bound.set(key, await Listener.bind(settings, this.#parts));
    }
  }

  #leave(key: string, listener: Listener): void {
    this.#bound.delete(key);
    const left = listener.drain(this.#graceMs, this.#end.signal);
    this.#leaving.add(left);
    void left.then(() => this.#leaving.delete(left));
  }
}

/** What a socket is bound to. Any free port is another one for each listener. */
function keyOf({ name, address, port, reusePort }: ListenerSettings): string {
  const shared = reusePort === true ? " shared" : "";
  return port === 0 ? `${address ?? "*"} any ${name}${shared}` : `${address ?? "*"} ${port}${shared}`;
}
