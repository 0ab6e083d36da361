import { readSettings, runGateway } from "@gatewright/gateway";
import type { RunningGateway } from "@gatewright/gateway";
import { admissionregistration, core } from "@gatewright/kube/api";
import { sleep, systemProcessStats } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { addRouting, DEFAULT_FEED_SETTINGS, gatewayHost, gatewayUri, webhookManifest } from "@gatewright/routing";
import type { Client, Log, Manager } from "@gatewright/runtime";
import { secretCertificates } from "@gatewright/runtime/webhook";
import type { IssuingCertificates } from "@gatewright/runtime/webhook";
import type { ClusterNetwork } from "../network/cluster-network.ts";

export interface LaptopRoutingOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly network: Pick<ClusterNetwork, "resolve">;
  /** Where requests are served, and where to clients of gRPC beside it. Port 0: any that is free. */
  readonly gateway: { readonly host: string; readonly port: number; readonly grpcPort?: number };
  /** Where the gateway keeps what it was given last. Default: nowhere. */
  readonly folder?: string;
  /** Lines of its access log. Default: they are dropped. */
  readonly write?: (lines: string) => void;
}

export interface LaptopRouting {
  /** Where requests are served. */
  readonly url: string;
  /** Host and port for clients of gRPC: a listener of their own when one was asked for. */
  readonly grpc: string;
  /** Its admin endpoint: the live table, where a request would go, metrics. */
  readonly admin: string;
  close(): Promise<void>;
}

/** What is left to do once it is part of a manager. */
export interface LaptopRoutingParts {
  /** Before the manager runs: makes what it needs in the cluster. */
  install(signal: AbortSignal): Promise<void>;
  /** Once it runs: starts the gateway. */
  start(signal: AbortSignal): Promise<LaptopRouting>;
}

const ROUTING_NAMESPACE = "gatewright";
const GATEWAY = { namespace: ROUTING_NAMESPACE, name: "laptop" };
const LOCAL = "127.0.0.1";
const DAY_MS = 24 * 3_600_000;
const LOOK_MS = 20;
/** Which Ingresses the laptop's gateway serves. */
export const INGRESSES = { className: "avapigw", isDefault: true };

/**
 * Objects of `avapigw.io` and Ingresses, served on this machine: the same operator side as in a cluster, and a gateway of ours that
 * dials it over mTLS. Call before the manager runs.
 */
export function laptopRouting(
  manager: Manager,
  { clock, random, log, network, gateway, folder, write = () => {} }: LaptopRoutingOptions,
): LaptopRoutingParts {
  const certificates = secretCertificates({
    client: manager.ungated,
    secret: { namespace: ROUTING_NAMESPACE, name: "gatewright-routing" },
    hosts: [LOCAL, "localhost"],
    clock,
    random,
    log,
  });
  const { streamPort, webhookPort } = addRouting(manager, {
    clock,
    random,
    log,
    certificates,
    namespace: ROUTING_NAMESPACE,
    replica: "laptop",
    settings: {
      streamAddress: `${LOCAL}:0`,
      webhooks: { host: LOCAL, port: 0, lingerMs: 0 }, // the API server stops with it
      ingress: { ...INGRESSES, addresses: [gateway.host] },
      feed: {
        ...DEFAULT_FEED_SETTINGS,
        reachable: (address, port) => {
          const found = network.resolve(address, port);
          return found && { address: found.host, port: found.port };
        },
      },
    },
  });
  const client = manager.ungated;
  return {
    async install(signal) {
      await client.for(core.Namespace).apply({ metadata: { name: ROUTING_NAMESPACE } }, { signal });
    },
    async start(signal) {
      await askedAt(client, await webhookPort, certificates, signal);
      const { settings } = readSettings(
        {
          apiVersion: "gateway.avapigw.io/v1",
          kind: "Gateway",
          metadata: { name: GATEWAY.name },
          spec: {
            listeners: [
              { name: "http", address: gateway.host, port: gateway.port },
              ...(gateway.grpcPort === undefined
                ? []
                : [{ name: "grpc", address: gateway.host, port: gateway.grpcPort, protocol: "GRPC" }]),
            ],
            operator: {
              address: `${LOCAL}:${await streamPort}`,
              namespace: GATEWAY.namespace,
              tls: { serverName: "localhost" },
            },
            // The usual port may be somebody's, and two worlds are not in each other's way.
            admin: { port: 0 },
            ...(folder !== undefined && { stateDirectory: folder }),
          },
        },
        "laptop",
      );
      const stats = systemProcessStats();
      const running = await runGateway(
        {
          from: { settings, objects: [] },
          clock,
          random,
          log,
          write,
          env: {},
          stats,
          version: "laptop",
          operatorMaterial: (until) => material(certificates, clock, until),
        },
        signal,
      );
      return {
        url: `http://${addressOf(running, "http")}`,
        grpc: addressOf(running, gateway.grpcPort === undefined ? "http" : "grpc"),
        admin: `http://${LOCAL}:${running.adminPort}`,
        close: () => running.close().finally(() => stats[Symbol.dispose]()),
      };
    },
  };
}

/** Has the API server ask before it stores an object. The port is another one at each start. */
async function askedAt(
  client: Client,
  port: number,
  certificates: IssuingCertificates,
  signal: AbortSignal,
): Promise<void> {
  const caBundle = certificates.bundle();
  const endpoint = { url: `https://${LOCAL}:${port}` };
  const options = { name: "gatewright-routing", endpoint, ...(caBundle !== undefined && { caBundle }) };
  await client
    .for(admissionregistration.ValidatingWebhookConfiguration)
    .apply(webhookManifest(options, INGRESSES) as never, { signal });
}

/** A new certificate for each connection: nothing has to be kept, and nothing can have ended. */
async function material(certificates: IssuingCertificates, clock: Clock, signal: AbortSignal) {
  const host = gatewayHost(GATEWAY);
  const leaf = {
    subject: { commonName: host },
    names: { hosts: [host], uris: [gatewayUri(GATEWAY)] },
    usedBy: ["client"] as const,
  };
  for (;;) {
    const [pair, authorities] = [await certificates.issue(leaf, DAY_MS), certificates.bundle()];
    if (pair !== undefined && authorities !== undefined) return { ...pair, authorities };
    await sleep(clock, LOOK_MS, signal);
  }
}

function addressOf({ listeners }: RunningGateway, name: string): string {
  const listener = listeners.find((each) => each.name === name);
  if (listener === undefined) throw new Error(`the gateway has no listener ${name}`);
  return `${listener.address}:${listener.port}`;
}
