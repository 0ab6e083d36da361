import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { BodyTooLargeError } from "../exchange/limited-source.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { MatchedRoute, RouteTable } from "../table/route-table.ts";
import { CallAborted } from "./call-aborted.ts";
import { clientBehind, writeForwarded } from "./forwarded.ts";
import type { TrustedProxies } from "./forwarded.ts";
import { asGrpc } from "./grpc-status.ts";
import { LiveCall } from "./live-call.ts";
import type { Observer } from "./observer.ts";

/** What the pipeline works with. */
export interface PipelineParts {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly proxies: TrustedProxies;
  /** The table of the moment; a request keeps the one that it began with. */
  lease(): TableLease;
}

/** A table in use: `release` when a request that began with it is over. */
export interface TableLease {
  readonly table: RouteTable;
  release(): void;
}

/** What is done with every request: match, filters, action, filters back, send. A promise is awaited only where there is one. */
export class Pipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Answers an exchange, sooner or later. Never throws. */
  handle(exchange: Exchange): void {
    const { clock, observer, proxies } = this.#parts;
    const startedAt = clock.monotonic();
    const lease = this.#parts.lease();
    const { head, client } = exchange;
    const cut = head.target.indexOf("?");
    const path = cut === -1 ? head.target : head.target.slice(0, cut);
    const query = cut === -1 ? "" : head.target.slice(cut + 1);
    const isGrpc = head.fields.get("content-type")?.startsWith("application/grpc") ?? false;
    let matched: MatchedRoute | undefined;
    try {
      matched = lease.table.match({ head, path, query, isGrpc });
    } catch (error) {
      observer.fault("match", error);
    }
    if (matched === undefined) {
      const answer = localAnswer(404, "no_route", "no route for this request");
      this.#send(exchange, undefined, answer, isGrpc, startedAt, lease, undefined);
      return;
    }
    const trusted = proxies.trusts(client.address);
    const clientAddress = trusted ? clientBehind(client.address, head.fields, proxies) : client.address;
    const call = new LiveCall(
      exchange,
      matched.route,
      matched.parameters,
      { path, query },
      { clientAddress, isGrpc, startedAt },
    );
    writeForwarded(head.fields, client.address, head.scheme, head.authority, trusted);
    new Passage(call, this.#parts, (answer, timer) =>
      this.#send(exchange, call, answer, isGrpc, startedAt, lease, timer),
    ).begin();
  }

  #send(
    exchange: Exchange,
    call: LiveCall | undefined,
    given: Answer,
    isGrpc: boolean,
    startedAt: number,
    lease: TableLease,
    timer: CancelTimer | undefined,
  ): void {
    const { clock, observer } = this.#parts;
    const { status, origin } = given;
    const answer = isGrpc && origin !== undefined && !given.fields.has("grpc-status") ? asGrpc(given, origin) : given;
    // A tunnel lasts as long as both ends like.
    if (status === 101) timer?.();
    void exchange.send(answer).then(({ bytes, failure }) => {
      timer?.();
      lease.release();
      const tookMs = clock.monotonic() - startedAt;
      observer.ended({ exchange, call, status, origin, sentBytes: bytes, failure, tookMs });
    });
  }
}

/** One call's way there and back. */
class Passage {
  readonly #call: LiveCall;
  readonly #parts: PipelineParts;
  readonly #send: (answer: Answer, timer: CancelTimer | undefined) => void;
  #timer: CancelTimer | undefined;

  constructor(call: LiveCall, parts: PipelineParts, send: (answer: Answer, timer: CancelTimer | undefined) => void) {
    this.#call = call;
    this.#parts = parts;
    this.#send = send;
  }

  begin(): void {
    const call = this.#call;
    const { timeoutMs } = call.route;
    call.exchange.onGone(() => call.abort(new CallAborted("client_gone")));
    if (timeoutMs !== undefined) this.#timer = this.#parts.clock.timer(timeoutMs, this.#timedOut);
    this.#parts.observer.started(call);
    this.#ask(0);
  }

  readonly #timedOut = (): void => {
    this.#call.abort(new CallAborted("timeout"));
    this.#answer(localAnswer(504, "timeout", "the request took too long"));
  };

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
          got.then((answer) => (answer === undefined ? this.#ask(at + 1) : this.#back(answer)), this.#failed);
          return;
        }
        this.#back(got);
        return;
      }
      const acted = call.route.act(call);
      if (acted instanceof Promise) acted.then((answer) => this.#back(answer), this.#failed);
      else this.#back(acted);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Shows the answer to the filters that were asked, the last first. */
  #back(answer: Answer): void {
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
          got.then((changed) => this.#back(changed), this.#failed);
          return;
        }
        current = got;
      }
    } catch (error) {
      current.body?.cancel();
      this.#failed(error);
      return;
    }
    this.#answer(current);
  }

  readonly #failed = (error: unknown): void => {
    const call = this.#call;
    if (error instanceof CallAborted) {
      const { reason } = error;
      this.#answer(localAnswer(reason === "timeout" ? 504 : 499, reason, error.message));
      return;
    }
    if (error instanceof BodyTooLargeError) {
      this.#back(localAnswer(413, "body_too_large", "the body of the request is too large"));
      return;
    }
    this.#parts.observer.fault(call.route.id, error);
    call.abort(error instanceof Error ? error : new Error("the gateway failed"));
    this.#answer(localAnswer(500, "internal", "the gateway failed to handle this request"));
  };

  #answer(answer: Answer): void {
    const call = this.#call;
    if (call.answered) {
      answer.body?.cancel();
      return;
    }
    call.answered = true;
    this.#send(answer, this.#timer);
  }
}
