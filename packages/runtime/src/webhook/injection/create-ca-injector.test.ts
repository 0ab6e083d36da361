import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { admissionregistration } from "@gatewright/kube/api";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import { createClient } from "../../client/create-client.ts";
import type { TransportRequest } from "../../transport/transport.ts";
import { eventually } from "../../manager/testing/eventually.ts";
import type { CertificateSource } from "../certificate/certificate-source.ts";
import { createCaInjector } from "./create-ca-injector.ts";
import { validatingTarget } from "./injection-target.ts";

const certificates: CertificateSource = {
  current: () => undefined,
  bundle: () => "PEM",
  subscribe: () => () => {},
  confirm: () => {},
  run: async () => {},
};

/** An injector with one target, whose requests fail while a test says so, and whose watches it ends. */
async function world() {
  const clock = new ManualClock();
  const api = await createApiServer({ clock });
  const direct = createClient(api.transport(), { clock });
  const configurations = direct.for(admissionregistration.ValidatingWebhookConfiguration);
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
  const transport = api.transport();
  const here = {
    clock,
    fails: (_request: TransportRequest): boolean => false,
    /** How many requests failed. */
    failed: 0,
    endWatch: (): void => {},
    problem: (): string | undefined => injector.check.problem(),
    async takeOut(): Promise<void> {
      const json = [{ op: "remove", path: "/webhooks/0/clientConfig/caBundle" }] as const;
      await configurations.patch({ name: "test" }, { json });
    },
    async hasBundle(): Promise<boolean> {
      const { webhooks = [] } = await configurations.get({ name: "test" });
      return webhooks[0]?.clientConfig.caBundle === Buffer.from("PEM").toString("base64");
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await ended;
      await api.close();
    },
  };
  const client = createClient(
    async (request) => {
      if (here.fails(request)) {
        here.failed++;
        throw new Error("nobody answers");
      }
      if (!request.path.includes("watch=")) return transport(request);
      const end = new AbortController();
      here.endWatch = () => end.abort(new Error("the connection was cut"));
      return transport({
        ...request,
        signal: AbortSignal.any([end.signal, ...(request.signal ? [request.signal] : [])]),
      });
    },
    { clock, retry: false },
  );
  const injector = createCaInjector({
    targets: [validatingTarget("test")],
    certificates,
    client,
    clock,
    log: quietLog,
  });
  const stop = new AbortController();
  const ended = injector.run(stop.signal);
  return here;
}

test("an API server that is away takes no webhook out, and what happened meanwhile is mended 5 s after it is back", async () => {
  await using here = await world();
  await eventually("the bundle is in", () => here.problem() === undefined);
  here.fails = () => true;
  here.endWatch();
  for (let tries = 1; tries <= 20; tries++) {
    await eventually("it tried", () => here.failed === tries && here.clock.pending === 1);
    assert.equal(here.problem(), undefined);
    if (tries < 20) here.clock.advance(5000);
  }
  await here.takeOut();
  here.fails = () => false;
  here.clock.advance(5000);
  await eventually("the bundle is back", () => here.hasBundle());
  assert.equal(here.problem(), undefined);
});

test("an injector that never saw its target, or saw it without the bundle and could not put it in, is not ready", async () => {
  await using here = await world();
  here.fails = ({ method }) => method === "PATCH";
  await eventually("it tried", () => here.failed > 0);
  assert.match(here.problem() ?? "", /^the caBundle is not injected \(test: .*nobody answers/);
  here.fails = () => false;
  await eventually("the bundle is in", async () => {
    here.clock.advance(1000);
    await nextTurn();
    return here.problem() === undefined;
  });
  here.fails = ({ method }) => method === "PATCH";
  await here.takeOut();
  await eventually("it is missed", () => here.problem() !== undefined);
  here.fails = () => true;
  const { failed } = here;
  await eventually("it looked again", async () => {
    here.clock.advance(1000);
    await nextTurn();
    return here.failed > failed + 1;
  });
  assert.match(here.problem() ?? "", /^the caBundle is not injected/, "a server that is away does not make it better");
});
