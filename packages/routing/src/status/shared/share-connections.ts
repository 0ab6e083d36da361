import { createHash } from "node:crypto";
import { formatTime } from "@gatewright/kube";
import { coordination } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import { ConnectedGateway } from "@gatewright/resources";
import { isMissing } from "@gatewright/runtime";
import type { Client, Log, Runnable } from "@gatewright/runtime";
import type { Connections, ConnectionView } from "../../distribution/connected-gateway.ts";
import type { Catalogue } from "../../model/catalogue.ts";
import { REPLICA_LABEL, gatewayRecord, recordName } from "./gateway-record.ts";
import type { SetVersions } from "./set-versions.ts";

export interface ShareOptions {
  readonly connections: Connections;
  readonly catalogue: Catalogue;
  readonly versions: SetVersions;
  /** Not held back by the lease: every replica tells of its own gateways. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  /** The operator's own namespace. */
  readonly namespace: string;
  /** Names this process, steadily over restarts where it can be: the pod's name. */
  readonly replica: string;
  /** Whether this process writes statuses: nobody waits for what it tells of its own gateways, so it tells it seldom. */
  readonly isLeading: () => boolean;
}

const ROUND_MS = 1000;
/** For each gateway: 50 writes a second at most, however many there are. */
const GATEWAY_MS = 20;
/** How often progress is told that nobody waits for. */
const SELDOM_MS = 30_000;
/** How often a replica says that it is alive, and after how long of silence it is not. */
const ALIVE_MS = 10_000;
export const SILENT_SECONDS = 40;

interface Written {
  readonly content: string;
  /** The same without how far it is. */
  readonly lasting: string;
  readonly at: number;
}

/** Tells all replicas of the gateways that are connected to this one: who, how far, and what they refused. */
export function shareConnections(options: ShareOptions): Runnable {
  return { name: "routing-share", when: "always", run: (signal) => new Sharing(options).run(signal) };
}

/** The Lease by which a replica says that it is alive. */
export function replicaLease(replica: string): string {
  const unique = createHash("sha256").update(replica).digest("hex").slice(0, 10);
  return `gatewright-replica-${unique}`;
}

class Sharing {
  readonly #options: ShareOptions;
  readonly #written = new Map<string, Written>();
  #aliveAt = -Infinity;

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { connections, clock, log } = this.#options;
    await this.#clear(signal);
    while (!signal.aborted) {
      try {
        await this.#alive(signal);
        await this.#round(signal);
      } catch (error) {
        if (signal.aborted) return;
        log.warn("cannot tell other replicas of connected gateways; trying again", { error });
      }
      await sleep(clock, Math.max(ROUND_MS, GATEWAY_MS * connections.all().length), signal).catch(() => {}); // ends with the signal
    }
  }

  /** What this replica left behind when it ended last. */
  async #clear(signal: AbortSignal): Promise<void> {
    const { client, namespace, replica } = this.#options;
    const labelSelector = `${REPLICA_LABEL}=${replicaLease(replica)}`;
    await client.for(ConnectedGateway).deleteAll({ namespace, labelSelector, signal });
  }

  async #alive(signal: AbortSignal): Promise<void> {
    const { client, clock, namespace, replica } = this.#options;
    if (clock.monotonic() - this.#aliveAt < ALIVE_MS) return;
    const renewTime = formatTime(clock.now()).replace(/Z$/, ".000000Z");
    const spec = { holderIdentity: replica, leaseDurationSeconds: SILENT_SECONDS, renewTime };
    const metadata = { namespace, name: replicaLease(replica), labels: { [REPLICA_LABEL]: replicaLease(replica) } };
    await client.for(coordination.Lease).apply({ metadata, spec }, { signal });
    this.#aliveAt = clock.monotonic();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { connections, replica } = this.#options;
    const open = new Map(connections.all().map((view) => [recordName(view, replica), view]));
    for (const name of this.#written.keys()) if (!open.has(name)) await this.#remove(name, signal);
    for (const [name, view] of open) {
      if (signal.aborted) return;
      await this.#write(name, view, signal);
    }
  }

  async #write(name: string, view: ConnectionView, signal: AbortSignal): Promise<void> {
    const { client, clock, namespace, replica, versions, isLeading } = this.#options;
    const spec = gatewayRecord(view, replica, versions.at(view.acknowledged));
    const content = JSON.stringify(spec);
    const lasting = JSON.stringify({ ...spec, configuration: "", behind: 0 });
    const before = this.#written.get(name);
    if (before?.content === content) return;
    if (before?.lasting === lasting && isLeading() && clock.monotonic() - before.at < SELDOM_MS) return;
    const metadata = { namespace, name, labels: { [REPLICA_LABEL]: replicaLease(replica) } };
    await client.for(ConnectedGateway).apply({ metadata, spec }, { signal });
    this.#written.set(name, { content, lasting, at: clock.monotonic() });
  }

  async #remove(name: string, signal: AbortSignal): Promise<void> {
    const { client, namespace } = this.#options;
    const ref = { namespace, name };
    try {
      await client.for(ConnectedGateway).delete(ref, { signal });
    } catch (error) {
      if (!isMissing(error, ConnectedGateway, ref)) throw error;
    }
    this.#written.delete(name);
  }
}
