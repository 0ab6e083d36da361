import type { Clock } from "@gatewright/ports";
import { nextTurn } from "@gatewright/ports";
import type { Deliverable, DeliverableKey } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import { StreamEndError } from "./stream-end-error.ts";
import { memberHash, setHash } from "./wire/set-hash.ts";
import { updateBytes } from "./wire/update-bytes.ts";
import type { UpdateBody } from "./wire/update-bytes.ts";
import { formatUpdateVersion } from "./wire/update-version.ts";

/** Sends an update. Resolves when the next one may be sent; undefined: at once. */
export type SendUpdate = (bytes: Uint8Array) => Promise<void> | undefined;

/** How long a gateway may take for an update. */
const ACKNOWLEDGE_MS = 60_000;
/** How many updates are written before others get their turn. */
const AT_ONCE = 64;

/** The updates of one stream: numbers them, says what the gateway has after each, and waits until it has said so. */
export class OutgoingUpdates {
  /** Of what the gateway has when everything that was sent is applied. */
  hash = 0n;
  readonly #clock: Clock;
  readonly #send: SendUpdate;
  readonly #pending = new Map<string, UpdateBody>();
  #sequence: bigint;
  #settled = (): void => {};

  constructor({
    clock,
    send,
    sequence,
  }: {
    readonly clock: Clock;
    readonly send: SendUpdate;
    readonly sequence: bigint;
  }) {
    this.#clock = clock;
    this.#send = send;
    this.#sequence = sequence;
  }

  /** Sends these in order, and resolves when all are acknowledged. `replaced`: what one of those that are set replaces. */
  async send(
    bodies: readonly UpdateBody[],
    replaced: (key: DeliverableKey) => Deliverable | bigint | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    for (const [index, body] of bodies.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
      signal.throwIfAborted();
      this.hash = after(this.hash, body, replaced);
      const sequence = this.#next();
      const version = formatUpdateVersion({ hash: this.hash, sequence });
      this.#pending.set(version, body);
      const isLast = index === bodies.length - 1;
      const full = this.#send(updateBytes(body, { version, sequence, at: this.#clock.now(), isLast }));
      if (full !== undefined) await full;
    }
    if (this.#pending.size > 0) await this.#acknowledgements(signal);
  }

  /** What was acknowledged, and with it all that was sent before; undefined when it was not sent, or was acknowledged already. */
  acknowledged(version: string): UpdateBody | undefined {
    const body = this.#pending.get(version);
    if (body === undefined) return undefined;
    for (const earlier of this.#pending.keys()) {
      this.#pending.delete(earlier);
      if (earlier === version) break;
    }
    if (this.#pending.size === 0) this.#settled();
    return body;
  }

  /** Microseconds, so that it goes on where another process ended; above what the gateway knows, whatever the clocks say. */
  #next(): bigint {
    const now = BigInt(Math.floor(this.#clock.now())) * 1000n;
    this.#sequence = now > this.#sequence ? now : this.#sequence + 1n;
    return this.#sequence;
  }

  #acknowledgements(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener("abort", stop);
        this.#settled = () => {};
      };
      const stop = (): void => {
        end();
        reject(signal.reason);
      };
      const cancel = this.#clock.timer(ACKNOWLEDGE_MS, () => {
        end();
        reject(new StreamEndError(`an update was not acknowledged within ${ACKNOWLEDGE_MS} ms`));
      });
      this.#settled = () => {
        end();
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }
}

function after(
  hash: bigint,
  body: UpdateBody,
  replaced: (key: DeliverableKey) => Deliverable | bigint | undefined,
): bigint {
  const set = (one: Deliverable): void => {
    const before = replaced(deliverableKey(one));
    if (before !== undefined) hash ^= typeof before === "bigint" ? before : memberHash(before);
    hash ^= memberHash(one);
  };
  switch (body.does) {
    case "replace":
      return setHash(body.set);
    case "change":
      for (const one of body.set) set(one);
      for (const one of body.removed) hash ^= memberHash(one);
      return hash;
    case "delete":
      return hash ^ memberHash(body.one);
    default:
      set(body.one);
      return hash;
  }
}
