import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { operatorApi } from "@gatewright/gateway-wire";

/** Who this gateway is to its operator. */
export interface GatewayIdentity {
  readonly name: string;
  readonly namespace: string;
  readonly version: string;
  readonly podName?: string;
  readonly nodeName?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** How it goes. */
export interface GatewayNumbers {
  readonly activeConnections: number;
  readonly requestsPerSecond: number;
  /** Of the requests of the last minute, the share that ended with 5xx. */
  readonly errorRate: number;
  readonly memoryBytes: number;
  readonly uptimeMs: number;
}

export function wireIdentity(identity: GatewayIdentity): operatorApi.GatewayInfo {
  return create(operatorApi.GatewayInfoSchema, { ...identity, labels: { ...identity.labels } });
}

export function wireStatus(numbers: GatewayNumbers): operatorApi.GatewayStatus {
  const { uptimeMs, activeConnections, memoryBytes, ...rates } = numbers;
  return create(operatorApi.GatewayStatusSchema, {
    health: operatorApi.HealthState.HEALTHY,
    activeConnections: BigInt(activeConnections),
    memoryBytes: BigInt(memoryBytes),
    uptime: durationFromMs(Math.round(uptimeMs)),
    ...rates,
  });
}
