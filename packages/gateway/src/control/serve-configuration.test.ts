import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, ServerCredentials, credentials, status } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import type { DescMethod, Message } from "@bufbuild/protobuf";
import { gatewayApi, grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import { createAuthority } from "@gatewright/certificates";
import { systemClock, systemRandom } from "@gatewright/ports";
import { serveConfiguration } from "./serve-configuration.ts";
import { HeldObjects } from "./testing/held-objects.ts";
import { wireResource } from "./testing/small-operator.ts";

const { ResourceType } = operatorApi;
const SERVICE = gatewayApi.ConfigurationService;
const about = {
  address: "127.0.0.1",
  port: 0,
  identity: { name: "gw", namespace: "edge", version: "1" },
  numbers: () => ({ activeConnections: 2, requestsPerSecond: 0, errorRate: 0, memoryBytes: 7, uptimeMs: 5000 }),
};

function ask<Response>(client: Client, method: DescMethod, request: Message): Promise<Response> {
  const { path, requestSerialize, responseDeserialize } = grpcMethod(SERVICE, method);
  const deadline = systemClock.now() + 2000;
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, { deadline }, (error, answer) =>
      error === null ? resolve(answer as Response) : reject(error),
    ),
  );
}

test("objects are pushed one by one, refused ones are named, and the status tells what is held", async () => {
  const held = new HeldObjects();
  const server = await serveConfiguration({ ...about, credentials: ServerCredentials.createInsecure(), target: held });
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const { method } = SERVICE;
  const push = (name: string) =>
    ask<gatewayApi.ApplyAPIRouteResponse>(
      client,
      method.applyAPIRoute,
      create(gatewayApi.ApplyAPIRouteRequestSchema, { route: wireResource(ResourceType.API_ROUTE, name) }),
    );
  assert.equal((await push("a")).outcome?.applied, true);
  const refused = await push("bad");
  assert.equal(refused.outcome?.applied, false);
  assert.equal(refused.outcome?.findings[0]?.message, "is bad");
  await ask(
    client,
    method.applyBackend,
    create(gatewayApi.ApplyBackendRequestSchema, { backend: wireResource(ResourceType.BACKEND, "one") }),
  );
  assert.deepEqual(held.names, ["APIRoute shop/a", "Backend shop/one"]);
  const told = await ask<gatewayApi.GetGatewayStatusResponse>(
    client,
    method.getGatewayStatus,
    create(gatewayApi.GetGatewayStatusRequestSchema),
  );
  assert.deepEqual(
    told.objects.map(({ name, resourceVersion }) => [name, resourceVersion]),
    [
      ["a", "1"],
      ["one", "1"],
    ],
  );
  const route = { namespace: "shop", name: "a" };
  const remove = () =>
    ask<gatewayApi.DeleteAPIRouteResponse>(
      client,
      method.deleteAPIRoute,
      create(gatewayApi.DeleteAPIRouteRequestSchema, { route }),
    );
  assert.equal((await remove()).deleted, true);
  assert.equal((await remove()).deleted, false);
  await assert.rejects(
    ask(client, method.applyAPIRoute, create(gatewayApi.ApplyAPIRouteRequestSchema)),
    ({ code, details }: ServiceError) => code === status.INVALID_ARGUMENT && details === "route is missing",
  );
  client.close();
  server.close();
});

test("without a certificate of the right authority nobody is served", async () => {
  const validity = { notBefore: systemClock.now() - 60_000, notAfter: systemClock.now() + 3_600_000 };
  const authority = (commonName: string) => createAuthority({ subject: { commonName }, ...validity }, systemRandom);
  const [ours, theirs] = [authority("ours"), authority("theirs")];
  const names = { hosts: ["127.0.0.1"] };
  const served = await ours.issue({ ...validity, names, usedBy: ["server"] });
  const pair = { private_key: Buffer.from(served.key), cert_chain: Buffer.from(served.certificate) };
  const server = await serveConfiguration({
    ...about,
    credentials: ServerCredentials.createSsl(Buffer.from(ours.certificate), [pair], true),
    target: new HeldObjects(),
  });
  const asks = async (from: typeof ours | undefined): Promise<string> => {
    const own = await from?.issue({ ...validity, subject: { commonName: "operator" }, usedBy: ["client"] });
    const [key, certificate] = own === undefined ? [] : [Buffer.from(own.key), Buffer.from(own.certificate)];
    const way = credentials.createSsl(Buffer.from(ours.certificate), key ?? null, certificate ?? null);
    const client = new Client(`127.0.0.1:${server.port}`, way);
    try {
      const request = create(gatewayApi.GetGatewayStatusRequestSchema);
      await ask(client, SERVICE.method.getGatewayStatus, request);
      return "served";
    } catch (error) {
      return status[(error as ServiceError).code];
    } finally {
      client.close();
    }
  };
  assert.equal(await asks(ours), "served");
  for (const stranger of [theirs, undefined]) assert.notEqual(await asks(stranger), "served");
  server.close();
});
