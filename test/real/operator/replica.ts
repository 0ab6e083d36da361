import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceStamp, stampPath } from "../../../packages/cli/src/bundle.cjs";
import { freePorts } from "../../../testbed/index.ts";
import { untilReady } from "../routing/routing-parts.ts";
import type { ReplicaPorts } from "../routing/routing-parts.ts";
import { startCommand } from "../routing/started-command.ts";
import type { StartedCommand } from "../routing/started-command.ts";

/** Nothing of it is shared with other suites: the audit log is read for this account alone. */
export const PLACE = {
  namespace: "whole",
  account: "whole",
  edge: "whole-edge",
  webhook: "whole-routing",
  cluster: "whole",
  region: "us-east-1",
} as const;

/** One process of the operator, with all parts. */
export interface Replica {
  readonly command: StartedCommand;
  readonly ports: ReplicaPorts & { readonly metrics: number };
  /** From its start to its word that it is ready. */
  readonly readyMs: number;
}

/** Where a replica will be reached. */
export async function wholePorts(): Promise<Replica["ports"]> {
  const [stream = 0, webhook = 0, health = 0, metrics = 0] = await freePorts(4);
  return { stream, webhook, health, metrics };
}

/** Starts a replica, and waits until it is ready. `started` is told of the process at once. */
export async function startReplica(
  name: string,
  ports: Replica["ports"],
  around: {
    readonly kubeconfig: string;
    readonly endpoint: string;
    readonly started: (command: StartedCommand) => void;
  },
): Promise<Replica> {
  const flags = {
    kubeconfig: around.kubeconfig,
    namespace: PLACE.namespace,
    "cluster-name": PLACE.cluster,
    "aws-region": PLACE.region,
    "aws-endpoint-url": around.endpoint,
    "edge-namespace": PLACE.edge,
    "webhook-config-name": PLACE.webhook,
    "dns-servers": "none",
    "drain-window": "1s",
    "bundle-window": "200ms",
    "flush-window": "200ms",
    "remove-empty-gateways-after": "1s",
    gateways: `${PLACE.edge}/edge-1`,
    "grpc-port": ports.stream,
    "webhook-port": ports.webhook,
    "health-probe-bind-address": `127.0.0.1:${ports.health}`,
    "metrics-bind-address": `127.0.0.1:${ports.metrics}`,
    "cert-dns-names": "127.0.0.1",
    "ingress-lb-address": "127.0.0.1",
  };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  const keys = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
  const began = performance.now();
  const command = startCommand(["operator", ...args], { POD_NAME: name, ...keys });
  around.started(command);
  await untilReady(command, ports);
  return { command, ports, readyMs: performance.now() - began };
}

/** Whether the command runs from its bundle: the sources have not changed since it was made. */
export function isBundled(): boolean {
  const root = join(import.meta.dirname, "..", "..", "..");
  return existsSync(stampPath(root)) && readFileSync(stampPath(root), "utf8") === sourceStamp(root);
}
