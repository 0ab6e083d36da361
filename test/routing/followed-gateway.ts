import { inspect } from "node:util";
import { readSettings, runGateway } from "@gatewright/gateway";
import type { RunningGateway } from "@gatewright/gateway";
import type { JsonObject } from "@gatewright/kube";
import { systemClock, systemProcessStats, systemRandom } from "@gatewright/ports";
import { gatewayHost, gatewayUri } from "@gatewright/routing";
import { quietLog } from "@gatewright/runtime";
import type { Log } from "@gatewright/runtime";
import type { Operator } from "./operator.ts";
import { SYSTEM_NAMESPACE } from "./operator.ts";

export interface FollowedGateway {
  readonly running: RunningGateway;
  /** What went wrong in it, as its log tells; objects that it refuses are no such thing. */
  readonly faults: string[];
  close(): Promise<void>;
}

const GATEWAY = { namespace: SYSTEM_NAMESPACE, name: "edge" };
/** Statuses tell of these. */
const REFUSALS = ["Some objects were refused", "An object was refused; a good one of its name from before goes on"];
const CERTIFICATE_MS = 3_600_000;

/** Our gateway, whole, which follows an operator over mTLS. `operator` is asked at each connection: who dials back meets the next one. */
export async function followedGateway(
  operator: () => Operator,
  listeners: readonly JsonObject[],
  signal: AbortSignal,
  /** Where objects may name files. */
  allowDirectories: readonly string[] = [],
): Promise<FollowedGateway> {
  const faults: string[] = [];
  const { settings } = readSettings(
    {
      apiVersion: "gateway.avapigw.io/v1",
      kind: "Gateway",
      metadata: { name: GATEWAY.name },
      spec: {
        listeners: [...listeners],
        admin: { enabled: false },
        files: { allowDirectories: [...allowDirectories] },
        operator: {
          address: `127.0.0.1:${operator().streamPort}`,
          namespace: GATEWAY.namespace,
          tls: { serverName: "localhost" },
        },
      },
    },
    "followed-gateway",
  );
  const stats = systemProcessStats();
  const log: Log = {
    ...quietLog,
    error: (message, fields) => {
      if (!REFUSALS.includes(message)) faults.push(`${message} ${inspect(fields)}`);
    },
  };
  const running = await runGateway(
    {
      from: { settings, objects: [] },
      clock: systemClock,
      random: systemRandom,
      env: {},
      version: "test",
      write() {},
      log,
      stats,
      operatorMaterial: () => material(operator()),
    },
    signal,
  );
  return {
    running,
    faults,
    close: () => running.close().finally(() => stats[Symbol.dispose]()),
  };
}

/** A new certificate in the gateway's name, of the operator's authority. */
async function material({ certificates }: Operator) {
  const host = gatewayHost(GATEWAY);
  const names = { hosts: [host], uris: [gatewayUri(GATEWAY)] };
  const leaf = { subject: { commonName: host }, names, usedBy: ["client"] as const };
  const [pair, authorities] = [await certificates.issue(leaf, CERTIFICATE_MS), certificates.bundle()];
  if (pair === undefined || authorities === undefined) throw new Error("the operator has no certificates yet");
  return { ...pair, authorities };
}
