import { core } from "@gatewright/kube/api";
import type { Reader } from "../reader.ts";

/** Where a local world says how it is looked at from outside: everybody may read it, and only its admin writes there. */
export const LOCAL_WORLD = { namespace: "kube-public", name: "gatewright-local-world" } as const;

/** What is different on one machine: names are asked of its own DNS, and ports that need rights are others. */
export interface LocalWorld {
  /** `127.0.0.1:1053`. */
  readonly dns: string;
  /** PEM of the authority behind its certificates. */
  readonly ca: string;
  /** What is added to ports below 1024: 443 is at 8443. */
  readonly portsMovedBy: number;
}

/** The data of the ConfigMap. */
export function localWorldData({ dns, ca, portsMovedBy }: LocalWorld): Readonly<Record<string, string>> {
  return { dns, "ca.crt": ca, portsMovedBy: String(portsMovedBy) };
}

/**
 * The local world that an API server is part of; undefined for a cluster. Only one on this machine is believed: names of others are
 * never asked of a server that a ConfigMap names.
 */
export async function findLocalWorld(reader: Reader, signal?: AbortSignal): Promise<LocalWorld | undefined> {
  const seen = await reader.get(core.ConfigMap, LOCAL_WORLD, signal);
  if (seen.state !== "present") return undefined;
  const { dns = "", "ca.crt": ca = "", portsMovedBy = "0" } = seen.object.data ?? {};
  if (!/^(?:127\.[0-9.]+|\[::1\]):[0-9]+$/.test(dns) || ca === "") return undefined;
  return { dns, ca, portsMovedBy: Number(portsMovedBy) || 0 };
}
