import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import { whenSettled } from "../exchange/coming.ts";
import type { Waiting } from "../exchange/coming.ts";
import type { Exchange, Sent } from "../exchange/exchange.ts";
import type { Call } from "./call.ts";
import { asGrpc } from "./grpc-status.ts";
import type { Observer } from "./observer.ts";
import type { TableLease } from "./pipeline.ts";

/** What is answered. `call` is undefined when no route took the request. */
export interface Answered {
  readonly exchange: Exchange;
  readonly call: Call | undefined;
  readonly isGrpc: boolean;
  readonly startedAt: number;
}

/** An answer on its way out: when it is over, what the request held is let go, and those who watch are told. */
export class Sending implements Waiting<Sent> {
  readonly #parts: { readonly clock: Clock; readonly observer: Observer };
  readonly #lease: TableLease;
  readonly #answered: Answered;
  readonly #timer: CancelTimer | undefined;
  #status = 0;
  #origin: string | undefined;

  /** `timer` is that of the whole request; it goes on until the answer is sent. */
  constructor(
    parts: { readonly clock: Clock; readonly observer: Observer },
    lease: TableLease,
    answered: Answered,
    timer: CancelTimer | undefined,
  ) {
    this.#parts = parts;
    this.#lease = lease;
    this.#answered = answered;
    this.#timer = timer;
  }

  /** Once. */
  begin(given: Answer): void {
    const { status, origin, fields } = given;
    const { exchange, isGrpc } = this.#answered;
    this.#status = status;
    this.#origin = origin;
    // A tunnel lasts as long as both ends like.
    if (status === 101) this.#timer?.();
    const answer = isGrpc && origin !== undefined && !fields.has("grpc-status") ? asGrpc(given, origin) : given;
    whenSettled(exchange.send(answer), this);
  }

  came({ bytes, failure }: Sent): void {
    const { clock, observer } = this.#parts;
    const { exchange, call, startedAt } = this.#answered;
    this.#timer?.();
    this.#lease.release();
    const tookMs = clock.monotonic() - startedAt;
    observer.ended({
      exchange,
      call,
      status: this.#status,
      origin: this.#origin,
      sentBytes: bytes,
      failure,
      tookMs,
    });
  }

  failed(error: unknown): void {
    this.#parts.observer.fault("send", error);
  }
}
