import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import type { Backend, Endpoint } from "../backends/backend.ts";
import type { Answer } from "../exchange/answer.ts";
import { forget } from "../exchange/bodies.ts";
import type { Source } from "../exchange/body.ts";
import { Coming, whenSettled } from "../exchange/coming.ts";
import type { Waiting } from "../exchange/coming.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { CallAborted } from "../pipeline/call-aborted.ts";
import type { Call } from "../pipeline/call.ts";
import { UpstreamError } from "../upstream/upstream.ts";
import type { UpstreamExchange } from "../upstream/upstream.ts";
import { backoffMs } from "./backoff.ts";
import { ReplayableBody } from "./replayable-body.ts";
import type { RetryBudget } from "./retry-budget.ts";
import { isHarmless, retriesAnswer, retriesFailure } from "./retry-policy.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { failureAnswer, judgedStatus, refusalAnswer } from "./upstream-answer.ts";

/** How much of a body is kept for another try. */
const REPLAY_BYTES = 64 * 1024;
/** Up to this size answers that are dropped are read. */
const READ_BYTES = 16 * 1024;
/** The word for calls that were not tried again because too many were. */
const OUT_OF_BUDGET = "retry_budget";
const NONE: ReadonlySet<Endpoint> = new Set();

/** What all calls of a route are tried with. */
export interface AttemptParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: RetryPolicy;
}

/** Where a call goes, and as what. */
export interface Onward {
  readonly backend: Backend;
  readonly budget: RetryBudget;
  readonly authority: string;
  readonly target: string;
  readonly body: Source | undefined;
}

/**
 * One call's tries. At any time at most one request is under way; whatever happens, each endpoint that was picked is told once how it
 * went, and the retry budget gets back what was taken.
 */
export class Attempts implements Waiting<Answer> {
  readonly answer = new Coming<Answer>();
  readonly #call: Call;
  readonly #parts: AttemptParts;
  readonly #onward: Onward;
  readonly #body: ReplayableBody | undefined;
  #tried: Set<Endpoint> | undefined;
  /** Who was asked last. */
  #last: Endpoint | undefined;
  /** Who is being asked, and has not been told yet how it went. */
  #endpoint: Endpoint | undefined;
  #exchange: UpstreamExchange | undefined;
  #retries = 0;
  #holdsRetry = false;
  #timer: CancelTimer | undefined;
  #isTimedOut = false;
  #isOver = false;

  constructor(call: Call, onward: Onward, parts: AttemptParts) {
    this.#call = call;
    this.#onward = onward;
    this.#parts = parts;
    const { body } = onward;
    this.#body =
      body === undefined || call.head.upgrade !== undefined
        ? undefined
        : new ReplayableBody(body, REPLAY_BYTES, () => this.#limitTry());
  }

  start(): void {
    this.#onward.budget.began();
    this.#call.trail.backend = this.#onward.backend.id;
    this.#call.onAbort((reason) => this.#aborted(reason));
    if (!this.#isOver) this.#try();
  }

  /** Tries once. When no endpoint takes a retry, what happened last is the answer. */
  #try(last?: () => Answer): void {
    const call = this.#call;
    const { backend, authority, target, body } = this.#onward;
    const picked = backend.pick(call, this.#tried ?? NONE);
    if ("refused" in picked) {
      call.trail.flag = picked.refused;
      if (this.#body === undefined) body?.cancel();
      this.#deliver(last === undefined ? refusalAnswer(picked) : last());
      return;
    }
    const { trail, head } = call;
    trail.endpoint = picked.address;
    trail.attempts++;
    this.#endpoint = picked;
    this.#last = picked;
    this.#isTimedOut = false;
    if (this.#body === undefined || this.#body.isOver) this.#limitTry();
    let exchange: UpstreamExchange;
    try {
      exchange = picked.upstream.send({
        method: head.method,
        scheme: head.scheme,
        authority,
        target,
        fields: head.fields,
        body: this.#body === undefined ? body : this.#body.reading(),
        upgrade: head.upgrade,
      });
    } catch (error) {
      this.failed(error);
      return;
    }
    this.#exchange = exchange;
    if (this.#isOver) exchange.cancel(new Error("the call was over before it was sent"));
    whenSettled(exchange.answer, this);
  }

  /** A try's time begins when the whole request is there: a client that sends slowly is not the backend's fault. */
  #limitTry(): void {
    const { perTryMs } = this.#parts.policy;
    if (perTryMs === undefined || this.#endpoint === undefined || this.#timer !== undefined) return;
    this.#timer = this.#parts.clock.timer(perTryMs, () => this.#timedOut());
  }

  came(answer: Answer): void {
    if (this.#isOver) {
      answer.body?.cancel();
      return;
    }
    if (this.#isTimedOut) {
      answer.body?.cancel();
      this.failed(tooSlow());
      return;
    }
    const call = this.#call;
    this.#tell(judgedStatus(call, answer));
    if (retriesAnswer(this.#parts.policy, call, answer) && this.#mayRetry(false)) {
      this.#discard(answer);
      this.#again(false, () => localAnswer(answer.status, "upstream_failed", "the backend failed"));
      return;
    }
    if (call.trail.flag !== OUT_OF_BUDGET) call.trail.flag = "";
    this.#deliver(answer);
  }

  failed(error: unknown): void {
    if (this.#isOver) return;
    // What is no failure of the backend, such as a body of the client that breaks off, does not speak against it.
    // Nor does a kept connection that it closed as a request came.
    this.#tell(error instanceof UpstreamError && !error.stale ? undefined : 499);
    if (!(error instanceof UpstreamError)) {
      this.#body?.cancel();
      this.#end();
      this.answer.failed(error);
      return;
    }
    const { failure } = error;
    const unseen = error.unseen || (error.stale && isHarmless(this.#call));
    const answer = failureAnswer(failure);
    this.#call.trail.flag = answer.origin ?? "";
    if (retriesFailure(this.#parts.policy, this.#call, failure, unseen) && this.#mayRetry(unseen))
      this.#again(unseen, () => answer);
    else this.#deliver(answer);
  }

  #timedOut(): void {
    this.#timer = undefined;
    this.#isTimedOut = true;
    this.#exchange?.cancel(tooSlow());
  }

  #aborted(reason: Error): void {
    if (this.#isOver) {
      this.#body?.cancel();
      this.#exchange?.cancel(reason);
      return;
    }
    const exchange = this.#exchange;
    this.#tell(reason instanceof CallAborted && reason.reason === "client_gone" ? 499 : undefined);
    this.#end();
    this.#body?.cancel();
    exchange?.cancel(reason);
    this.answer.failed(reason);
  }

  /**
   * Whether there may be another try, and if so takes it from the budget. The first try of what nobody has seen costs nothing: it adds
   * no work to what the backend was asked for.
   */
  #mayRetry(unseen: boolean): boolean {
    const { policy } = this.#parts;
    if (this.#retries >= policy.retries || this.#call.head.upgrade !== undefined) return false;
    if (this.#body !== undefined && !this.#body.canReplay) return false;
    if (unseen && this.#retries === 0) return true;
    if (!this.#onward.budget.take(policy.budgetPercent)) {
      this.#call.trail.flag = OUT_OF_BUDGET;
      return false;
    }
    this.#holdsRetry = true;
    return true;
  }

  /** Tries again: at once what nobody has seen and fails for the first time, else after a while. */
  #again(unseen: boolean, last: () => Answer): void {
    this.#exchange = undefined;
    this.#retries++;
    if (this.#last !== undefined) (this.#tried ??= new Set()).add(this.#last);
    if (unseen && this.#retries === 1) {
      this.#try(last);
      return;
    }
    const { clock, random, policy } = this.#parts;
    this.#timer = clock.timer(backoffMs(this.#retries, policy, random), () => {
      this.#timer = undefined;
      this.#try(last);
    });
  }

  /** Lets go of an answer that is not given to the client. A short one is read, so that its connection can be used again. */
  #discard({ body }: Answer): void {
    const isSent = this.#body === undefined || this.#body.isOver;
    if (isSent && body === undefined) return;
    if (isSent && body?.length !== undefined && body.length <= READ_BYTES) {
      forget(body);
      return;
    }
    body?.cancel();
    this.#exchange?.cancel(new Error("the request is tried elsewhere"));
  }

  /** Tells the endpoint how its request went, and ends what belongs to the try. */
  #tell(status: number | undefined): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#holdsRetry) {
      this.#holdsRetry = false;
      this.#onward.budget.giveBack();
    }
    const endpoint = this.#endpoint;
    if (endpoint === undefined) return;
    this.#endpoint = undefined;
    endpoint.ended(status);
  }

  #deliver(answer: Answer): void {
    this.#tell(undefined);
    this.#end();
    this.#body?.settle();
    this.answer.came(answer);
  }

  #end(): void {
    this.#isOver = true;
    this.#onward.budget.ended();
  }
}

const tooSlow = (): UpstreamError => new UpstreamError("timeout", "the backend took too long", false);
