import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { admissionregistration, core, networking } from "@gatewright/kube/api";
import { APIRoute, Backend, GRPCBackend } from "@gatewright/resources";
import { quietLog } from "@gatewright/runtime";
import { webhookConfigurations } from "@gatewright/runtime/webhook";
import type { HandlerContext, Verdict, Webhook } from "@gatewright/runtime/webhook";
import { createRoutingWorld } from "../testing/routing-world.ts";
import type { RoutingWorld } from "../testing/routing-world.ts";
import { ingressMatching } from "./ingress-matching.ts";
import { routingWebhooks } from "./routing-webhooks.ts";

const to = (host: string, port = 8080) => [{ destination: { host, port } }];
const at = (path: string) => [{ uri: { exact: path } }];

suite("admission", () => {
  let world: RoutingWorld;
  let webhooks: readonly Webhook[];
  before(async () => {
    world = await createRoutingWorld();
    await world.until("the feed is ready", () => world.feed.isReady, Boolean);
    const ingresses = { matching: ingressMatching("avapigw", false) };
    webhooks = routingWebhooks({ feed: world.feed, clock: world.clock, client: world.user, ingresses });
  });
  after(() => world[Symbol.asyncDispose]());

  async function ask(
    resource: Resource,
    name: string,
    spec: object,
    old?: object,
    more: { readonly dryRun?: boolean; readonly metadata?: object } = {},
  ): Promise<string> {
    const [namespace = "", own = ""] = name.split("/");
    const made = (given: object): Immutable<ApiObject> =>
      ({
        apiVersion: "avapigw.io/v1alpha1",
        kind: resource.kind,
        metadata: { name: own, ...more.metadata },
        spec: given,
      }) as never;
    const webhook = webhooks.find((one) => "for" in one && one.for.kind === resource.kind);
    assert.ok(webhook?.type === "validating");
    const request = {
      uid: "1",
      kind: resource,
      resource: { ...resource, resource: resource.plural },
      subresource: "",
      name: own,
      namespace,
      user: {},
      dryRun: more.dryRun ?? false,
      options: {},
      operation: old === undefined ? "CREATE" : "UPDATE",
      object: made(spec),
      oldObject: old && made(old),
    };
    const context = { signal: new AbortController().signal, log: quietLog } as unknown as HandlerContext;
    const verdict: Verdict = await webhook.handle(request as never, context);
    return verdict.type === "denied"
      ? `denied ${verdict.message}`
      : `allowed ${(verdict.remarks.warnings ?? []).join("|")}`;
  }

  test("what a gateway would refuse is refused in its words", async () => {
    const authorization = { enabled: true, abac: { enabled: true, policies: [{ name: "a", expression: "(" }] } };
    assert.match(
      await ask(APIRoute, "shop/bad", { match: at("/bad"), route: to("10.0.0.1"), authorization }),
      /^denied validation failed: spec.authorization.abac.policies\[0\].expression: /,
    );
    assert.equal(await ask(APIRoute, "shop/good", { match: at("/good"), route: to("10.0.0.1") }), "allowed ");
  });

  test("the requests of another route are refused, stored or about to be, and one's own are not", async () => {
    const spec = { match: at("/held"), route: to("10.0.0.1") };
    await world.create(APIRoute, "shop/held", { spec });
    await world.delivered("APIRoute shop/held");
    const refused = "denied duplicate route match found: /held is APIRoute shop/held's";
    assert.equal(await ask(APIRoute, "bank/other", spec), refused);
    assert.equal(await ask(APIRoute, "shop/held", { ...spec, timeout: "1s" }, spec), "allowed ");
    const elsewhere = { ...spec, match: at("/elsewhere") };
    assert.equal(await ask(APIRoute, "bank/other", spec, elsewhere), refused);

    const [first, second] = await Promise.all(
      ["shop/race-a", "bank/race-b"].map((name) => ask(APIRoute, name, { ...spec, match: at("/race") })),
    );
    assert.deepEqual(
      [first, second],
      ["allowed ", "denied duplicate route match found: /race is APIRoute shop/race-a's"],
    );
    world.clock.advance(6000);
    const after = { ...spec, match: at("/race") };
    assert.equal(await ask(APIRoute, "bank/race-b", after, undefined, { dryRun: true }), "allowed ");
    assert.equal(await ask(APIRoute, "shop/race-c", after), "allowed ");
  });

  test("objects that go and edits of metadata are let through, whatever they are", async () => {
    const bad = { match: at("/held"), route: to("10.0.0.1") };
    assert.equal(await ask(APIRoute, "bank/dup", bad, bad), "allowed ");
    const metadata = { deletionTimestamp: "2030-01-01T00:00:00Z" };
    assert.equal(await ask(APIRoute, "bank/dup", bad, { route: to("10.0.0.9") }, { metadata }), "allowed ");
  });

  test("references that lead nowhere are a warning; content is read for the question alone", async () => {
    assert.match(
      await ask(APIRoute, "shop/lost", { match: at("/lost"), route: to("lost") }),
      /^allowed spec.route\[0\].destination.host: lost is neither a Backend nor a Service/,
    );
    await world.create(core.ConfigMap, "shop/document", { data: { a: "nonsense" } });
    const openAPIValidation = { enabled: true, specConfigMapRef: { name: "document" } };
    await world.until(
      "it is seen",
      () => world.feed.peeking.contents("ConfigMap", "shop", "document"),
      (one) => one !== "missing",
    );
    assert.match(
      await ask(APIRoute, "shop/document", { match: at("/document"), route: to("10.0.0.1"), openAPIValidation }),
      /^denied validation failed: spec.openAPIValidation.specInline: /,
    );
    assert.equal(world.feed.peeking.contents("ConfigMap", "shop", "document"), "unknown");
  });

  test("what is allowed and unwise is said, without the secret", async () => {
    const authentication = { type: "basic", basic: { enabled: true, username: "a", password: "hunter2" } };
    const tls = { enabled: true, insecureSkipVerify: true };
    const said = await ask(Backend, "shop/unwise", { hosts: [{ address: "10.0.0.8", port: 80 }], authentication, tls });
    assert.match(said, /spec.authentication.basic.password can be read by everyone/);
    assert.match(said, /spec.tls.insecureSkipVerify: certificates of hosts are not verified/);
    assert.ok(!said.includes("hunter2"));
  });

  test("a host is spoken to by one protocol in a namespace", async () => {
    const spec = { hosts: [{ address: "10.9.0.1", port: 80 }] };
    await world.create(Backend, "shop/http", { spec });
    await world.delivered("Backend shop/http");
    assert.equal(await ask(Backend, "shop/http-too", spec), "allowed ");
    assert.equal(
      await ask(GRPCBackend, "shop/grpc", spec),
      "denied hosts of another protocol found: 10.9.0.1:80 by gRPC is Backend shop/http's",
    );
    assert.equal(await ask(GRPCBackend, "bank/grpc", spec), "allowed ");
  });

  test("only Ingresses of our class wait for us", async () => {
    const { validating } = webhookConfigurations(
      webhooks.filter((one) => "for" in one && one.for.kind === "Ingress"),
      { name: "routing", endpoint: { url: "https://127.0.0.1:1" } },
    );
    assert.ok(validating);
    await world.user.for(admissionregistration.ValidatingWebhookConfiguration).create(validating);
    const ingress = (name: string, className: string | undefined, annotations = {}) =>
      world.user.for(networking.Ingress).create({
        metadata: { namespace: "shop", name, annotations },
        spec: {
          ...(className !== undefined && { ingressClassName: className }),
          defaultBackend: { service: { name: "a", port: { number: 80 } } },
        },
      });
    await ingress("theirs", "nginx");
    await ingress("nobodys", undefined);
    const asked = /failed calling webhook "vingress.avapigw.io"/;
    await assert.rejects(ingress("ours", "avapigw"), asked);
    await assert.rejects(ingress("old", undefined, { "kubernetes.io/ingress.class": "avapigw" }), asked);
  });
});
