import type { SpanAttributes } from "./tracer.ts";
import { createTracer } from "./create-tracer.ts";
import type { ExportingTracer, TracerOptions } from "./create-tracer.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The tracer that OpenTelemetry's usual variables ask for; undefined when they name no collector or switch tracing off. Read:
 * `OTEL_EXPORTER_OTLP_(TRACES_)ENDPOINT`, `…_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` with
 * `_ARG`, `OTEL_TRACES_EXPORTER`, `OTEL_SDK_DISABLED`. The protocol is always HTTP with JSON, whatever is asked for: collectors
 * that take OTLP over HTTP take it.
 */
export function tracerFromEnvironment(
  env: Environment,
  options: Omit<TracerOptions, "endpoint" | "serviceName" | "headers" | "ratio"> & { readonly serviceName: string },
): ExportingTracer | undefined {
  const endpoint = endpointOf(env);
  if (endpoint === undefined) return undefined;
  const attributes = pairs(env["OTEL_RESOURCE_ATTRIBUTES"]);
  const serviceName = env["OTEL_SERVICE_NAME"] || attributes["service.name"] || options.serviceName;
  const resource: SpanAttributes = { ...options.resource, ...attributes };
  const headers = { ...pairs(env["OTEL_EXPORTER_OTLP_HEADERS"]), ...pairs(env["OTEL_EXPORTER_OTLP_TRACES_HEADERS"]) };
  return createTracer({ ...options, endpoint, serviceName, resource, headers, ratio: ratioOf(env) });
}

function endpointOf(env: Environment): string | undefined {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return undefined;
  const own = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
  const base = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const url = own || (base ? `${base.replace(/\/+$/, "")}/v1/traces` : undefined);
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, not ${JSON.stringify(url)}`);
  }
  return url;
}

function ratioOf(env: Environment): number {
  const sampler = env["OTEL_TRACES_SAMPLER"]?.replace(/^parentbased_/, "") ?? "always_on";
  if (sampler === "always_off") return 0;
  if (sampler !== "traceidratio") return 1;
  const ratio = Number(env["OTEL_TRACES_SAMPLER_ARG"] ?? "1");
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}

/** `key=value,key=value`, percent-encoded. What is not of that form is left out. */
function pairs(text = ""): Record<string, string> {
  const found = text.split(",").flatMap((pair): [string, string][] => {
    const cut = pair.indexOf("=");
    if (cut <= 0) return [];
    return [[decode(pair.slice(0, cut).trim()), decode(pair.slice(cut + 1).trim())]];
  });
  return Object.fromEntries(found);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign: taken as it stands
  }
}
