import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { certificateFacts, certificatesIn, isIssuedBy } from "@gatewright/certificates";
import { core } from "@gatewright/kube/api";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { createClient, quietLog } from "@gatewright/runtime";
import { secretCertificates } from "@gatewright/runtime/webhook";
import { gatewayCertificates } from "./gateway-certificates.ts";
import type { GatewayCredentials } from "./gateway-secret.ts";
import { gatewayCredentialsIn } from "./gateway-secret.ts";

const DAY = 24 * 3_600_000;
const edge = { namespace: "default", name: "edge" };
const ref = { namespace: "default", name: "edge-operator-client" };

async function world() {
  const api = await createApiServer();
  const clock = new ManualClock();
  const client = createClient(api.transport(), { clock });
  const random = seededRandom(7);
  const stop = new AbortController();
  const authority = secretCertificates({
    client,
    clock,
    random,
    log: quietLog,
    secret: { namespace: "default", name: "operator" },
    hosts: ["operator.default.svc"],
    leafLifeMs: 10 * DAY,
    authorityLifeMs: 50 * DAY,
    overlapMs: DAY,
    pollMs: DAY / 4,
  });
  const keeper = gatewayCertificates({
    gateways: [edge],
    authority,
    client,
    clock,
    log: quietLog,
    lifeMs: 9 * DAY,
    pollMs: DAY / 4,
  });
  const running = [authority.run(stop.signal), keeper.run(stop.signal)];
  const secrets = client.for(core.Secret);
  return {
    authority,
    clock,
    secrets,
    async credentials(): Promise<GatewayCredentials | undefined> {
      const found = await secrets.find(ref);
      return found && gatewayCredentialsIn(found);
    },
    /** Lets everything that is under way come to rest. */
    async settled() {
      for (let turn = 0; turn < 25; turn++) await nextTurn();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
      assert.equal(clock.pending, 0);
      await api.close();
    },
  };
}

test("a gateway finds a certificate in its own name, and the authorities of the operator", async () => {
  await using here = await world();
  await here.settled();
  const credentials = await here.credentials();
  assert.ok(credentials);
  assert.deepEqual(certificateFacts(credentials.pair.certificate).hosts, ["edge.default"]);
  assert.equal(credentials.bundle, here.authority.bundle());
  assert.ok(certificatesIn(credentials.bundle).some((each) => isIssuedBy(credentials.pair.certificate, each)));
});

test("for months, over a change of authority, the gateway and the operator trust each other on every day", async () => {
  await using here = await world();
  await here.settled();
  const seen = new Set<string>();
  for (let half = 0; half < 2 * 130; half++) {
    here.clock.advance(DAY / 2);
    await here.settled();
    const credentials = await here.credentials();
    const [served, trusted] = [here.authority.current(), here.authority.bundle()];
    assert.ok(credentials !== undefined && served !== undefined && trusted !== undefined);
    const { certificate } = credentials.pair;
    seen.add(certificate);
    assert.ok(certificateFacts(certificate).notAfter > here.clock.now(), `ended on day ${half / 2}`);
    assert.ok(certificatesIn(trusted).some((each) => isIssuedBy(certificate, each)));
    assert.ok(certificatesIn(credentials.bundle).some((each) => isIssuedBy(served.certificate, each)));
  }
  assert.ok(seen.size > 130 / 9, `${seen.size} certificates`);
});

test("a Secret that somebody spoiled or removed is written anew", async () => {
  await using here = await world();
  await here.settled();
  const found = await here.secrets.get(ref);
  await here.secrets.update({
    ...found,
    data: { ...found.data, "tls.key": Buffer.from("nonsense").toString("base64") },
  });
  here.clock.advance(DAY / 4);
  await here.settled();
  assert.ok(await here.credentials());
  await here.secrets.delete(ref);
  here.clock.advance(DAY / 4);
  await here.settled();
  assert.ok(await here.credentials());
});
