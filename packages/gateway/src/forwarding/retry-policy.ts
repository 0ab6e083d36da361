import type { Answer } from "../exchange/answer.ts";
import { specMs } from "../configuration/spec-duration.ts";
import type { Around } from "../filters/around.ts";
import type { Call } from "../pipeline/call.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";

/** The field `retries` of routes. */
export interface RetriesSpec {
  readonly attempts: number;
  readonly perTryTimeout?: string;
  readonly retryOn?: string;
  readonly backoffBaseInterval?: string;
  readonly backoffMaxInterval?: string;
  readonly budgetPercent?: number;
}

/** What a route's requests are tried again for. */
export interface RetryPolicy {
  /** Tries after the first, at most. */
  readonly retries: number;
  readonly perTryMs: number | undefined;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly budgetPercent: number;
  /** The object says itself what is tried again: then whatever the method. Otherwise only what may be repeated without harm. */
  readonly whateverMethod: boolean;
  readonly failures: ReadonlySet<UpstreamFailure>;
  readonly retriesStatus: (status: number) => boolean;
  readonly grpcCodes: ReadonlySet<string>;
}

const ALL_FAILURES: readonly UpstreamFailure[] = ["connect", "tls", "reset", "refused_stream", "protocol", "timeout"];
const UNREACHED: readonly UpstreamFailure[] = ["connect", "tls", "refused_stream", "reset"];

/** What a condition of `retryOn` stands for. Failures of gRPC calls count as the code that their clients would see. */
interface Condition {
  readonly failures?: readonly UpstreamFailure[];
  readonly statuses?: (status: number) => boolean;
  readonly grpcCode?: number;
}

const CONDITIONS: ReadonlyMap<string, Condition> = new Map<string, Condition>([
  ["5xx", { failures: ALL_FAILURES, statuses: (status) => status >= 500 }],
  ["gateway-error", { failures: ALL_FAILURES, statuses: (status) => status >= 502 && status <= 504 }],
  ["reset", { failures: ALL_FAILURES }],
  ["connect-failure", { failures: ["connect", "tls"] }],
  ["refused-stream", { failures: ["refused_stream"] }],
  ["retriable-4xx", { statuses: (status) => status === 409 }],
  ["cancelled", { grpcCode: 1 }],
  ["canceled", { grpcCode: 1 }],
  ["unknown", { grpcCode: 2 }],
  ["deadline-exceeded", { grpcCode: 4, failures: ["timeout"] }],
  ["resource-exhausted", { grpcCode: 8 }],
  ["aborted", { grpcCode: 10 }],
  ["internal", { grpcCode: 13, failures: ["protocol"] }],
  ["unavailable", { grpcCode: 14, failures: UNREACHED }],
  ["data-loss", { grpcCode: 15 }],
]);

const WITHOUT_RETRY_ON = ["connect-failure", "refused-stream", "gateway-error", "unavailable"];
const BUDGET_PERCENT = 20;
const BASE_MS = 25;

/**
 * Without `retries`: one more try for requests that no backend can have seen, and nothing else. That is not the route's choice but
 * the gateway's own duty: a connection that was kept may be closed at the very moment it is used.
 */
const UNSEEN_ONCE: RetryPolicy = {
  retries: 1,
  perTryMs: undefined,
  baseMs: BASE_MS,
  maxMs: 10 * BASE_MS,
  budgetPercent: BUDGET_PERCENT,
  whateverMethod: false,
  failures: new Set(),
  retriesStatus: () => false,
  grpcCodes: new Set(),
};

/** What a route says about retries. Conditions that nothing can be made of are noted. */
export function retryPolicy(spec: RetriesSpec | undefined, around: Pick<Around, "note">): RetryPolicy {
  if (spec === undefined) return UNSEEN_ONCE;
  const words = (spec.retryOn ?? "")
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
  const conditions = (words.length === 0 ? WITHOUT_RETRY_ON : words).map((word) => conditionOf(word, around));
  const tests = conditions.flatMap(({ statuses }) => statuses ?? []);
  const baseMs = specMs(spec.backoffBaseInterval, BASE_MS);
  return {
    retries: spec.attempts,
    perTryMs: specMs(spec.perTryTimeout) || undefined,
    baseMs,
    maxMs: specMs(spec.backoffMaxInterval, 10 * baseMs),
    budgetPercent: spec.budgetPercent ?? BUDGET_PERCENT,
    whateverMethod: words.length > 0,
    failures: new Set(conditions.flatMap(({ failures }) => failures ?? [])),
    retriesStatus: (status) => tests.some((test) => test(status)),
    grpcCodes: new Set(conditions.flatMap(({ grpcCode }) => (grpcCode === undefined ? [] : String(grpcCode)))),
  };
}

function conditionOf(word: string, around: Pick<Around, "note">): Condition {
  const known = CONDITIONS.get(word);
  if (known !== undefined) return known;
  if (/^[1-5]\d\d$/u.test(word)) return { statuses: (status) => status === Number(word) };
  around.note({
    field: "spec.retries.retryOn",
    message: `${/^[a-z0-9-]{1,64}$/u.test(word) ? word : "a condition"} has no effect here`,
    severity: "warning",
  });
  return {};
}

/** Methods that may be repeated without harm (RFC 9110, 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** Whether the policy wants another try after this answer. */
export function retriesAnswer(policy: RetryPolicy, call: Call, answer: Answer): boolean {
  if (call.isGrpc) {
    const code = answer.fields.get("grpc-status");
    if (code !== undefined && policy.grpcCodes.has(code)) return true;
  }
  return policy.retriesStatus(answer.status) && (policy.whateverMethod || IDEMPOTENT.has(call.head.method));
}

/** Whether a request may be sent again without doing something twice. */
export function isHarmless(call: Call): boolean {
  return IDEMPOTENT.has(call.head.method);
}

/** Whether it does after this failure. What no backend has seen may go elsewhere, unless there is too much of it everywhere. */
export function retriesFailure(policy: RetryPolicy, call: Call, failure: UpstreamFailure, unseen: boolean): boolean {
  if (failure === "overflow") return false;
  if (unseen) return true;
  return policy.failures.has(failure) && (policy.whateverMethod || IDEMPOTENT.has(call.head.method));
}
