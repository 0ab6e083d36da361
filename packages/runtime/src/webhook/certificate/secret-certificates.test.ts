import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { certificateFacts, certificatesIn, isIssuedBy } from "@gatewright/certificates";
import { admissionregistration, core } from "@gatewright/kube/api";
import { ManualClock, nextTurn, seededRandom } from "@gatewright/ports";
import { createClient } from "../../client/create-client.ts";
import type { Client } from "../../client/client.ts";
import { eventually } from "../../manager/testing/eventually.ts";
import { quietLog } from "@gatewright/telemetry";
import { createCaInjector } from "../injection/create-ca-injector.ts";
import { validatingTarget } from "../injection/injection-target.ts";
import type { CertificateSource } from "./certificate-source.ts";
import { secretCertificates } from "./secret-certificates.ts";

const DAY = 24 * 3_600_000;
const secret = { namespace: "default", name: "certificates" };

/** An API server, and replicas that share a Secret on it and a clock that stands still. */
async function world() {
  const api = await createApiServer();
  const clock = new ManualClock();
  const client = createClient(api.transport(), { clock });
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  let seed = 0;
  return {
    client,
    clock,
    run: (work: (signal: AbortSignal) => Promise<void>): void => void running.push(work(stop.signal)),
    replica(through: Client = client): CertificateSource {
      const ports = { clock, random: seededRandom(++seed), log: quietLog };
      const lives = { leafLifeMs: 10 * DAY, authorityLifeMs: 50 * DAY, overlapMs: DAY, pollMs: DAY };
      const source = secretCertificates({ client: through, secret, hosts: ["a.default.svc"], ...lives, ...ports });
      running.push(source.run(stop.signal));
      return source;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
      assert.equal(clock.pending, 0);
      await api.close();
    },
  };
}

test("replicas that start at once end up with one authority and one leaf", async () => {
  await using here = await world();
  const replicas = Array.from({ length: 8 }, () => here.replica());
  await eventually("all have a certificate", () => replicas.every((each) => each.current() !== undefined));
  assert.equal(new Set(replicas.map((each) => each.current()?.certificate)).size, 1);
  assert.equal(new Set(replicas.map((each) => each.bundle())).size, 1);
  const stored = await here.client.for(core.Secret).get(secret);
  assert.equal(stored.type, "kubernetes.io/tls");
  assert.equal(Buffer.from(stored.data?.["tls.crt"] ?? "", "base64").toString(), replicas[0]?.current()?.certificate);
});

test("half a year on a clock: two replicas and the injected bundle agree on every day", async () => {
  await using here = await world();
  const configurations = here.client.for(admissionregistration.ValidatingWebhookConfiguration);
  await configurations.create({
    metadata: { name: "test" },
    webhooks: [
      {
        name: "a.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://127.0.0.1:1" },
        rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["none"], operations: ["CREATE"] }],
      },
    ],
  });
  const replicas = [here.replica(), here.replica()];
  const [first] = replicas;
  const injector = createCaInjector({
    targets: [validatingTarget("test")],
    certificates: first!,
    ...here,
    log: quietLog,
  });
  here.run((signal) => injector.run(signal));
  const [leaves, authorities] = [new Set<string>(), new Set<string>()];
  for (let day = 0; day < 180; day++) {
    await eventually("all is at rest", () => here.clock.pending === 2 && injector.check.problem() === undefined);
    const { webhooks = [] } = await configurations.get({ name: "test" });
    const bundle = certificatesIn(Buffer.from(webhooks[0]?.clientConfig.caBundle ?? "", "base64").toString());
    for (const each of replicas) {
      const leaf = each.current()?.certificate ?? "";
      const { notBefore, notAfter } = certificateFacts(leaf);
      assert.ok(notBefore <= here.clock.now() && here.clock.now() < notAfter, `day ${day}: the leaf holds`);
      const by = bundle.find((authority) => isIssuedBy(leaf, authority));
      assert.ok(by !== undefined && certificateFacts(by).notAfter > here.clock.now(), `day ${day}: it is trusted`);
      leaves.add(leaf);
      authorities.add(by);
    }
    here.clock.advance(DAY);
    await nextTurn();
  }
  assert.ok(leaves.size >= 180 / 7 && leaves.size < 180 / 5, `${leaves.size} leaves`);
  assert.ok(authorities.size >= 4 && authorities.size <= 6, `${authorities.size} authorities`);
});

test("a Secret that was deleted comes back as it was, an empty or spoiled one is filled", async () => {
  await using here = await world();
  const secrets = here.client.for(core.Secret);
  await secrets.create({ metadata: secret, type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } });
  const source = here.replica();
  await eventually("there is a certificate", () => source.current() !== undefined && here.clock.pending === 1);
  const before = source.current();
  const { data } = await secrets.get(secret);
  await secrets.delete(secret);
  here.clock.advance(DAY);
  await eventually("it is back", async () => (await secrets.find(secret)) !== undefined && here.clock.pending === 1);
  assert.deepEqual((await secrets.get(secret)).data, data);
  await secrets.patch(secret, { merge: { data: { "authority.key": data?.["tls.key"] ?? "" } } });
  here.clock.advance(DAY);
  await eventually("it is mended", async () => {
    const stored = await secrets.get(secret);
    return stored.data?.["authority.key"] === data?.["authority.key"] && here.clock.pending === 1;
  });
  assert.deepEqual(source.current(), before);
});

test("while the API server refuses, a replica serves with what it has, and tries again soon", async () => {
  await using here = await world();
  const api = await createApiServer();
  let away = true;
  const transport = api.transport();
  const shaky = createClient((request) => (away ? Promise.reject(new Error("nobody answers")) : transport(request)), {
    clock: here.clock,
    retry: false,
  });
  const source = here.replica(shaky);
  await eventually("it waits", () => here.clock.pending === 1);
  assert.equal(source.current(), undefined);
  away = false;
  here.clock.advance(2000);
  await eventually("there is a certificate", () => source.current() !== undefined && here.clock.pending === 1);
  away = true;
  const before = source.current();
  here.clock.advance(DAY);
  await eventually("it waits again", () => here.clock.pending === 1);
  assert.equal(source.current(), before);
  await api.close();
});
