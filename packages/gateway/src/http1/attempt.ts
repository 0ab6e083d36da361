import type { Answer } from "../exchange/answer.ts";
import { Coming } from "../exchange/coming.ts";
import type { UpstreamExchange, UpstreamRequest } from "../upstream/upstream.ts";

/** Who can end an attempt: the pool while it waits, then its connection. */
export interface AttemptHolder {
  cancelled(attempt: Attempt, error: Error): void;
}

/** One request on its way to a backend. */
export class Attempt implements UpstreamExchange {
  readonly request: UpstreamRequest;
  readonly answer = new Coming<Answer>();
  /** Who has it now. Undefined: it is over. */
  holder: AttemptHolder | undefined;

  constructor(request: UpstreamRequest, holder: AttemptHolder) {
    this.request = request;
    this.holder = holder;
  }

  cancel(error: Error): void {
    this.holder?.cancelled(this, error);
  }

  /** The head of the answer is here. */
  answered(answer: Answer): void {
    this.answer.came(answer);
  }

  /** There will be no answer. Does nothing when there is one. */
  failed(error: Error): void {
    this.holder = undefined;
    this.request.body?.cancel();
    this.answer.failed(error);
  }
}
