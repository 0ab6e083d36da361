import { deepEqual } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";

/** What is read once, at the start. */
const AT_START = [
  "name",
  "admin",
  "accessLog",
  "metrics",
  "tracing",
  "operator",
  "configurationServer",
  "workers",
  "destinations",
  "files",
  "graphqlPath",
  "stickySecretFile",
  "stateDirectory",
] as const satisfies readonly (keyof GatewaySettings)[];

/** Limits of single listeners follow the settings; these are compiled into routes. */
const LIMITS_AT_START = ["maxBodyBytes", "requestTimeoutMs"] as const;

/** Which settings differ from those that the gateway was started with and take effect with its next start only. */
export function restartNeeded(started: GatewaySettings, now: GatewaySettings): readonly string[] {
  const differ = (a: unknown, b: unknown): boolean => !deepEqual((a ?? null) as Json, (b ?? null) as Json);
  return [
    ...AT_START.filter((name) => differ(started[name], now[name])).map((name) =>
      name === "graphqlPath" ? "graphql.path" : name,
    ),
    ...LIMITS_AT_START.filter((name) => started.limits[name] !== now.limits[name]).map(
      (name) => `limits.${name.replace(/Ms$/, "")}`,
    ),
  ];
}
