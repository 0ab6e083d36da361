import type { CancelTimer } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import { Coming, whenSettled } from "../exchange/coming.ts";
import type { Waiting } from "../exchange/coming.ts";
import { BodyTooLargeError } from "../exchange/limited-source.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { CallAborted } from "./call-aborted.ts";
import type { LiveCall } from "./live-call.ts";
import type { PipelineParts, TableLease } from "./pipeline.ts";
import { Sending } from "./sending.ts";

/** One call's way there and back. */
export class Passage implements Waiting<Answer> {
  readonly #call: LiveCall;
  readonly #parts: PipelineParts;
  readonly #lease: TableLease;
  #timer: CancelTimer | undefined;

  constructor(call: LiveCall, parts: PipelineParts, lease: TableLease) {
    this.#call = call;
    this.#parts = parts;
    this.#lease = lease;
  }

  begin(): void {
    const call = this.#call;
    const { timeoutMs } = call.route;
    call.exchange.onGone(() => call.abort(new CallAborted("client_gone")));
    if (timeoutMs !== undefined) this.#timer = this.#parts.clock.timer(timeoutMs, () => this.#timedOut());
    this.#parts.observer.started(call);
    this.#ask(0);
  }

  #timedOut(): void {
    this.#call.abort(new CallAborted("timeout"));
    this.#answer(localAnswer(504, "timeout", "the request took too long"));
  }

  /** Asks the filters from this one on, then acts. */
  #ask(from: number): void {
    const call = this.#call;
    const { filters } = call.route;
    try {
      for (let at = from; at < filters.length; at++) {
        call.reached = at;
        const got = filters[at]?.request?.(call);
        if (got === undefined) continue;
        if (got instanceof Promise) {
          got.then(
            (answer) => (answer === undefined ? this.#ask(at + 1) : this.came(answer)),
            (error: unknown) => this.failed(error),
          );
          return;
        }
        this.came(got);
        return;
      }
      const acted = call.route.act(call);
      if (acted instanceof Coming || acted instanceof Promise) whenSettled(acted, this);
      else this.came(acted);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Shows the answer to the filters that were asked, the last first. */
  came(answer: Answer): void {
    const call = this.#call;
    if (call.answered) {
      answer.body?.cancel();
      return;
    }
    const { filters } = call.route;
    let current = answer;
    try {
      while (call.reached >= 0) {
        const filter = filters[call.reached--];
        if (filter?.response === undefined) continue;
        const got = filter.response(call, current);
        if (got instanceof Promise) {
          whenSettled(got, this);
          return;
        }
        current = got;
      }
    } catch (error) {
      current.body?.cancel();
      this.failed(error);
      return;
    }
    this.#answer(current);
  }

  failed(error: unknown): void {
    const call = this.#call;
    if (error instanceof CallAborted) {
      const { reason } = error;
      this.#answer(localAnswer(reason === "timeout" ? 504 : 499, reason, error.message));
      return;
    }
    if (error instanceof BodyTooLargeError) {
      this.came(localAnswer(413, "body_too_large", "the body of the request is too large"));
      return;
    }
    this.#parts.observer.fault(call.route.id, error);
    call.abort(error instanceof Error ? error : new Error("the gateway failed"));
    this.#answer(localAnswer(500, "internal", "the gateway failed to handle this request"));
  }

  #answer(answer: Answer): void {
    const call = this.#call;
    if (call.answered) {
      answer.body?.cancel();
      return;
    }
    call.answered = true;
    new Sending(
      this.#parts,
      this.#lease,
      { exchange: call.exchange, call, isGrpc: call.isGrpc, startedAt: call.startedAt },
      this.#timer,
    ).begin(answer);
  }
}
