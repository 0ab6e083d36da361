import type { LogFields } from "@gatewright/telemetry";
import type { GivenObject } from "../configuration/objects.ts";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";
import type { ObjectName } from "../configuration/target.ts";

/** What a worker is started with. It has all of this before it listens. */
export interface WorkerStart {
  readonly settings: GatewaySettings;
  readonly objects: readonly GivenObject[];
  readonly isConfigured: boolean;
  /** How many serve, the main thread included. */
  readonly workers: number;
  readonly stickySecret: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the main thread tells a worker. Each with an `id` is answered by `done` with the same, in order. */
export type ToWorker =
  | {
      readonly type: "change";
      readonly id: number;
      readonly set: readonly GivenObject[];
      readonly removed: readonly ObjectName[];
    }
  | { readonly type: "settings"; readonly id: number; readonly settings: GatewaySettings }
  | { readonly type: "configured" }
  | { readonly type: "metrics" }
  | { readonly type: "close"; readonly graceMs: number };

/** What a worker tells. */
export type FromWorker =
  | { readonly type: "listening" }
  | { readonly type: "done"; readonly id: number }
  | { readonly type: "metrics"; readonly body: string }
  | { readonly type: "numbers"; readonly numbers: WorkerNumbers }
  | { readonly type: "lines"; readonly lines: string }
  | {
      readonly type: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly message: string;
      readonly fields: LogFields;
    };

/** How a worker goes. */
export interface WorkerNumbers {
  readonly connections: number;
  readonly activeRequests: number;
  readonly requestsPerSecond: number;
  readonly errorRate: number;
}

/** How the one goes that this is asked of. */
export function numbersOf({
  gateway,
  counted,
}: {
  readonly gateway: { readonly bound: readonly { readonly connections: number }[]; readonly active: number };
  readonly counted: { rates(): { readonly requestsPerSecond: number; readonly errorRate: number } };
}): WorkerNumbers {
  const connections = gateway.bound.reduce((sum, listener) => sum + listener.connections, 0);
  return { connections, activeRequests: gateway.active, ...counted.rates() };
}
