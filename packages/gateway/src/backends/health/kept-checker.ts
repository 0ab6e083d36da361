import type { Clock, Random } from "@gatewright/ports";
import type { KeptState } from "../../kept/kept-state.ts";
import type { Connect, EndpointTarget } from "../connect.ts";
import { HealthChecker } from "./health-checker.ts";
import type { HealthCheck } from "./health-checker.ts";
import type { HealthPlan } from "./health-plan.ts";
import { tcpCheck } from "./tcp-check.ts";
import { grpcCheck, httpCheck } from "./upstream-checks.ts";

/** The one checker of an endpoint: it goes on as long as plan and way to the endpoint stay the same. */
export function keptChecker(
  plan: HealthPlan,
  key: string,
  target: EndpointTarget,
  wayContent: unknown,
  around: { readonly clock: Clock; readonly random: Random; readonly kept: KeptState; readonly connect: Connect },
  passed: () => void,
): HealthChecker {
  const { clock, random, kept, connect } = around;
  return kept.of("healthCheck", key, { plan, way: wayContent }, () => {
    const { check, close } = made(plan, target, connect);
    const checker = new HealthChecker(plan, check, clock, random, passed);
    checker.start();
    return {
      state: checker,
      dispose() {
        checker.stop();
        close();
      },
    };
  });
}

/** Checks have a connection of their own: a full pool must not make an endpoint look ill. */
function made(plan: HealthPlan, target: EndpointTarget, connect: Connect): { check: HealthCheck; close: () => void } {
  const { question } = plan;
  const port = plan.port ?? target.port;
  if (question.by === "tcp") return { check: tcpCheck(target.host, port, target.lookup), close() {} };
  const upstream = connect({
    ...target,
    port,
    protocol: question.by === "grpc" ? "http2" : "http1",
    pool: { maxConnections: 1, maxIdle: 1, idleMs: undefined, maxPending: undefined },
  });
  const host = target.host.includes(":") ? `[${target.host}]` : target.host;
  const endpoint = {
    upstream,
    scheme: target.tls === undefined ? ("http" as const) : ("https" as const),
    authority: `${host}:${port}`,
  };
  return {
    check: question.by === "grpc" ? grpcCheck(endpoint, question.service) : httpCheck(endpoint, question.path),
    close: () => upstream.close(),
  };
}
