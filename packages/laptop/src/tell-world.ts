import { LOCAL_WORLD, localWorldData } from "@gatewright/explain/local-world";
import { core } from "@gatewright/kube/api";
import type { LocalCloud } from "@gatewright/local-aws";
import type { Client } from "@gatewright/runtime";

/** Ports below 1024 need rights: load balancers listen this much higher. */
const PORTS_MOVED_BY = 8000;

/** Says in the cluster how this world is looked at from outside, so that commands need no flags. */
export async function tellWorld(client: Client, cloud: LocalCloud, signal: AbortSignal): Promise<void> {
  const dns = `${cloud.dns.host}:${cloud.dns.port}`;
  const data = localWorldData({ dns, ca: await cloud.caCertificate(), portsMovedBy: PORTS_MOVED_BY });
  await client.for(core.ConfigMap).apply({ metadata: { ...LOCAL_WORLD }, data }, { signal });
}
