import type { IncomingMessage } from "node:http";
import { parseGoDuration } from "@gatewright/kube";
import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Log, Tracer } from "@gatewright/telemetry";
import { answerReview } from "../answer-review.ts";
import { MalformedReviewError } from "../malformed-review-error.ts";
import type { Webhook } from "../webhook.ts";
import { requestBody } from "./request-body.ts";

/** What a caller is answered. A review is JSON; anything else is a line for people. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface AnswerDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const LONGEST_TIMEOUT_MS = 30_000;

/** The part of the caller's patience that a handler may use: an answer that comes later than that is not heard. */
const PATIENCE = 0.9;

const MIB = 1024 * 1024;

/**
 * An update carries two objects, and the API server takes 3 MiB for each. A conversion carries all objects of a list, so only what
 * would not fit in memory is refused.
 */
const MAX_BODY_BYTES: Readonly<Record<Webhook["type"], number>> = {
  validating: 7 * MIB,
  mutating: 7 * MIB,
  converting: 64 * MIB,
};

/** Answers a POST on a webhook's path. Rejects only when the caller goes away. */
export async function answerRequest(
  webhook: Webhook,
  request: IncomingMessage,
  { clock, log, tracer }: AnswerDependencies,
  stopped: AbortSignal,
): Promise<Answer> {
  const [, query = ""] = (request.url ?? "").split("?", 2);
  using limit = deadline(clock, timeoutOf(new URLSearchParams(query)) * PATIENCE, stopped);
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    return { status: 400, body: "the content type must be application/json\n" };
  }
  const maxBytes = MAX_BODY_BYTES[webhook.type];
  const body = await requestBody(request, maxBytes);
  if (body === undefined) return { status: 413, body: `a review may have ${maxBytes / MIB} MiB at most here\n` };
  const span = tracer.start("webhook", { "webhook.path": webhook.path });
  try {
    const review = await answerReview(webhook, body, { signal: limit.signal, log, span });
    span.end();
    return { status: 200, body: JSON.stringify(review) };
  } catch (error) {
    span.end(error);
    if (error instanceof MalformedReviewError) return { status: 400, body: `${error.message}\n` };
    log.error("A review could not be answered", { webhook: webhook.path, error });
    return { status: 500, body: "the webhook failed; its log says why\n" };
  }
}

function timeoutOf(query: URLSearchParams): number {
  const asked = parseGoDuration(query.get("timeout") ?? "");
  const ms = asked === undefined ? DEFAULT_TIMEOUT_MS : Number(asked) / 1e6;
  return ms > 0 ? Math.min(ms, LONGEST_TIMEOUT_MS) : DEFAULT_TIMEOUT_MS;
}
