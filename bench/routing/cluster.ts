import { createApiServer } from "@gatewright/apiserver";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { allResources, APIRoute } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { many } from "../load.ts";

const NAMESPACE = "bench";

/** An API server in this process, in memory, with routes. */
export interface RoutesCluster {
  readonly url: string;
  /** Writes a route anew, as a user does. */
  edit(route: number, turn: number): Promise<void>;
  close(): Promise<void>;
}

export async function routesCluster(routes: number): Promise<RoutesCluster> {
  const server = await createApiServer();
  const client = createClient(server.transport(), { fieldManager: "bench" });
  for (const kind of allResources.filter(({ group }) => group === "avapigw.io"))
    await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(kind, { check: false }));
  await server.idle();
  await client.for(core.Namespace).apply({ metadata: { name: NAMESPACE } });
  await many(routes, 16, (route) =>
    client
      .for(APIRoute)
      .create({ metadata: { namespace: NAMESPACE, name: `route-${route}` }, spec: specOf(route, 0) as never }),
  );
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    url: listener.url,
    async edit(route, turn) {
      await client
        .for(APIRoute)
        .patch({ namespace: NAMESPACE, name: `route-${route}` }, { merge: { spec: specOf(route, turn) } });
    },
    async close() {
      await listener.close();
      await server.close();
    },
  };
}

function specOf(route: number, turn: number) {
  return {
    match: [{ uri: { prefix: `/team-${route % 100}/service-${route}` }, methods: ["GET", "POST"] }],
    route: [{ destination: { host: `service-${route}.example.com`, port: 8080 } }],
    timeout: `${10 + (turn % 50)}s`,
    headers: { request: { set: { "x-turn": String(turn) } } },
  };
}
