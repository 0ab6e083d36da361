import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { core } from "@gatewright/kube/api";
import { sourceStamp, stampPath } from "../../../packages/cli/src/bundle.cjs";
import { freePorts } from "../../../testbed/index.ts";
import { environmentOf } from "../outside-pods.ts";
import { untilReady } from "../routing/routing-parts.ts";
import type { ReplicaPorts } from "../routing/routing-parts.ts";
import { startCommand } from "../routing/started-command.ts";
import type { StartedCommand } from "../routing/started-command.ts";

/** One process of the operator, with all parts. */
export interface Replica {
  readonly command: StartedCommand;
  readonly ports: ReplicaPorts & { readonly metrics: number; readonly xds: number };
  /** From its start to its word that it is ready. */
  readonly readyMs: number;
}

/** Where a replica will be reached. */
export async function wholePorts(): Promise<Replica["ports"]> {
  const [stream = 0, webhook = 0, health = 0, metrics = 0, xds = 0] = await freePorts(5);
  return { stream, webhook, health, metrics, xds };
}

/** Starts what a rendered container runs, and waits until it is ready. `started` is told of the process at once. */
export async function startReplica(
  container: core.Container,
  name: string,
  ports: Replica["ports"],
  around: { readonly kubeconfig: string; readonly started: (command: StartedCommand) => void },
): Promise<Replica> {
  // A pod has an address of its own, and its token in files.
  const here = {
    kubeconfig: around.kubeconfig,
    "grpc-port": ports.stream,
    "xds-port": ports.xds,
    "webhook-port": ports.webhook,
    "health-probe-bind-address": `127.0.0.1:${ports.health}`,
    "metrics-bind-address": `127.0.0.1:${ports.metrics}`,
  };
  const args = Object.entries(here).map(([flag, value]) => `--${flag}=${value}`);
  const began = performance.now();
  const command = startCommand([...(container.args ?? []), ...args], environmentOf(container, name));
  around.started(command);
  await untilReady(command, ports);
  return { command, ports, readyMs: performance.now() - began };
}

/** Whether the command runs from its bundle: the sources have not changed since it was made. */
export function isBundled(): boolean {
  const root = join(import.meta.dirname, "..", "..", "..");
  return existsSync(stampPath(root)) && readFileSync(stampPath(root), "utf8") === sourceStamp(root);
}
