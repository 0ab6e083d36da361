import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, suite, test } from "node:test";
import { Client, credentials, ServerCredentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import { createAuthority } from "@gatewright/certificates";
import type { Authority } from "@gatewright/certificates";
import { gatewayApi, grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import { systemClock, systemRandom } from "@gatewright/ports";
import { SmallOperator, wireResource } from "../control/testing/small-operator.ts";
import { direct, get, list, RunWorld } from "./testing/run-world.ts";

const { ResourceType } = operatorApi;
const validity = { notBefore: systemClock.now() - 60_000, notAfter: systemClock.now() + 3_600_000 };
const authority = (commonName: string): Authority =>
  createAuthority({ subject: { commonName }, ...validity }, systemRandom);
const ROUTE = { match: [{ uri: { exact: "/a" } }], directResponse: { status: 200, body: "pushed" } };

suite("a gateway and those who configure it", () => {
  let world: RunWorld;
  beforeEach(async () => {
    world = await RunWorld.make();
  });
  afterEach(() => world.end());

  /** Files with a certificate of this authority, for a gateway. */
  async function files(of: Authority, usedBy: "client" | "server"): Promise<object> {
    const { key, certificate } = await of.issue({ ...validity, names: { hosts: ["gateway.test"] }, usedBy: [usedBy] });
    for (const [name, text] of Object.entries({ ca: of.certificate, cert: certificate, key }))
      await writeFile(join(world.folder, `${name}.pem`), text);
    return { caFile: "ca.pem", certFile: "cert.pem", keyFile: "key.pem" };
  }

  async function serverCredentials(of: Authority): Promise<ServerCredentials> {
    const names = { hosts: ["operator.test"] };
    const { key, certificate } = await of.issue({ ...validity, names, usedBy: ["server"] });
    const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
    return ServerCredentials.createSsl(Buffer.from(of.certificate), [pair], true);
  }

  test("dials its operator with certificates from files, and with new ones when they were replaced", async () => {
    const [first, second] = [authority("first"), authority("second")];
    const operator = new SmallOperator();
    const port = await operator.listen(await serverCredentials(first));
    const tls = { ...(await files(first, "client")), serverName: "operator.test" };
    await world.settings({ operator: { address: `127.0.0.1:${port}`, tls, name: "edge-1", namespace: "infra" } });
    await world.run({ env: { POD_NAME: "edge-abc" } });
    await operator.until(() => operator.streams.length === 1);
    const { name, namespace, podName, version } = operator.registrations[0]?.gateway ?? {};
    assert.deepEqual([name, namespace, podName, version], ["edge-1", "infra", "edge-abc", "1.2.3"]);
    await files(second, "client");
    operator.close();
    const next = new SmallOperator();
    await next.listen(await serverCredentials(second), port);
    await next.until(() => next.streams.length === 1);
    next.close();
  });

  test("takes pushes from those with the right certificate, keeps them, and serves them after a restart", async () => {
    const ours = authority("ours");
    const tls = await files(ours, "server");
    await world.settings({
      configurationServer: { address: "127.0.0.1", port: 0, tls },
      stateDirectory: "state",
      objects: ["routes.json"],
    });
    await world.file("routes.json", list(direct("mine", "/mine", "of the file")));
    const running = await world.run();
    assert.equal((await get(running.adminPort, "/readyz")).status, 503);
    const own = await ours.issue({ ...validity, subject: { commonName: "operator" }, usedBy: ["client"] });
    const push = async (way: ReturnType<typeof credentials.createSsl>, routeName: string) => {
      const client = new Client(`127.0.0.1:${running.configurationPort}`, way, {
        "grpc.ssl_target_name_override": "gateway.test",
      });
      const service = gatewayApi.ConfigurationService;
      const { path, requestSerialize, responseDeserialize } = grpcMethod(service, service.method.applyAPIRoute);
      const resource = { ...wireResource(ResourceType.API_ROUTE, routeName, ROUTE), namespace: "default" };
      const request = create(gatewayApi.ApplyAPIRouteRequestSchema, { route: resource });
      try {
        return await new Promise<gatewayApi.ApplyAPIRouteResponse>((resolve, reject) => {
          const deadline = systemClock.now() + 5000;
          const answered = (error: unknown, answer: unknown): void =>
            error === null ? resolve(answer as gatewayApi.ApplyAPIRouteResponse) : reject(error);
          client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, { deadline }, answered);
        });
      } finally {
        client.close();
      }
    };
    const ca = Buffer.from(ours.certificate);
    await assert.rejects(push(credentials.createSsl(ca), "a"));
    const known = credentials.createSsl(ca, Buffer.from(own.key), Buffer.from(own.certificate));
    assert.equal((await push(known, "a")).outcome?.applied, true);
    assert.equal((await get(running.adminPort, "/readyz")).status, 200);
    assert.equal((await get(running.listeners[0]?.port, "/a")).text, "pushed");
    const hidden = await push(known, "mine");
    assert.equal(hidden.outcome?.applied, false);
    assert.match(hidden.outcome?.findings[0]?.message ?? "", /came by files/);
    await running.close();
    const again = await world.run();
    assert.equal((await get(again.adminPort, "/readyz")).status, 200);
    assert.equal((await get(again.listeners[0]?.port, "/a")).text, "pushed");
    assert.equal((await get(again.listeners[0]?.port, "/mine")).text, "of the file");
  });

  test("writes its access log to the file that its settings name", async () => {
    await world.settings({ objects: ["routes.json"], accessLog: { file: "access.log" } });
    await world.file("routes.json", list(direct("a", "/a", "one")));
    const running = await world.run();
    await get(running.listeners[0]?.port, "/a");
    await running.close();
    const text = await readFile(join(world.folder, "access.log"), "utf8");
    assert.match(text, /^\{.*"path":"\/a".*\}\n$/);
    assert.deepEqual(world.lines, []);
  });
});
