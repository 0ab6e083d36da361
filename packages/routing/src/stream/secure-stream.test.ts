import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Client, credentials, status as grpcStatus } from "@grpc/grpc-js";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { create } from "@bufbuild/protobuf";
import { createAuthority } from "@gatewright/certificates";
import type { Authority } from "@gatewright/certificates";
import { grpcMethod, operatorApi } from "@gatewright/gateway-wire";
import { systemClock, systemRandom } from "@gatewright/ports";
import { deliverable } from "../model/testing/deliverables.ts";
import { changingServerCredentials } from "./server-certificates.ts";
import type { MaterialSource, ServerMaterial } from "./server-certificates.ts";
import { StreamWorld } from "./testing/stream-world.ts";

const validity = { notBefore: systemClock.now() - 60_000, notAfter: systemClock.now() + 3_600_000 };
const authority = (commonName: string): Authority =>
  createAuthority({ subject: { commonName }, ...validity }, systemRandom);
const route = deliverable("a", { spec: { directResponse: { status: 200 } } });

class Material implements MaterialSource {
  current: ServerMaterial | undefined;
  readonly #listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async issue(by: Authority, trusted: readonly Authority[] = [by]): Promise<void> {
    const pair = await by.issue({ ...validity, names: { hosts: ["localhost"] }, usedBy: ["server"] });
    this.current = { ...pair, authorities: trusted.map(({ certificate }) => certificate).join("") };
    for (const listener of this.#listeners) listener();
  }
}

async function shown(
  by: Authority,
  hosts: readonly string[],
  trusted: Authority = by,
): Promise<() => ChannelCredentials> {
  const { key, certificate } = await by.issue({ ...validity, names: { hosts }, usedBy: ["client"] });
  return () => credentials.createSsl(Buffer.from(trusted.certificate), Buffer.from(key), Buffer.from(certificate));
}

async function world(context: TestContext, material: Material): Promise<StreamWorld> {
  const made = new StreamWorld();
  context.after(() => made.end());
  made.put(route);
  made.catalogue.completed();
  await made.start({ credentials: changingServerCredentials(material), bindsIdentity: true });
  return made;
}

const at = (made: StreamWorld) => () => made.address.replace("127.0.0.1", "localhost");

test("a gateway is served under the name in its certificate, and under no other", async (context) => {
  const [ours, theirs, material] = [authority("ours"), authority("theirs"), new Material()];
  await material.issue(ours);
  const all = await world(context, material);
  const good = all.gateway("good", { address: at(all) }, await shown(ours, ["good.edge"]));
  const liar = all.gateway("liar", { address: at(all) }, await shown(ours, ["good.edge"]));
  const stranger = all.gateway("good", { address: at(all) }, await shown(theirs, ["good.edge"], ours));
  await all.settled();
  assert.deepEqual(good.state.names, ["API_ROUTE shop/a"]);
  await all.time.until("both were refused", () => liar.ends.length > 0 && stranger.ends.length > 0);
  assert.match(
    liar.ends[0] ?? "",
    /PERMISSION_DENIED: the certificate is not one of gateway liar.edge; it is of: good.edge/,
  );
  assert.match(stranger.ends[0] ?? "", /^UNAVAILABLE/);
  assert.equal(liar.registrations + stranger.registrations, 0);
  assert.equal(all.connections.all().length, 1);
});

test("acknowledgements that come one after the other are taken from the session's own gateway alone", async (context) => {
  const [ours, material] = [authority("ours"), new Material()];
  await material.issue(ours);
  const all = await world(context, material);
  const dial = async (host: string): Promise<Client> => {
    const client = new Client(at(all)(), (await shown(ours, [host]))());
    context.after(() => client.close());
    return client;
  };
  const { registerGateway, acknowledgeConfigurations } = operatorApi.ConfigurationService.method;
  const [good, other] = [await dial("good.edge"), await dial("other.edge")];
  const registering = grpcMethod<operatorApi.RegisterGatewayRequest, operatorApi.RegisterGatewayResponse>(
    operatorApi.ConfigurationService,
    registerGateway,
  );
  const { sessionId } = await new Promise<operatorApi.RegisterGatewayResponse>((resolve, reject) => {
    const gateway = create(operatorApi.GatewayInfoSchema, { name: "good", namespace: "edge" });
    const request = create(operatorApi.RegisterGatewayRequestSchema, { gateway });
    const { path, requestSerialize, responseDeserialize } = registering;
    good.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) =>
      error === null ? resolve(answer as operatorApi.RegisterGatewayResponse) : reject(error),
    );
  });
  const told = (client: Client): Promise<string> =>
    new Promise((resolve) => {
      const { path, requestSerialize, responseDeserialize } = grpcMethod<
        operatorApi.AcknowledgeConfigurationRequest,
        operatorApi.AcknowledgeConfigurationResponse
      >(operatorApi.ConfigurationService, acknowledgeConfigurations);
      const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, (error) =>
        resolve(error === null ? "taken" : grpcStatus[error.code]),
      );
      call.write(create(operatorApi.AcknowledgeConfigurationRequestSchema, { sessionId, configVersion: "1" }));
    });
  assert.equal(await told(other), "PERMISSION_DENIED");
  // It does not follow.
  assert.equal(await told(good), "FAILED_PRECONDITION");
});

test("certificates change while gateways are served: who is there stays, who comes meets the new ones", async (context) => {
  const [old, next, material] = [authority("old"), authority("next"), new Material()];
  await material.issue(old);
  const all = await world(context, material);
  const before = all.gateway("before", { address: at(all) }, await shown(old, ["before.edge"]));
  await all.settled();
  await material.issue(next, [old, next]);
  const after = all.gateway("after", { address: at(all) }, await shown(next, ["after.edge"]));
  await all.settled(2);
  all.put(deliverable("b", { spec: { directResponse: { status: 200 } } }));
  await all.settled(2);
  assert.deepEqual([before.registrations, before.updates], [1, 2]);
  assert.deepEqual([after.registrations, after.updates], [1, 2]);
  await material.issue(next);
  const late = all.gateway("late", { address: at(all) }, await shown(old, ["late.edge"], next));
  await all.time.until("the old authority's word counts no more", () => late.ends.length > 0);
  assert.equal(late.registrations, 0);
});

test("without a certificate of its own the server lets nobody in, until it has one", async (context) => {
  const [ours, material] = [authority("ours"), new Material()];
  const all = await world(context, material);
  const gateway = all.gateway("gw", { address: at(all) }, await shown(ours, ["gw.edge"]));
  await all.time.until("it was turned away", () => gateway.ends.length > 0);
  assert.equal(gateway.registrations, 0);
  await material.issue(ours);
  await all.settled();
  assert.deepEqual(gateway.state.names, ["API_ROUTE shop/a"]);
});
