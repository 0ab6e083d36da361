import { codecOf, loadModel, MalformedError, signRequest } from "@gatewright/aws-wire";
import type { AwsCredentials, ServiceModel, ServiceName, WireError, WireResponse } from "@gatewright/aws-wire";
import { deadline, sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { rememberFacts } from "./answer-facts.ts";
import { AwsCallError } from "./aws-call-error.ts";
import type { AwsErrorKind } from "./aws-call-error.ts";
import { bodyDigest } from "./body-digest.ts";
import type { CallObserver, TryObserver } from "./call-observer.ts";
import { bodilessCode, classify } from "./classify.ts";
import { endpointOf } from "./endpoint.ts";
import { RetryBudget } from "./retry-budget.ts";
import type { Patience } from "./retry-budget.ts";
import { NotSentError } from "./send.ts";
import type { Send } from "./send.ts";
import { ServerClock } from "./server-clock.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** Whose keys sign. Asked for every try, so that keys may change; must answer fast and keep what it fetched. */
export interface CredentialSource {
  (signal: AbortSignal): Promise<AwsCredentials>;
  /** Hears that AWS calls keys of its ended, whatever the clock here says. */
  ended?(keys: AwsCredentials): void;
}

export interface CallerOptions {
  readonly region: string;
  readonly credentials: CredentialSource;
  /** One URL for all services, for what is not AWS itself. Default: AWS's own. */
  readonly endpoint?: string;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  readonly patience?: Patience;
  /**
   * Called before every try of a call that changes something, at the last moment. What it throws is what the call rejects with, and
   * nothing was sent: `() => manager.gate.check()` keeps a process that does not lead from changing AWS. Default: always open.
   */
  readonly gate?: () => void;
  /** Keeps calls within the rates of the account. Default: as fast as they come. */
  readonly budgets?: CallBudgets;
  /** Told of every try that has ended, those that are made again too. Must not throw. Default: nobody is. */
  readonly onCall?: CallObserver;
  /** Told of every try before it is made: traces are made from it. Must not throw. Default: nobody is. */
  readonly onTry?: TryObserver;
}

/** Who says when a call may be made. */
export interface CallBudgets {
  /** Resolves when the call may leave; asked before every try. Rejects only with the reason of the signal. */
  take(call: CallRequest, signal: AbortSignal): Promise<void>;
}

/** A call as its service's file describes it. */
export interface CallRequest {
  readonly service: ServiceName;
  readonly operation: string;
  /** Made twice it does no more than made once. Others are not tried again unless it is certain that nothing was done. */
  readonly repeatable: boolean;
  readonly input: object;
}

/** Makes a call: signed, decoded, tried again where that helps and harms nobody. Rejects with {@link AwsCallError}, or as aborted. */
export type Caller = (request: CallRequest, signal: AbortSignal) => Promise<object>;

const ATTEMPT_MS = 30_000;
/** What proves who asks by a token in it; AWS refuses it when keys that it does not know sign it. */
const UNSIGNED: ReadonlySet<string> = new Set(["AssumeRoleWithWebIdentity"]);
/** What AWS says of keys that have ended; the last is EC2's word, which it also has for clocks that are wrong. */
const ENDED: ReadonlySet<string> = new Set(["ExpiredToken", "ExpiredTokenException", "RequestExpired"]);
const REFUSALS: ReadonlySet<AwsErrorKind> = new Set(["absent", "throttled", "terminal"]);
const READS = /^(?:Describe|Get|Head|List|Search|Test)[A-Z]/;

/** How calls are made, for all services; retries of each come out of a stock of its own. */
export function createCaller(options: CallerOptions): Caller {
  const { clock, random, patience = {} } = options;
  const budgets = new Map<ServiceName, RetryBudget>();
  const serverClock = new ServerClock();
  const budgetOf = (service: ServiceName): RetryBudget => {
    const budget = budgets.get(service) ?? new RetryBudget(clock, random, patience);
    budgets.set(service, budget);
    return budget;
  };
  return async (request, signal) => {
    const model = await loadModel(request.service);
    const budget = budgetOf(request.service);
    let begun: number | undefined;
    let didNothing = true;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      await options.budgets?.take(request, signal);
      const tried = clock.monotonic();
      begun ??= tried;
      const tell = (failure?: AwsCallError): void =>
        options.onCall?.({
          service: request.service,
          operation: request.operation,
          outcome: failure?.kind ?? "ok",
          code: failure?.code,
          ms: clock.monotonic() - tried,
        });
      const ended = options.onTry?.(request);
      try {
        const output = await tryOnce(options, serverClock, model, { ...request, didNothing }, signal);
        budget.succeeded();
        tell();
        ended?.();
        return output;
      } catch (error) {
        ended?.(error);
        signal.throwIfAborted();
        if (error instanceof AwsCallError) tell(error);
        const kind = error instanceof AwsCallError ? error.kind : undefined;
        didNothing = error instanceof AwsCallError && error.didNothing;
        const pause = kind === "throttled" || kind === "retry" ? budget.pause(kind, attempt, begun) : undefined;
        if (pause === undefined) throw error;
        await sleep(clock, pause, signal);
      }
    }
  };
}

/** A request that is tried, perhaps again. */
interface Try extends CallRequest {
  /** No try before this one can have done anything. */
  readonly didNothing: boolean;
}

async function tryOnce(
  options: CallerOptions,
  serverClock: ServerClock,
  model: ServiceModel,
  { service, operation, input, repeatable, didNothing }: Try,
  parent: AbortSignal,
): Promise<object> {
  const codec = codecOf(model);
  const { url, region } = endpointOf(service, options.region, options.endpoint);
  const credentials = UNSIGNED.has(operation) ? undefined : await options.credentials(parent);
  const encoded = codec.encodeRequest(model, operation, input);
  const now = serverClock.at(options.clock.now());
  const unsigned = { ...encoded, headers: { ...bodyDigest(service, encoded), ...encoded.headers, host: url.host } };
  const headers =
    credentials === undefined
      ? unsigned.headers
      : signRequest({ ...unsigned, credentials, region, service: model.signingName, now });
  const failed = (
    told: Omit<ConstructorParameters<typeof AwsCallError>[0], "service" | "operation">,
    cause?: unknown,
  ) =>
    new AwsCallError(
      {
        ...told,
        message: credentials === undefined ? told.message : withoutSecrets(told.message, credentials),
        service,
        operation,
        didNothing: didNothing && REFUSALS.has(told.kind),
      },
      cause === undefined ? undefined : { cause },
    );

  if (!READS.test(operation)) options.gate?.();
  using limited = deadline(options.clock, options.patience?.attemptMs ?? ATTEMPT_MS, parent);
  let response: WireResponse;
  try {
    response = await options.send(url, { ...encoded, headers }, limited.signal);
  } catch (error) {
    const harmless = repeatable || error instanceof NotSentError;
    const message = error instanceof Error ? error.message : String(error);
    throw failed({ kind: harmless ? "retry" : "unknown", code: "NoAnswer", message }, error);
  }
  const requestId = response.headers["x-amzn-requestid"] ?? response.headers["x-amz-request-id"];
  if (response.status >= 300) {
    const told = errorIn(model, response);
    const corrected = serverClock.refused(told.code, response.headers["date"], options.clock.now());
    if (credentials !== undefined && !corrected && ENDED.has(told.code)) options.credentials.ended?.(credentials);
    const kind = corrected ? "retry" : classify(told, repeatable);
    throw failed({ kind, code: told.code, message: told.message, requestId });
  }
  try {
    const output = codec.decodeResponse(model, operation, response);
    return rememberFacts(output, { service, operation, bytes: response.body.length });
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    const kind = repeatable ? "retry" : "unknown";
    throw failed({ kind, code: "MalformedAnswer", message: error.message, requestId });
  }
}

/** Who stands between may answer in words that are not AWS's. */
function errorIn(model: ServiceModel, response: WireResponse): WireError {
  const { status } = response;
  const code = bodilessCode(response);
  if (code !== undefined) return { code, status, message: "an answer without a body", sender: true };
  try {
    return codecOf(model).decodeError(model, response);
  } catch {
    // It did not understand a body that a proxy wrote; the status is all there is.
    return { code: String(status), status, message: "an answer that is not AWS's", sender: status < 500 };
  }
}
