import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import { admissionregistration } from "@gatewright/kube/api";
import { eventually } from "../manager/testing/eventually.ts";
import { quietLog } from "@gatewright/telemetry";
import { allowed, changed, converting, denied, mutating, spoke, validating } from "./index.ts";
import type { AdmissionRequest } from "./index.ts";
import { Widget, WidgetV1, webhookWorld, widget } from "./testing/webhook-world.ts";

const refusedWith = (code: number, text: RegExp) => (error: unknown) =>
  error instanceof StatusError && error.code === code && text.test(error.message);

test("a request that a webhook denies is refused with its message, code and causes, and warned callers are let pass", async () => {
  const seen: AdmissionRequest<Widget>[] = [];
  const sized = validating<Widget>({
    for: Widget,
    name: "size.example.com",
    operations: ["CREATE", "UPDATE", "DELETE"],
    handle(request) {
      seen.push(request);
      if (request.operation === "DELETE") return denied("widgets stay", { code: 409 });
      const { size = 0 } = request.object.spec;
      if (size > 10) {
        const causes = [{ reason: "FieldValueInvalid", message: "too large", field: "spec.size" }];
        return denied("the size may be 10 at most", { code: 422, causes });
      }
      return allowed(
        size > 5 ? { warnings: ["large widgets are heavy"], audit: new Map([["size", String(size)]]) } : {},
      );
    },
  });
  await using world = await webhookWorld([sized]);
  const widgets = world.user.for(Widget);
  await assert.rejects(widgets.create(widget("a", { size: 11 })), (error: unknown) => {
    assert.ok(
      refusedWith(422, /^admission webhook "size.example.com" denied the request: the size may be 10 at most$/)(error),
    );
    assert.deepEqual((error as StatusError).details?.causes?.[0]?.field, "spec.size");
    return true;
  });
  await widgets.create(widget("a", { size: 6 }));
  assert.deepEqual(world.warnings, ['299 - "large widgets are heavy"']);
  await widgets.patch({ namespace: "default", name: "a" }, { merge: { spec: { size: 2 } } }, { dryRun: true });
  await assert.rejects(widgets.delete({ namespace: "default", name: "a" }), refusedWith(409, /widgets stay/));
  const [, created, updated, deleted] = seen;
  assert.ok(
    created?.operation === "CREATE" && created.name === "a" && created.namespace === "default" && !created.dryRun,
  );
  assert.ok(updated?.operation === "UPDATE" && updated.oldObject.spec.size === 6 && updated.object.spec.size === 2);
  assert.ok(updated.dryRun && updated.user.groups.includes("system:masters"));
  assert.equal((updated.options as { kind: string }).kind, "UpdateOptions");
  assert.ok(deleted?.operation === "DELETE" && deleted.oldObject.metadata.name === "a");
  assert.ok(Object.isFrozen(updated.object.spec));
  assert.match(
    world.metrics.exposition().body,
    /webhook_requests_total\{webhook="\/validate-example-com-v2-widget",code="200"\} 4/,
  );
});

test("a mutating webhook answers the object as it should be, and the rest is ours", async () => {
  const painted = mutating<Widget>({
    for: Widget,
    name: "paint.example.com",
    handle: ({ object }) =>
      object === undefined || object.spec.colour !== undefined
        ? allowed()
        : changed<Widget>({
            ...object,
            metadata: { ...object.metadata, labels: { ...object.metadata.labels, "a.b/c": "d" } },
            spec: { ...object.spec, colour: "blue" },
          }),
  });
  await using world = await webhookWorld([painted]);
  const made = await world.user.for(Widget).create(widget("a", { size: 1 }));
  assert.deepEqual([made.spec, made.metadata.labels], [{ size: 1, colour: "blue" }, { "a.b/c": "d" }]);
  const kept = await world.user.for(Widget).create(widget("b", { colour: "red" }));
  assert.deepEqual([kept.spec, kept.metadata.labels], [{ colour: "red" }, undefined]);
});

test("a handler that fails refuses the request, says nothing of why, and goes on serving", async () => {
  const errors: unknown[] = [];
  const log = { ...quietLog, error: (_message: string, fields?: object) => void errors.push(fields) };
  const moody = validating<Widget>({
    for: Widget,
    name: "moody.example.com",
    timeoutSeconds: 1,
    async handle({ name }, { signal }) {
      if (name === "faulty") throw new Error("password: hunter2");
      if (name === "refused") throw new StatusError({ code: 418, reason: "Teapot", message: "no coffee here" });
      if (name === "slow") await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return allowed();
    },
  });
  await using world = await webhookWorld([moody], log);
  const widgets = world.user.for(Widget);
  await assert.rejects(
    widgets.create(widget("faulty", {})),
    refusedWith(500, /denied the request: the webhook failed; its log says why$/),
  );
  assert.equal(errors.length, 1);
  await assert.rejects(widgets.create(widget("refused", {})), refusedWith(418, /no coffee here$/));
  await assert.rejects(widgets.create(widget("slow", {})), refusedWith(504, /took too long/));
  await widgets.create(widget("good", {}));
});

test("objects are stored in one version, served in both, and refused when they cannot be converted", async () => {
  const versions = converting({
    hub: Widget,
    spokes: [
      spoke<WidgetV1, Widget>(WidgetV1, {
        toHub({ spec: { paint, ...spec } }) {
          if (paint === "invisible") throw new Error("there is no such colour");
          return { spec: { ...spec, ...(paint !== undefined && { colour: paint }) } };
        },
        fromHub({ spec: { colour, ...spec }, metadata }) {
          const annotations = { ...metadata.annotations, "example.com/from": "v2" };
          return {
            spec: { ...spec, ...(colour !== undefined && { paint: colour }) },
            metadata: { ...metadata, annotations },
          };
        },
      }),
    ],
  });
  await using world = await webhookWorld([versions]);
  await world.user.for(Widget).create(widget("a", { size: 1, colour: "red" }));
  const old = await world.user.for(WidgetV1).get({ namespace: "default", name: "a" });
  assert.deepEqual([old.spec, old.metadata.annotations], [{ size: 1, paint: "red" }, { "example.com/from": "v2" }]);
  const ref = { metadata: { name: "b", namespace: "default" } };
  await world.user.for(WidgetV1).create({ ...ref, spec: { paint: "green" } });
  assert.deepEqual((await world.user.for(Widget).get(ref.metadata)).spec, { colour: "green" });
  assert.equal((await world.user.for(WidgetV1).list()).items.length, 2);
  await assert.rejects(
    world.user.for(WidgetV1).create({ metadata: { name: "c", namespace: "default" }, spec: { paint: "invisible" } }),
    refusedWith(500, /"default\/c" cannot be converted to example.com\/v2: there is no such colour/),
  );
});

test("a bundle that somebody takes out comes back, and readiness tells of what is missing", async () => {
  const yes = validating<Widget>({ for: Widget, name: "yes.example.com", handle: () => allowed() });
  await using world = await webhookWorld([yes]);
  const configurations = world.user.for(admissionregistration.ValidatingWebhookConfiguration);
  await configurations.patch({ name: "test" }, { json: [{ op: "remove", path: "/webhooks/0/clientConfig/caBundle" }] });
  await eventually("it is back", async () => {
    const { webhooks = [] } = await configurations.get({ name: "test" });
    return webhooks[0]?.clientConfig.caBundle !== undefined;
  });
  const { resourceVersion } = (await configurations.get({ name: "test" })).metadata;
  await world.user.for(Widget).create(widget("a", {}));
  assert.equal((await configurations.get({ name: "test" })).metadata.resourceVersion, resourceVersion);
  assert.deepEqual([world.server.check.problem(), world.injector.check.problem()], [undefined, undefined]);
  await configurations.delete({ name: "test" });
  await eventually("it is missed", () => world.injector.check.problem() !== undefined);
  assert.match(world.injector.check.problem() ?? "", /^the caBundle is not injected \(test: /);
  await world.stop();
  assert.equal(world.server.check.problem(), "it does not listen");
});
