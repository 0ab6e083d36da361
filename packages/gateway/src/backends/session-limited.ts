import type { Answer } from "../exchange/answer.ts";
import type { SessionGate } from "../filters/max-sessions-gate.ts";
import { toldAtEnd } from "../filters/max-sessions.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { Upstream, UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";

/** Connections of a backend that takes so many requests at the same time, on all its endpoints together. */
export function sessionLimited(upstream: Upstream, gate: SessionGate): Upstream {
  return {
    send: (request) => new Session(upstream, gate, request),
    get active() {
      return upstream.active;
    },
    get connections() {
      return upstream.connections;
    },
    close: () => upstream.close(),
  };
}

/** A request from before it has its place until its answer's last byte. */
class Session implements UpstreamExchange {
  readonly answer: Promise<Answer>;
  readonly #gate: SessionGate;
  #exchange: UpstreamExchange | undefined;
  #cancelled: Error | undefined;

  constructor(upstream: Upstream, gate: SessionGate, request: UpstreamRequest) {
    this.#gate = gate;
    const entered = gate.enter(this);
    this.answer =
      entered === true
        ? this.#send(upstream, request)
        : Promise.resolve(entered).then((did) => {
            if (this.#cancelled !== undefined) throw this.#cancelled;
            if (!did) throw new UpstreamError("overflow", "the backend has too many requests at the same time", true);
            return this.#send(upstream, request);
          });
  }

  cancel(error: Error): void {
    this.#cancelled ??= error;
    this.#exchange?.cancel(error);
    this.#gate.leave(this);
  }

  #send(upstream: Upstream, request: UpstreamRequest): Promise<Answer> {
    this.#exchange = upstream.send(request);
    return this.#exchange.answer.then(
      (answer) => {
        if (answer.body === undefined) this.#gate.leave(this);
        else answer.body = toldAtEnd(answer.body, () => this.#gate.leave(this));
        return answer;
      },
      (error: unknown) => {
        this.#gate.leave(this);
        throw error;
      },
    );
  }
}
