import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { ApiObject, Resource } from "@gatewright/kube";
import { admissionregistration, apiextensions, core } from "@gatewright/kube/api";
import { ManualClock, systemClock, systemRandom } from "@gatewright/ports";
import { createClient, createManager, loadTransport, quietLog } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import {
  allowed,
  changed,
  converting,
  createCaInjector,
  createWebhookServer,
  denied,
  mutating,
  secretCertificates,
  spoke,
  validating,
  webhookConfigurations,
} from "@gatewright/runtime/webhook";
import { suite } from "../../tools/suite.ts";
import { eventually } from "../eventually.ts";
import { realKube } from "../kube.ts";

const kube = realKube();

const GROUP = "webhooks.example.com";
const NAMESPACE = "real-webhooks";
const DAY = 24 * 3_600_000;

interface Widget extends ApiObject {
  spec: { size?: number; colour?: string };
}

interface WidgetV1 extends ApiObject {
  spec: { size?: number; paint?: string };
}

const names = { group: GROUP, kind: "Widget", plural: "widgets", namespaced: true };
const Widget: Resource<Widget> = { ...names, version: "v2" };
const WidgetV1: Resource<WidgetV1> = { ...names, version: "v1" };

const webhooks = [
  validating<Widget>({
    for: Widget,
    name: `validate.${GROUP}`,
    handle: ({ object }) =>
      (object?.spec.size ?? 0) > 10
        ? denied("the size may be 10 at most", {
            code: 422,
            causes: [{ reason: "FieldValueInvalid", message: "too large", field: "spec.size" }],
          })
        : allowed({ warnings: ["widgets are on their way out"], audit: new Map([["seen", "yes"]]) }),
  }),
  mutating<Widget>({
    for: Widget,
    name: `mutate.${GROUP}`,
    handle: ({ object }) =>
      object === undefined || object.spec.colour !== undefined
        ? allowed()
        : changed<Widget>({
            ...object,
            metadata: { ...object.metadata, labels: { ...object.metadata.labels, "example.com/painted": "yes" } },
            spec: { ...object.spec, colour: "blue" },
          }),
  }),
  converting({
    hub: Widget,
    spokes: [
      spoke<WidgetV1, Widget>(WidgetV1, {
        toHub({ spec: { paint, ...spec } }) {
          if (paint === "invisible") throw new Error("there is no such colour");
          return { spec: { ...spec, ...(paint !== undefined && { colour: paint }) } };
        },
        fromHub: ({ spec: { colour, ...spec } }) => ({
          spec: { ...spec, ...(colour !== undefined && { paint: colour }) },
        }),
      }),
    ],
  }),
];

function definition(conversion: apiextensions.CustomResourceConversion): apiextensions.CustomResourceDefinition {
  const version = (name: string, colour: string): apiextensions.CustomResourceDefinitionVersion => {
    const properties = { size: { type: "integer" }, [colour]: { type: "string" } };
    const schema = { type: "object", properties: { spec: { type: "object", properties } } };
    return { name, served: true, storage: name === "v2", schema: { openAPIV3Schema: schema } };
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
      versions: [version("v1", "paint"), version("v2", "colour")],
      conversion,
    },
  };
}

suite("webhooks that a real API server asks", "missing" in kube ? kube.missing : false, () => {
  if ("missing" in kube) return;
  /** That of the certificates: it begins so long ago that the authority comes to its end while the suite runs. */
  const clock = new ManualClock(systemClock.now() - 142 * DAY);
  const dayPasses = async (): Promise<void> => {
    clock.advance(DAY);
    const rested = async (): Promise<boolean> => clock.pending === 1;
    await eventually("the Secret is looked after", rested, (rests) => rests);
  };
  const warnings: string[] = [];
  const stop = new AbortController();
  let user: Client;
  let close = async (): Promise<void> => {};
  let restart = async (): Promise<void> => {};
  let bundle = (): string | undefined => undefined;
  let leaf = (): string | undefined => undefined;
  let health = (): string | undefined => undefined;
  /** What keeps the API server from asking. It may hear late that a server went, and write to a connection that ended. */
  let unasked = async (): Promise<string | undefined> => undefined;

  before(async () => {
    const { transport } = await loadTransport({ kubeconfig: kube.kubeconfig });
    user = createClient(async (request) => {
      const response = await transport(request);
      warnings.push(...[response.headers["warning"] ?? []].flat());
      return response;
    });
    await user.for(core.Namespace).create({ metadata: { name: NAMESPACE } });
    const manager = createManager({ name: "webhooks", transport });
    const certificates = secretCertificates({
      client: manager.ungated,
      secret: { namespace: NAMESPACE, name: "certificates" },
      hosts: ["127.0.0.1"],
      clock,
      random: systemRandom,
      log: quietLog,
      leafLifeMs: 30 * DAY,
      authorityLifeMs: 200.5 * DAY,
      overlapMs: DAY / 2,
      pollMs: DAY,
    });
    bundle = () => certificates.bundle();
    leaf = () => certificates.current()?.certificate;
    const address = Promise.withResolvers<{ readonly port: number }>();
    const options = { webhooks, certificates, host: "127.0.0.1", clock: systemClock };
    const first = createWebhookServer({ ...options, port: 0, listening: address.resolve });
    let ended = new AbortController();
    let serving = first.run(ended.signal);
    const { port } = await address.promise;
    for (let day = 1; day <= 140; day++) await dayPasses();
    restart = async () => {
      ended.abort();
      await serving;
      ended = new AbortController();
      const again = Promise.withResolvers<unknown>();
      serving = createWebhookServer({ ...options, port, listening: again.resolve }).run(ended.signal);
      await again.promise;
    };
    const url = `https://127.0.0.1:${port}`;
    const made = webhookConfigurations(webhooks, { name: GROUP, endpoint: { url } });
    assert.ok(made.validating !== undefined && made.mutating !== undefined);
    const conversion = made.conversions.get(`widgets.${GROUP}`);
    assert.ok(conversion !== undefined);
    await user.for(apiextensions.CustomResourceDefinition).create(definition(conversion));
    await user.for(admissionregistration.ValidatingWebhookConfiguration).create(made.validating);
    await user.for(admissionregistration.MutatingWebhookConfiguration).create(made.mutating);
    const { targets } = made;
    const injector = createCaInjector({
      targets,
      certificates,
      client: manager.ungated,
      clock: systemClock,
      log: quietLog,
    });
    health = () => injector.check.problem();
    manager.addRunnable(injector);
    manager.addCheck(injector.check);
    const managing = manager.run(stop.signal);
    close = async () => {
      stop.abort();
      ended.abort();
      await Promise.all([managing, serving]);
      transport.close();
    };
    unasked = async () =>
      injector.check.problem() ??
      (await user
        .for(Widget)
        .create({ metadata: { name: "probe", namespace: NAMESPACE }, spec: {} }, { dryRun: true })
        .then(
          () => undefined,
          (error: unknown) => String(error),
        ));
    await eventually("the webhooks are asked and trusted", unasked, (problem) => problem === undefined);
  });

  after(async () => {
    await user.for(admissionregistration.ValidatingWebhookConfiguration).delete({ name: GROUP });
    await user.for(admissionregistration.MutatingWebhookConfiguration).delete({ name: GROUP });
    await user.for(apiextensions.CustomResourceDefinition).delete({ name: `widgets.${GROUP}` });
    await user.for(core.Namespace).delete({ name: NAMESPACE });
    await close();
  });

  const refused = (code: number, text: RegExp) => (error: unknown) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, text);
    return true;
  };
  const create = (name: string, spec: Widget["spec"]) =>
    user.for(Widget).create({ metadata: { name, namespace: NAMESPACE }, spec });

  test("a denial reaches the caller with code, message and causes", async () => {
    await assert.rejects(create("large", { size: 11 }), (error: unknown) => {
      refused(422, /denied the request: the size may be 10 at most$/)(error);
      assert.equal((error as StatusError).details?.causes?.[0]?.field, "spec.size");
      return true;
    });
  });

  test("the patch that is computed from a changed object is applied, and warnings are told", async () => {
    warnings.length = 0;
    const { spec, metadata } = await create("plain", { size: 1 });
    assert.deepEqual([spec, metadata.labels], [{ size: 1, colour: "blue" }, { "example.com/painted": "yes" }]);
    assert.deepEqual(warnings, ['299 - "widgets are on their way out"']);
  });

  test("objects are converted between their versions, alone and in lists, and refused when they cannot be", async () => {
    await create("red", { colour: "red" });
    assert.deepEqual((await user.for(WidgetV1).get({ namespace: NAMESPACE, name: "red" })).spec, { paint: "red" });
    const old = { metadata: { name: "green", namespace: NAMESPACE }, spec: { paint: "green" } };
    await user.for(WidgetV1).create(old);
    assert.deepEqual((await user.for(Widget).get(old.metadata)).spec, { colour: "green" });
    const { items } = await user.for(WidgetV1).list({ namespace: NAMESPACE });
    assert.ok(items.every(({ spec }) => spec.paint !== undefined));
    const odd = { metadata: { name: "odd", namespace: NAMESPACE }, spec: { paint: "invisible" } };
    await assert.rejects(
      user.for(WidgetV1).create(odd),
      refused(500, /"real-webhooks\/odd" cannot be converted to .*: there is no such colour/),
    );
  });

  test("while the authority changes, the API server trusts every certificate that is served", async () => {
    const before = { bundle: bundle(), leaf: leaf() };
    await dayPasses();
    assert.notEqual(bundle(), before.bundle, "a new authority is published");
    assert.equal(leaf(), before.leaf, "the old one still vouches");
    const injected = async (): Promise<boolean> => {
      const configurations = user.for(admissionregistration.ValidatingWebhookConfiguration);
      const { webhooks: [first] = [] } = await configurations.get({ name: GROUP });
      return first?.clientConfig.caBundle === Buffer.from(bundle() ?? "").toString("base64");
    };
    await eventually("the bundle is injected", injected, (is) => is);
    await eventually(
      "every target has it",
      async () => health(),
      (problem) => problem === undefined,
    );
    await create("published", {});
    await dayPasses();
    assert.equal(bundle()?.match(/BEGIN/g)?.length, 2);
    assert.notEqual(leaf(), before.leaf);
    await create("before-new-connections", {});
    await restart();
    await eventually("the webhooks are asked again", unasked, (problem) => problem === undefined);
    await create("after-new-connections", {});
    assert.ok((await user.for(WidgetV1).list({ namespace: NAMESPACE })).items.length > 0);
  });
});
