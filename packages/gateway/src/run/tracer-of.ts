import type { Clock, Random } from "@gatewright/ports";
import { createTracer, tracerFromEnvironment } from "@gatewright/telemetry";
import type { ExportingTracer, Log } from "@gatewright/telemetry";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";

/** What OpenTelemetry's variables are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The tracer that the settings ask for; where they ask for none, the one that OpenTelemetry's usual variables ask for. */
export function tracerOf(
  { tracing }: Pick<GatewaySettings, "tracing">,
  env: Environment,
  parts: { readonly clock: Clock; readonly random: Random; readonly log: Log },
): ExportingTracer | undefined {
  const { enabled, endpoint, sampleRate: ratio, serviceName } = tracing;
  if (enabled && endpoint !== undefined) return createTracer({ endpoint, serviceName, ratio, ...parts });
  return tracerFromEnvironment(env, { serviceName, ...parts });
}
