import { weighted } from "../backends/balancing/by-chance.ts";
import type { Backend } from "../backends/backend.ts";
import type { Answer } from "../exchange/answer.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Around } from "../filters/around.ts";
import type { Call } from "../pipeline/call.ts";
import { throughFilters } from "../pipeline/through-filters.ts";
import { Attempts } from "./attempts.ts";
import { mirrored } from "./mirror.ts";
import { RetryBudgets } from "./retry-budget.ts";
import { retryPolicy } from "./retry-policy.ts";
import type { RetriesSpec } from "./retry-policy.ts";
import { checkRewrite, rewriteTarget } from "./rewrite.ts";
import type { RewriteSpec } from "./rewrite.ts";

/** What forwarding reads of a route's specification. */
export interface ForwardSpec {
  readonly rewrite?: RewriteSpec;
  readonly retries?: RetriesSpec;
  readonly mirror?: { readonly percentage?: number };
}

/** A backend of a route, and its share. Weight 0 gets none unless all have it; then, as with equal weights, shares are equal. */
export interface WeightedBackend {
  readonly backend: Backend;
  readonly weight: number;
}

/**
 * Sends calls on. The destination is drawn once a call; retries stay with it. Failures of backends are answers (502, 503, 504, with
 * `origin`); the promise rejects with the call's own reason when that was aborted, and else only for faults of ours.
 */
export function forwardAction(
  spec: ForwardSpec,
  destinations: readonly WeightedBackend[],
  around: Around,
  mirrorTo?: Backend,
): (call: Call) => Promise<Answer> {
  const { clock, random, kept } = around;
  const parts = { clock, random, policy: retryPolicy(spec.retries, around) };
  const { uri, authority: newAuthority } = spec.rewrite ?? {};
  checkRewrite(spec.rewrite ?? {}, around);
  const targetOf = uri === undefined || uri === "" ? undefined : rewriteTarget(uri);
  const mirror = mirrorTo && { backend: mirrorTo, percentage: spec.mirror?.percentage ?? 100 };
  const budgets = kept.of("retryBudgets", "all", null, () => ({ state: new RetryBudgets() }));
  const budgeted = destinations.map(({ backend, weight }) => ({ backend, weight, budget: budgets.of(backend) }));
  const [only] = budgeted;
  if (only === undefined) {
    return () => Promise.resolve(localAnswer(503, "no_destination", "the route leads nowhere"));
  }
  const send = (call: Call, { backend, budget }: typeof only): Promise<Answer> => {
    const { head } = call;
    const authority = newAuthority || (backend.authority ?? head.authority);
    const target = targetOf === undefined ? head.target : targetOf(call);
    const body = mirror ? mirrored(call, { authority, target, body: call.body }, mirror, parts) : call.body;
    const attempts = new Attempts(call, { backend, budget, authority, target, body }, parts);
    attempts.start();
    return attempts.answer;
  };
  return (call) => {
    const chosen = budgeted.length === 1 ? only : weighted(budgeted, random);
    const { filters } = chosen.backend;
    if (filters === undefined || filters.length === 0) return send(call, chosen);
    return throughFilters(filters, call, () => send(call, chosen));
  };
}
