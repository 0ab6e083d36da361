import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getPath } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { createApiServer } from "../api-server.ts";
import type { ApiServer } from "../api-server.ts";

const GROUP = "forgiving.example.com";

const definition = (plural: string, kind: string): JsonObject => ({
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural, singular: kind.toLowerCase(), kind },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
});

describe("a kind whose writers need not know Kubernetes", () => {
  let server: ApiServer;
  type Answer = { readonly status: number; readonly body: Json };

  async function ask(method: string, path: string, body?: unknown, as?: string): Promise<Answer> {
    const transport = as === undefined ? server.transport() : server.transport({ username: as, groups: [] });
    const answer = await transport({
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return { status: answer.status, body: JSON.parse(Buffer.concat(chunks).toString()) as Json };
  }
  const kinds: ReadonlyMap<string, string> = new Map([
    ["things", "Thing"],
    ["strictlings", "Strictling"],
  ]);
  const at = (plural: string, namespace: string): string => `/apis/${GROUP}/v1/namespaces/${namespace}/${plural}`;
  const object = (plural: string, size: number, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: `${GROUP}/v1`,
    kind: kinds.get(plural) ?? "",
    metadata: { name: "one", ...metadata },
    spec: { size },
  });

  before(async () => {
    server = await createApiServer({ forgiving: [{ group: GROUP, resource: "things" }] });
    for (const [plural, kind] of kinds) {
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      assert.equal((await ask("POST", path, definition(plural, kind))).status, 201);
    }
    await server.idle();
  });
  after(() => server.close());

  test("is created in a namespace that was not there", async () => {
    const made = await ask("POST", at("things", "fresh"), object("things", 1));
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await ask("GET", "/api/v1/namespaces/fresh")).status, 200);
  });

  test("is created by many at once, and the namespace is made once", async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ask("POST", at("things", "rush"), object("things", i, { name: `n${i}` }))),
    );
    assert.deepEqual(
      made.map(({ status }) => status),
      made.map(() => 201),
    );
  });

  test("is not created by a caller who may make no namespaces: 404, as ever", async () => {
    const role = { metadata: { name: "things" }, rules: [{ apiGroups: [GROUP], resources: ["*"], verbs: ["*"] }] };
    await ask("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
    await ask("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      metadata: { name: "things" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "things" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
    });
    const refused = await ask("POST", at("things", "hers"), object("things", 1), "alice");
    assert.equal(refused.status, 404);
    assert.equal(getPath(refused.body, "message"), 'namespaces "hers" not found');
    assert.equal((await ask("GET", "/api/v1/namespaces/hers")).status, 404);
  });

  test("a dry run makes no namespace, and a name that is none is refused", async () => {
    assert.equal((await ask("POST", `${at("things", "dry")}?dryRun=All`, object("things", 1))).status, 404);
    assert.equal((await ask("GET", "/api/v1/namespaces/dry")).status, 404);
    assert.equal((await ask("POST", at("things", "Not_One"), object("things", 1))).status, 422);
  });

  test("is replaced by a PUT without resourceVersion, and conflicts with one that is old", async () => {
    const first = await ask("POST", at("things", "default"), object("things", 1));
    const old = getPath(first.body, "metadata", "resourceVersion") as string;
    const put = await ask("PUT", `${at("things", "default")}/one`, object("things", 5));
    assert.equal(put.status, 200, JSON.stringify(put.body));
    assert.equal(getPath(put.body, "spec", "size"), 5);
    const late = object("things", 6, { resourceVersion: old });
    assert.equal((await ask("PUT", `${at("things", "default")}/one`, late)).status, 409);
    assert.equal(
      (await ask("PUT", `${at("things", "default")}/two`, object("things", 1, { name: "two" }))).status,
      404,
    );
  });

  test("keeps its finalizers through such a PUT, unless the writer names others or the version that it saw", async () => {
    const path = at("things", "default");
    await ask("POST", path, object("things", 1, { name: "held", finalizers: ["example.com/hold"] }));
    const kept = await ask("PUT", `${path}/held`, object("things", 2, { name: "held" }));
    assert.deepEqual(getPath(kept.body, "metadata", "finalizers"), ["example.com/hold"]);
    const named = { name: "held", finalizers: ["example.com/other"] };
    const changed = await ask("PUT", `${path}/held`, object("things", 2, named));
    assert.deepEqual(getPath(changed.body, "metadata", "finalizers"), ["example.com/other"]);
    const { metadata } = changed.body as { metadata: JsonObject };
    const freed = await ask("PUT", `${path}/held`, object("things", 2, { ...metadata, finalizers: [] }));
    assert.equal(getPath(freed.body, "metadata", "finalizers"), undefined);
  });

  test("leaves other kinds as Kubernetes has them", async () => {
    assert.equal((await ask("POST", at("strictlings", "nowhere"), object("strictlings", 1))).status, 404);
    await ask("POST", at("strictlings", "default"), object("strictlings", 1));
    const put = await ask("PUT", `${at("strictlings", "default")}/one`, object("strictlings", 2));
    assert.equal(put.status, 422);
  });
});
