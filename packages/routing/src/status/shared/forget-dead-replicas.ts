import { coordination } from "@gatewright/kube/api";
import type { Clock } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import { ConnectedGateway } from "@gatewright/resources";
import { isMissing } from "@gatewright/runtime";
import type { Cache, Client, Log, Runnable } from "@gatewright/runtime";
import { REPLICA_LABEL } from "./gateway-record.ts";
import { SILENT_SECONDS } from "./share-connections.ts";

export interface ForgetOptions {
  readonly cache: Cache;
  /** Gated by the lease: the leader does it. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly namespace: string;
}

const ROUND_MS = 10_000;

/**
 * Removes what replicas told of their gateways that are silent by now. How long they are silent is measured here, not read from what
 * they wrote, whose clock may be another.
 */
export function forgetDeadReplicas({ cache, client, clock, log, namespace }: ForgetOptions): Runnable {
  const leases = cache.informer(coordination.Lease, { namespace, labelSelector: REPLICA_LABEL });
  const records = cache.informer(ConnectedGateway, { namespace });
  return {
    name: "routing-dead-replicas",
    when: "leading",
    async run(signal) {
      await Promise.all([leases.whenSynced(signal), records.whenSynced(signal)]);
      const heard = new Map<string, { readonly renewTime: string; readonly at: number }>();
      const isSilent = (replica: string): boolean => {
        const lease = leases.get({ namespace, name: replica });
        const renewTime = lease?.spec?.renewTime ?? "";
        const before = heard.get(replica);
        const now = clock.monotonic();
        if (before?.renewTime === renewTime) return now - before.at > SILENT_SECONDS * 1000;
        heard.set(replica, { renewTime, at: now });
        return false;
      };
      while (!signal.aborted) {
        const told = records.list().map(({ metadata }) => metadata.labels?.[REPLICA_LABEL] ?? "");
        const replicas = new Set([...told, ...leases.list().map(({ metadata }) => metadata.name ?? "")]);
        for (const replica of replicas) {
          if (replica === "" || !isSilent(replica)) continue;
          try {
            await forget(client, namespace, replica, signal);
            heard.delete(replica);
          } catch (error) {
            if (signal.aborted) return;
            log.warn("cannot remove what a replica told that is silent; trying again", { replica, error });
          }
        }
        await sleep(clock, ROUND_MS, signal).catch(() => {}); // ends with the signal
      }
    },
  };
}

async function forget(client: Client, namespace: string, replica: string, signal: AbortSignal): Promise<void> {
  await client.for(ConnectedGateway).deleteAll({ namespace, labelSelector: `${REPLICA_LABEL}=${replica}`, signal });
  const ref = { namespace, name: replica };
  try {
    await client.for(coordination.Lease).delete(ref, { signal });
  } catch (error) {
    if (!isMissing(error, coordination.Lease, ref)) throw error;
  }
}
