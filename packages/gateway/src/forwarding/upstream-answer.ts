import type { Answer } from "../exchange/answer.ts";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { NoEndpoint } from "../backends/backend.ts";
import type { Call } from "../pipeline/call.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";

const FAILURES: Readonly<Record<UpstreamFailure, readonly [status: number, origin: string, message: string]>> = {
  connect: [503, "upstream_connect", "the backend cannot be reached"],
  tls: [503, "upstream_tls", "no secure connection to the backend"],
  refused_stream: [503, "upstream_refused", "the backend refused the request"],
  overflow: [503, "upstream_overflow", "too many requests for the backend"],
  reset: [502, "upstream_reset", "the backend broke off"],
  protocol: [502, "upstream_protocol", "the backend gave no proper answer"],
  timeout: [504, "upstream_timeout", "the backend took too long"],
};

/** What clients are told when a backend gave no answer. */
export function failureAnswer(failure: UpstreamFailure): Answer {
  const [status, origin, message] = FAILURES[failure];
  return localAnswer(status, origin, message);
}

/** What clients are told when no endpoint takes their request. */
export function refusalAnswer({ status, refused, message }: NoEndpoint): Answer {
  return localAnswer(status, refused, message, new Fields(status === 429 ? ["retry-after", "1"] : []));
}

/** Codes of gRPC that speak against the endpoint, as the statuses that HTTP has for them. */
const GRPC_FAILURES: ReadonlyMap<string, number> = new Map([
  ["2", 500],
  ["4", 504],
  ["13", 500],
  ["14", 503],
  ["15", 500],
]);

/** The status that an endpoint is judged by: of calls of gRPC, that of an answer without messages. */
export function judgedStatus(call: Call, answer: Answer): number {
  if (!call.isGrpc) return answer.status;
  const code = answer.fields.get("grpc-status");
  return (code === undefined ? undefined : GRPC_FAILURES.get(code)) ?? answer.status;
}
