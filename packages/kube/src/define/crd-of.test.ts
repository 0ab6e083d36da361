import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { Json, JsonObject } from "../json/json.ts";
import { crdOf } from "./crd-of.ts";
import { DefinitionError, defineResource, immutable, s } from "./index.ts";
import type { Schema } from "./index.ts";
import { Website } from "./testing/website.ts";
import type { WebsiteManifest } from "./testing/website.ts";

const WEBSITES = "/apis/example.com/v1/namespaces/default/websites";

suite("a manifest made from a definition", () => {
  let server: ApiServer;
  before(async () => {
    server = await createApiServer();
    const made = await ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crdOf(Website));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(made.warnings, []);
    while ((await ask("GET", "/apis/example.com/v1")).status !== 200) await new Promise(setImmediate);
  });
  after(() => server.close());

  async function ask(method: string, path: string, body?: unknown) {
    const response = await server.transport()({
      method,
      path,
      headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const warning = response.headers["warning"];
    return {
      status: response.status,
      warnings: [warning ?? []].flat(),
      body: response.status === 404 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as JsonObject),
    };
  }

  test("is taken by the API server, which then serves the kind with its defaults", async () => {
    const example: WebsiteManifest = { ...Website.example!, metadata: { name: "shop" } };
    const { status, body } = await ask("POST", WEBSITES, example);
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(body["spec"], {
      title: "Shop",
      image: "shop:1",
      page: "index.html",
      tier: "small",
      replicas: 1,
      public: true,
      memory: "64Mi",
      labels: { made: "here" },
      cache: { seconds: 60 },
    });
  });

  const refused: [what: string, spec: Record<string, Json>, why: RegExp][] = [
    ["a field that must be written", { title: "a", page: "x" }, /spec.image: Required value/],
    ["a rule of a field", { timeout: "1ms" }, /must be longer than a second/],
    ["a duration in words", { timeout: "3 days" }, /spec.timeout in body should match/],
    ["an amount that is none", { memory: "lots" }, /spec.memory in body should match/],
    ["both of one", { source: { name: "b" } }, /exactly one of page or source must be set/],
    ["one without the other", { namespace: "b" }, /namespace can only be set together with target/],
    ["a value twice in a set", { tags: ["a", "a"] }, /spec.tags\[1\]: Duplicate value/],
    ["a null where none is allowed", { title: null }, /spec.title: Required value/],
  ];
  for (const [what, spec, why] of refused) {
    test(`holds users to their schema: ${what}`, async () => {
      const whole =
        "image" in spec || what.startsWith("a field") ? spec : { title: "a", image: "b", page: "c", ...spec };
      const body = { ...Website.example!, metadata: { name: "bad" }, spec: whole };
      const answer = await ask("POST", WEBSITES, body);
      assert.equal(answer.status, 422);
      assert.match(String(answer.body["message"]), why);
    });
  }

  test("keeps immutable fields as they were, and fields that must stay", async () => {
    await ask("POST", WEBSITES, { ...Website.example!, metadata: { name: "fixed" } });
    const changed = await ask("PATCH", `${WEBSITES}/fixed`, { spec: { image: "shop:2" } });
    assert.match(String(changed.body["message"]), /spec.image: Invalid value: "shop:2": is immutable/);
    const removed = await ask("PATCH", `${WEBSITES}/fixed`, { spec: { page: null, source: { name: "a" } } });
    assert.match(String(removed.body["message"]), /page may not be removed once set/);
  });

  test("warns users of a deprecated version", async () => {
    const { warnings } = await ask("GET", "/apis/example.com/v1beta1/namespaces/default/websites");
    assert.match(String(warnings), /v1beta1 Website is deprecated; use v1/);
  });
});

const box = (spec: Schema) =>
  defineResource({ group: "example.com", version: "v1", kind: "Box", scope: "Cluster", description: "A box.", spec });

const problemsOf = (make: () => unknown): readonly string[] => {
  try {
    make();
  } catch (error) {
    assert.ok(error instanceof DefinitionError);
    return error.problems;
  }
  return [];
};

test("what an API server would refuse is refused here, with the field and the way out", () => {
  const costly = s.array(s.object({ names: s.array(s.string(), { rules: [immutable()] }) }));
  assert.match(
    String(problemsOf(() => crdOf(box(s.object({ costly }))))),
    /estimated rule cost exceeds budget.*maxItems/s,
  );
  const pattern = s.string({ pattern: "(" });
  assert.match(String(problemsOf(() => crdOf(box(s.object({ pattern }))))), /pattern/);
  const low = s.integer({ minimum: 3, default: 1 });
  assert.match(String(problemsOf(() => crdOf(box(s.object({ low }))))), /default: Invalid value: 1/);
  const typo = s.object({ a: s.string() }, { rules: [{ rule: "self.b == ''", message: "no" }] });
  assert.match(String(problemsOf(() => crdOf(box(s.object({ typo }))))), /undefined field 'b'/);
  const set = s.array(s.object({ a: s.string() }), { listType: "set" });
  assert.match(String(problemsOf(() => crdOf(box(s.object({ set }))))), /must be atomic/);
});

test("a manifest that is not checked is the same one, whatever an API server will say to it", () => {
  assert.deepEqual(crdOf(Website, { check: false }), crdOf(Website));
  const wrong = box(s.object({ pattern: s.string({ pattern: "(" }) }));
  assert.equal(crdOf(wrong, { check: false }).metadata.name, "boxes.example.com");
});

test("several stored or equal versions, names and paths that lead nowhere are refused at once", () => {
  const spec = s.object({ a: s.string() });
  const input = {
    group: "example.com",
    version: "v1",
    kind: "Box",
    scope: "Cluster",
    description: "A box.",
    spec,
  } as const;
  const age = { name: "A", type: "string", path: ".spec.b" } as const;
  assert.deepEqual(
    problemsOf(() => defineResource({ ...input, columns: [age], selectableFields: [".spec.a.x"] })),
    ['v1: column A: ".spec.b" leads to no field', 'v1: selectable field: ".spec.a.x" leads to no field'],
  );
  assert.match(String(problemsOf(() => defineResource({ ...input, group: "example" }))), /at least one dot/);
  assert.match(String(problemsOf(() => defineResource({ ...input, group: "x.k8s.io" }))), /belongs to Kubernetes/);
  const annotations = { "api-approved.kubernetes.io": "https://example.com/approval" };
  const approved = defineResource({ ...input, group: "x.k8s.io", annotations });
  assert.deepEqual(crdOf(approved).metadata.annotations, annotations);
  assert.match(String(problemsOf(() => defineResource({ ...input, shortNames: ["B_x"] }))), /DNS-1035/);
  assert.match(String(problemsOf(() => defineResource({ ...input, versions: [input] }))), /defined twice/);
  assert.match(String(problemsOf(() => s.string({ minLength: 3, maxLength: 2 }))), /no value could be valid/);
});

test("a definition gives the same manifest every time", () => {
  assert.equal(JSON.stringify(crdOf(Website)), JSON.stringify(crdOf(Website)));
  const webhook = { strategy: "Webhook", service: { namespace: "a", name: "b", path: "/convert" } } as const;
  assert.deepEqual(crdOf({ ...Website, conversion: webhook }).spec.conversion, {
    strategy: "Webhook",
    webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: webhook.service } },
  });
});
