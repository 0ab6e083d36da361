import { collect } from "../../exchange/bodies.ts";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import { Fields } from "../../exchange/fields.ts";
import { UpstreamError } from "../../upstream/upstream.ts";
import type { Upstream, UpstreamRequest } from "../../upstream/upstream.ts";
import type { HealthCheck } from "./health-checker.ts";
import { healthQuestion, isServing } from "./grpc-health.ts";

/** As much of an answer as is read, so that its connection can be used again. */
const READ_BYTES = 64 * 1024;

/** How the endpoint is addressed. */
export interface CheckedEndpoint {
  readonly upstream: Upstream;
  readonly scheme: "http" | "https";
  readonly authority: string;
}

/** GET, and any status of 200 to 399. */
export function httpCheck(endpoint: CheckedEndpoint, path: string): HealthCheck {
  return async (signal) => {
    const answer = await ask(endpoint, signal, (to) => ({
      method: "GET",
      ...to,
      target: path,
      fields: new Fields(["user-agent", "gatewright-health-check"]),
      body: undefined,
      upgrade: undefined,
    }));
    if (answer.body !== undefined) await collect(answer.body, READ_BYTES);
    return answer.status >= 200 && answer.status < 400;
  };
}

/** gRPC's health protocol: `SERVING`, and nothing else. */
export function grpcCheck(endpoint: CheckedEndpoint, service: string): HealthCheck {
  return async (signal) => {
    const answer = await ask(endpoint, signal, (to) => ({
      method: "POST",
      ...to,
      target: "/grpc.health.v1.Health/Check",
      fields: new Fields([
        "content-type",
        "application/grpc",
        "te",
        "trailers",
        "user-agent",
        "gatewright-health-check",
      ]),
      body: bytesSource(healthQuestion(service)),
      upgrade: undefined,
    }));
    if (answer.status !== 200 || answer.body === undefined) {
      answer.body?.cancel();
      return false;
    }
    const got = await collect(answer.body, READ_BYTES);
    return got !== "too-large" && got.trailers?.get("grpc-status") === "0" && isServing(got.bytes);
  };
}

async function ask(
  { upstream, scheme, authority }: CheckedEndpoint,
  signal: AbortSignal,
  request: (to: Pick<UpstreamRequest, "scheme" | "authority">) => UpstreamRequest,
): Promise<Answer> {
  const once = async (): Promise<Answer> => {
    const exchange = upstream.send(request({ scheme, authority }));
    const cancel = (): void => exchange.cancel(new Error("the check took too long"));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    return exchange.answer;
  };
  try {
    return await once();
  } catch (error) {
    // A connection that was kept since the last check may have been closed by the other side in between.
    if (error instanceof UpstreamError && error.unseen && error.failure === "reset") return once();
    throw error;
  }
}
