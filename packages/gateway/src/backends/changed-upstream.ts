import type { Answer } from "../exchange/answer.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { Upstream, UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";

/** What is changed on the way to an endpoint and back. */
export interface UpstreamChanges {
  /**
   * The request as it is sent; never the given one changed, as other endpoints may be asked with that. When there is something to
   * wait for, a promise; it rejects when the request cannot be made, and then nothing was sent.
   */
  request?(request: UpstreamRequest): UpstreamRequest | Promise<UpstreamRequest>;
  /** Changes the answer's head in place. */
  answer?(request: UpstreamRequest, answer: Answer): void;
}

/** Connections that change what goes through them. */
export function changedUpstream(upstream: Upstream, changes: UpstreamChanges): Upstream {
  return {
    send(given) {
      const changed = changes.request?.(given) ?? given;
      if (changed instanceof Promise) return new Prepared(upstream, changed, changes);
      return changes.answer === undefined ? upstream.send(changed) : answered(upstream.send(changed), changed, changes);
    },
    get active() {
      return upstream.active;
    },
    get connections() {
      return upstream.connections;
    },
    close: () => upstream.close(),
  };
}

function answered(exchange: UpstreamExchange, request: UpstreamRequest, changes: UpstreamChanges): UpstreamExchange {
  return {
    answer: exchange.answer.then((answer) => {
      changes.answer?.(request, answer);
      return answer;
    }),
    cancel: (error) => exchange.cancel(error),
  };
}

/** A request that has to wait for something before it is sent. */
class Prepared implements UpstreamExchange {
  readonly answer: Promise<Answer>;
  #cancelled: Error | undefined;
  #exchange: UpstreamExchange | undefined;
  readonly #reject: (error: Error) => void;

  constructor(upstream: Upstream, preparing: Promise<UpstreamRequest>, changes: UpstreamChanges) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#reject = reject;
    preparing.then(
      (request) => {
        if (this.#cancelled !== undefined) return;
        this.#exchange = answered(upstream.send(request), request, changes);
        this.#exchange.answer.then(resolve, reject);
      },
      (error: unknown) =>
        reject(
          error instanceof UpstreamError
            ? error
            : new UpstreamError("connect", "what the backend wants with requests cannot be had", true),
        ),
    );
  }

  cancel(error: Error): void {
    this.#cancelled ??= error;
    if (this.#exchange === undefined) this.#reject(error);
    else this.#exchange.cancel(error);
  }
}
