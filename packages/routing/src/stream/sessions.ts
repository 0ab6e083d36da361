import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import { uuid } from "@gatewright/ports";
import type { operatorApi } from "@gatewright/gateway-wire";
import type { Deliverable } from "../model/deliverable.ts";
import type { Delivery } from "./delivery.ts";

/** A stream of a session. */
export interface OpenStream {
  readonly delivery: Delivery;
  /** The gateway said something. */
  heard(): void;
  /** All that the gateway is to have. */
  content(): readonly Deliverable[];
  /** Ends it so that the gateway comes back. Twice does nothing. */
  end(why: string): void;
}

/** A gateway that has registered. */
export interface Session {
  readonly id: string;
  readonly info: operatorApi.GatewayInfo;
  /** On the monotonic clock. */
  readonly registeredAt: number;
  heardAt: number;
  /** The connection whose caller was last found to be that gateway. */
  peer: string;
  /** Its stream, while there is one. */
  stream: OpenStream | undefined;
}

export interface SessionsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly heartbeatMs: number;
  /** Told of each that was not heard for three heartbeats. */
  readonly reaped: (session: Session) => void;
}

/** Who has registered and is still heard. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #all = new Map<string, Session>();
  #cancel: CancelTimer = () => {};

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Looks for the silent ones every heartbeat, until the signal aborts. */
  start(signal: AbortSignal): void {
    const look = (): void => {
      this.#reap();
      this.#cancel = this.#options.clock.timer(this.#options.heartbeatMs, look);
    };
    this.#cancel = this.#options.clock.timer(this.#options.heartbeatMs, look);
    signal.addEventListener("abort", () => this.#cancel(), { once: true });
  }

  register(info: operatorApi.GatewayInfo, peer: string): Session {
    const now = this.#options.clock.monotonic();
    const session: Session = {
      id: uuid(this.#options.random),
      info,
      registeredAt: now,
      heardAt: now,
      peer,
      stream: undefined,
    };
    this.#all.set(session.id, session);
    return session;
  }

  get(id: string): Session | undefined {
    return this.#all.get(id);
  }

  remove(session: Session): void {
    this.#all.delete(session.id);
  }

  all(): Iterable<Session> {
    return this.#all.values();
  }

  #reap(): void {
    const { clock, heartbeatMs, reaped } = this.#options;
    const oldest = clock.monotonic() - 3 * heartbeatMs;
    for (const session of this.#all.values()) {
      if (session.heardAt > oldest) continue;
      this.#all.delete(session.id);
      session.stream?.end("not heard for three heartbeats");
      reaped(session);
    }
  }
}
