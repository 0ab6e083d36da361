import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import type { TestContext } from "node:test";
import type { MessageShape } from "@bufbuild/protobuf";
import { Client, credentials, status } from "@grpc/grpc-js";
import type { ChannelCredentials, ServiceError } from "@grpc/grpc-js";
import { createAuthority } from "@gatewright/certificates";
import { grpcMethod } from "@gatewright/gateway-wire";
import { AggregatedDiscoveryService } from "@gatewright/gateway-wire/xds";
import type { DeltaDiscoveryRequest, DeltaDiscoveryResponseSchema } from "@gatewright/gateway-wire/xds";
import { systemClock, systemRandom } from "@gatewright/ports";
import { gatewayHost } from "../certificates/gateway-names.ts";
import { ChangePace } from "../distribution/change-pace.ts";
import { createConnections } from "../distribution/create-connections.ts";
import type { Connections } from "../distribution/connected-gateway.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { changingServerCredentials } from "../stream/server-certificates.ts";
import { DEFAULT_ENVOY_SETTINGS } from "./envoy/envoy-settings.ts";
import { serveXds } from "./serve-xds.ts";

type DeltaDiscoveryResponse = MessageShape<typeof DeltaDiscoveryResponseSchema>;

const CLUSTERS = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
const EDGE = { namespace: "edge", name: "edge-1" };
const validity = { notBefore: systemClock.now() - 60_000, notAfter: systemClock.now() + 3_600_000 };
const method = grpcMethod<DeltaDiscoveryRequest, DeltaDiscoveryResponse>(
  AggregatedDiscoveryService,
  AggregatedDiscoveryService.method.deltaAggregatedResources,
);

interface World {
  readonly connections: Connections;
  /** What a client shows that has a certificate with this name from our authority; nothing when it has none. */
  readonly showing: (host?: string) => Promise<ChannelCredentials>;
  /** Asks for clusters: their names, or how the call ended. */
  readonly ask: (
    shown: ChannelCredentials,
    cluster: string,
    userAgentName?: string,
  ) => Promise<string[] | ServiceError>;
}

async function world(context: TestContext): Promise<World> {
  const stop = new AbortController();
  const catalogue = new MutableCatalogue();
  const connections = createConnections({ catalogue, clock: systemClock });
  const pace = new ChangePace({ catalogue, clock: systemClock });
  pace.start(stop.signal);
  const web = deliverable("web", {
    kind: "Backend",
    spec: { hosts: [{ address: "127.0.0.1", port: 8080, weight: 1 }] },
  });
  const route = deliverable("shop", {
    spec: { match: [{ uri: { prefix: "/" } }], route: [{ destination: { host: "web", port: 8080 } }] },
  });
  for (const made of [web, route]) catalogue.put(made.source, [made]);
  catalogue.completed();
  const authority = createAuthority({ subject: { commonName: "ours" }, ...validity }, systemRandom);
  const own = await authority.issue({ ...validity, names: { hosts: ["localhost"] }, usedBy: ["server"] });
  const current = { ...own, authorities: authority.certificate };
  const server = await serveXds({
    address: "127.0.0.1:0",
    credentials: changingServerCredentials({ current, subscribe: () => () => {} }),
    envoy: DEFAULT_ENVOY_SETTINGS,
    catalogue,
    connections,
    pace,
    bindsIdentity: true,
  });
  const clients: Client[] = [];
  context.after(() => {
    for (const client of clients) client.close();
    server.close();
    stop.abort();
  });
  return {
    connections,
    async showing(host) {
      const trusted = Buffer.from(authority.certificate);
      if (host === undefined) return credentials.createSsl(trusted);
      const { key, certificate } = await authority.issue({ ...validity, names: { hosts: [host] }, usedBy: ["client"] });
      return credentials.createSsl(trusted, Buffer.from(key), Buffer.from(certificate));
    },
    async ask(shown, cluster, userAgentName = "envoy") {
      const client = new Client(`localhost:${server.port}`, shown);
      clients.push(client);
      const { path, requestSerialize, responseDeserialize } = method;
      const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
      const node = { id: "pod-1", cluster, userAgentName };
      call.write({ typeUrl: CLUSTERS, node, resourceNamesSubscribe: ["*"] } as unknown as DeltaDiscoveryRequest);
      try {
        const [{ resources }] = (await once(call, "data")) as [DeltaDiscoveryResponse];
        call.on("error", () => {}); // the server goes before the client does
        return resources.map(({ name }) => name);
      } catch (error) {
        return error as ServiceError;
      }
    },
  };
}

test("a node whose certificate is in its name is served; what makes it tells its dialect", async (context) => {
  const { connections, showing, ask } = await world(context);
  const shown = await showing(gatewayHost(EDGE));
  const clusters = await ask(shown, "edge/edge-1");
  assert.ok(Array.isArray(clusters), String(clusters));
  assert.equal(clusters.length, 1);
  assert.deepEqual(
    connections
      .all()
      .map(({ gateway: { namespace, name, dialect, door, podName } }) => ({ namespace, name, dialect, door, podName })),
    [{ ...EDGE, dialect: "envoy", door: "xds", podName: "pod-1" }],
  );
  assert.ok(Array.isArray(await ask(shown, "edge/edge-1", "gRPC Go")));
  assert.deepEqual(
    connections
      .all()
      .map(({ gateway }) => gateway.dialect)
      .sort(),
    ["envoy", "grpc"],
  );
});

test("a node with another's certificate is refused by name, one without any is not heard", async (context) => {
  const { connections, showing, ask } = await world(context);
  const others = await showing(gatewayHost({ ...EDGE, name: "edge-2" }));
  const liar = await ask(others, "edge/edge-1");
  assert.ok(liar instanceof Error);
  assert.equal(liar.code, status.PERMISSION_DENIED);
  assert.equal(liar.details, "the certificate is not in the name of the gateway edge/edge-1");
  const elsewhere = await ask(others, "edge-2");
  assert.ok(elsewhere instanceof Error);
  assert.match(elsewhere.details, /not in the name of the gateway default\/edge-2/);
  const nameless = await ask(others, "edge/");
  assert.ok(nameless instanceof Error);
  assert.match(nameless.details, /node.cluster must name the gateway: namespace\/name/);
  const stranger = await ask(await showing(), "edge/edge-1");
  assert.ok(stranger instanceof Error);
  assert.equal(stranger.code, status.UNAVAILABLE);
  assert.equal(connections.all().length, 0);
});
