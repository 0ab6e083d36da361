import assert from "node:assert/strict";
import { createServer } from "node:http2";
import type { ServerHttp2Session } from "node:http2";
import { after, before, test } from "node:test";
import { Client, Server, ServerCredentials, credentials } from "@grpc/grpc-js";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@gatewright/kube";
import { systemClock } from "@gatewright/ports";
import { register } from "@grpc/grpc-js-xds";
import { ChangePace } from "../distribution/change-pace.ts";
import { createConnections } from "../distribution/create-connections.ts";
import { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { adsService } from "./ads-service.ts";
import { PROXYLESS_SETTINGS } from "./envoy/envoy-settings.ts";
import { EnvoyTranslation } from "./envoy/translation.ts";
import { Views } from "./views.ts";

const stop = new AbortController();
const catalogue = new MutableCatalogue();
const connections = createConnections({ catalogue, clock: systemClock });
const ads = new Server();
const backends: ReturnType<typeof createServer>[] = [];
const sessions = new Set<ServerHttp2Session>();

/** A server of gRPC without a library: answers every call with its own name. */
async function backend(name: string): Promise<number> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/grpc" });
    const message = Buffer.from(name);
    const head = Buffer.from([0, 0, 0, 0, message.length]);
    response.addTrailers({ "grpc-status": "0" });
    response.end(Buffer.concat([head, message]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.on("session", (session) => sessions.add(session));
  backends.push(server);
  return (server.address() as AddressInfo).port;
}

function put(kind: "GRPCRoute" | "GRPCBackend", name: string, spec: JsonObject): void {
  const made = deliverable(name, { kind, spec });
  catalogue.put(made.source, [made]);
}

function backendAt(port: number): JsonObject {
  return { hosts: [{ address: "127.0.0.1", port, weight: 1 }] };
}

function routeTo(host: string): JsonObject {
  return {
    hosts: ["orders.test"],
    match: [{ service: { exact: "shop.Orders" } }],
    route: [{ destination: { host, port: 9090 }, weight: 100 }],
  };
}

const raw = (bytes: Buffer): Buffer => bytes;

function call(client: Client, path: string): Promise<string> {
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, raw, raw, Buffer.from("hello"), (error, answer) =>
      error === null ? resolve(String(answer)) : reject(error),
    ),
  );
}

before(async () => {
  const pace = new ChangePace({ catalogue, clock: systemClock });
  pace.start(stop.signal);
  catalogue.completed();
  const views = new Views({ catalogue, pace, translation: () => new EnvoyTranslation(PROXYLESS_SETTINGS) });
  const { definition, implementation } = adsService({
    catalogue,
    connections,
    views,
    identify: (_call, node) =>
      node.id === "stranger"
        ? { refused: "nobody knows it" }
        : {
            namespace: "shop",
            name: node.id,
            dialect: "grpc",
            door: "xds",
            labels: {},
            version: "",
            namespaces: [],
          },
  });
  ads.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) =>
    ads.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  process.env["GRPC_XDS_BOOTSTRAP_CONFIG"] = JSON.stringify({
    xds_servers: [
      { server_uri: `127.0.0.1:${port}`, channel_creds: [{ type: "insecure" }], server_features: ["xds_v3"] },
    ],
    node: { id: "orders-client", locality: {} },
  });
  register();
});

after(() => {
  stop.abort();
  ads.forceShutdown();
  for (const server of backends) server.close();
  for (const session of sessions) session.destroy();
  delete process.env["GRPC_XDS_BOOTSTRAP_CONFIG"];
});

test("a real client of gRPC finds its backend, follows a change, and says what it has", async () => {
  const [one, two] = [await backend("one"), await backend("two")];
  put("GRPCBackend", "one", backendAt(one));
  put("GRPCBackend", "two", backendAt(two));
  put("GRPCRoute", "orders", routeTo("one"));
  const client = new Client("xds:///orders.test", credentials.createInsecure());
  try {
    assert.equal(await call(client, "/shop.Orders/Get"), "one");
    await assert.rejects(call(client, "/shop.Users/Get"));
    put("GRPCRoute", "orders", routeTo("two"));
    let answer = "one";
    for (let looks = 0; looks < 500 && answer === "one"; looks++) {
      answer = await call(client, "/shop.Orders/Get");
      await new Promise<void>((resolve) => void systemClock.timer(5, resolve));
    }
    assert.equal(answer, "two");
    const [connection] = connections.all();
    assert.equal(connection?.gateway.name, "orders-client");
    assert.equal(connection?.acknowledged, catalogue.revision);
    assert.equal(connection?.refused, 0);
  } finally {
    client.close();
  }
});
