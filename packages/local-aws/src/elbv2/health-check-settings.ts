import type { Matcher } from "@gatewright/aws-wire/types/elbv2";
import type { TargetGroupSettings } from "./records.ts";
import { invalid } from "./refusals.ts";

/** What a request says of health checks. */
export interface HealthCheckChange {
  readonly HealthCheckProtocol?: string | undefined;
  readonly HealthCheckPort?: string | undefined;
  readonly HealthCheckPath?: string | undefined;
  readonly HealthCheckEnabled?: boolean | undefined;
  readonly HealthCheckIntervalSeconds?: number | undefined;
  readonly HealthCheckTimeoutSeconds?: number | undefined;
  readonly HealthyThresholdCount?: number | undefined;
  readonly UnhealthyThresholdCount?: number | undefined;
  readonly Matcher?: Matcher | undefined;
}

type Kind = Pick<TargetGroupSettings, "Protocol" | "ProtocolVersion" | "TargetType">;

/** The health check settings of a target group with what AWS fills in, or those after a change. Refuses what AWS does. */
export function healthCheckSettings(
  kind: Kind,
  before: TargetGroupSettings | undefined,
  change: HealthCheckChange,
): HealthCheckChange {
  const old = before ?? defaultsFor(kind, change.HealthCheckProtocol);
  const protocol = change.HealthCheckProtocol ?? old.HealthCheckProtocol;
  const lambda = kind.TargetType === "lambda";
  const web = kind.Protocol === "HTTP" || kind.Protocol === "HTTPS";
  if (protocol !== undefined && !(web ? ["HTTP", "HTTPS"] : ["HTTP", "HTTPS", "TCP"]).includes(protocol) && !lambda) {
    throw invalid(
      `Health check protocol '${protocol}' is not supported for target groups with protocol '${kind.Protocol}'`,
    );
  }
  const enabled = change.HealthCheckEnabled ?? old.HealthCheckEnabled ?? true;
  if (!enabled && !lambda)
    throw invalid(`Health check enabled must be true for target groups with target type '${kind.TargetType}'`);
  const interval = ranged(
    "interval seconds",
    change.HealthCheckIntervalSeconds ?? old.HealthCheckIntervalSeconds,
    5,
    300,
  );
  const timeout = ranged("timeout seconds", change.HealthCheckTimeoutSeconds ?? old.HealthCheckTimeoutSeconds, 2, 120);
  if (interval <= timeout && protocol !== "TCP") {
    throw invalid(`Health check timeout '${timeout}' must be smaller than the interval '${interval}'`);
  }
  const byPath = protocol === "HTTP" || protocol === "HTTPS" || lambda;
  const path = byPath ? (change.HealthCheckPath ?? old.HealthCheckPath ?? pathFor(kind)) : undefined;
  if (path !== undefined && (!/^\/[^\s\p{Cc}]*$/u.test(path) || path.length > 1024)) {
    throw invalid(
      `Health check path '${path}' must begin with a '/' character, and can be at most 1024 characters in length`,
    );
  }
  const port = change.HealthCheckPort ?? old.HealthCheckPort;
  if (
    port !== undefined &&
    port !== "traffic-port" &&
    !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
  ) {
    throw invalid(`Health check port '${port}' must be 'traffic-port' or a number from 1 to 65535`);
  }
  return {
    ...(protocol !== undefined && { HealthCheckProtocol: protocol }),
    ...(port !== undefined && { HealthCheckPort: port }),
    HealthCheckEnabled: enabled,
    ...(path !== undefined && { HealthCheckPath: path }),
    HealthCheckIntervalSeconds: interval,
    HealthCheckTimeoutSeconds: timeout,
    HealthyThresholdCount: ranged(
      "healthy threshold",
      change.HealthyThresholdCount ?? old.HealthyThresholdCount,
      2,
      10,
    ),
    UnhealthyThresholdCount: ranged(
      "unhealthy threshold",
      change.UnhealthyThresholdCount ?? old.UnhealthyThresholdCount,
      2,
      10,
    ),
    ...(byPath && { Matcher: matcher(kind, change.Matcher ?? old.Matcher) }),
  };
}

function defaultsFor(kind: Kind, protocol: string | undefined): HealthCheckChange {
  const lambda = kind.TargetType === "lambda";
  const web = kind.Protocol === "HTTP" || kind.Protocol === "HTTPS";
  const check = protocol ?? (web || kind.TargetType === "alb" ? "HTTP" : "TCP");
  if (lambda) {
    return {
      HealthCheckEnabled: false,
      HealthCheckIntervalSeconds: 35,
      HealthCheckTimeoutSeconds: 30,
      HealthyThresholdCount: 5,
      UnhealthyThresholdCount: 2,
    };
  }
  return {
    HealthCheckProtocol: check,
    HealthCheckPort: "traffic-port",
    HealthCheckEnabled: true,
    HealthCheckIntervalSeconds: 30,
    HealthCheckTimeoutSeconds: web ? 5 : check === "HTTP" ? 6 : 10,
    HealthyThresholdCount: 5,
    UnhealthyThresholdCount: 2,
  };
}

function pathFor({ ProtocolVersion: version }: Kind): string {
  return version === "GRPC" ? "/AWS.ALB/healthcheck" : "/";
}

function matcher(kind: Kind, asked: Matcher | undefined): Matcher {
  const grpc = kind.ProtocolVersion === "GRPC";
  const codes = (grpc ? asked?.GrpcCode : asked?.HttpCode) ?? (grpc ? "12" : "200");
  if ((grpc ? asked?.HttpCode : asked?.GrpcCode) !== undefined) {
    throw invalid(`Matcher ${grpc ? "HttpCode" : "GrpcCode"} does not fit the protocol version of the target group`);
  }
  const [least, most] = grpc ? [0, 99] : [200, kind.Protocol === "HTTP" || kind.Protocol === "HTTPS" ? 499 : 599];
  for (const [from, to] of codeRanges(codes)) {
    if (!(from >= least && to <= most && from <= to))
      throw invalid(`Health check matcher code '${codes}' must be within '${least}-${most}' inclusive`);
  }
  return grpc ? { GrpcCode: codes } : { HttpCode: codes };
}

/** The codes that a matcher such as `200,300-399` takes, as ranges. Parts that are none become a range that holds nothing. */
export function codeRanges(codes: string): readonly (readonly [from: number, to: number])[] {
  return codes.split(",").map((part) => {
    const [, from, to] = /^\s*(\d{1,3})(?:-(\d{1,3}))?\s*$/.exec(part) ?? [];
    return from === undefined ? [1, 0] : [Number(from), Number(to ?? from)];
  });
}

function ranged(name: string, value: number | undefined, least: number, most: number): number {
  if (value === undefined || !Number.isInteger(value) || value < least || value > most) {
    throw invalid(`Health check ${name} '${value}' must be between ${least} and ${most}`);
  }
  return value;
}
