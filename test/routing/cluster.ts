import { createApiServer } from "@gatewright/apiserver";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { ReferenceGrant, allResources } from "@gatewright/resources";
import { createClient, createHttpTransport } from "@gatewright/runtime";
import type { Client, Transport } from "@gatewright/runtime";

/** The embedded API server, with the kinds of routing. */
export interface Cluster {
  readonly client: Client;
  readonly transport: Transport;
  /** A client's way to it over sockets: what it watches comes on a connection for each kind. */
  remote(): Promise<Transport>;
  close(): Promise<void>;
}

/** In memory. Its clock decides how old objects are. */
export async function routingCluster(clock: Clock = systemClock): Promise<Cluster> {
  const server = await createApiServer({ clock, random: systemRandom });
  const transport = server.transport();
  const client = createClient(transport, { fieldManager: "user" });
  const kinds = [...allResources.filter(({ group }) => group === "avapigw.io"), ReferenceGrant];
  for (const kind of kinds) await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind));
  await server.idle();
  const ends = new AsyncDisposableStack();
  ends.defer(() => server.close());
  return {
    client,
    transport,
    async remote() {
      const listener = ends.adopt(await server.listen({ host: "127.0.0.1", port: 0 }), (one) => one.close());
      return ends.adopt(createHttpTransport({ server: listener.url }), (one) => one.close());
    },
    close: () => ends.disposeAsync(),
  };
}
