import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { getPath } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { asker } from "./ask.ts";
import type { Answer, Ask } from "./ask.ts";
import { DEFINITIONS, collection, custom, definition } from "./widgets.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const WRITERS = 100;

const statuses = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
const times = <T>(count: number, run: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)));
const versionOf = (object: JsonObject): string => String(getPath(object, "metadata", "resourceVersion"));

describe("many writers at once", () => {
  let server: ApiServer;
  let ask: Ask;
  before(async () => {
    server = await createApiServer();
    ask = asker(server.transport());
  });
  after(() => server.close());

  test("of those who replace the same version of an object, one wins and the others hear of a conflict", async () => {
    const made = await ask("POST", MAPS, { body: { metadata: { name: "replaced" } } });
    let current = made.body;
    for (let round = 0; round < 3; round++) {
      const answers = await times(WRITERS, (i) =>
        ask("PUT", `${MAPS}/replaced`, { body: { ...current, data: { winner: `${round}-${i}` } } }),
      );
      assert.equal(statuses(answers, 200), 1);
      assert.equal(statuses(answers, 409), WRITERS - 1);
      const winner = answers.find((answer) => answer.status === 200)!;
      current = (await ask("GET", `${MAPS}/replaced`)).body;
      assert.deepEqual(current, winner.body);
    }
  });

  test("patches that name no version all take effect, each at a version of its own", async () => {
    await ask("POST", MAPS, { body: { metadata: { name: "patched" } } });
    const answers = await times(WRITERS, (i) =>
      ask("PATCH", `${MAPS}/patched`, { body: { data: { [`k${i}`]: "v" } } }),
    );
    assert.equal(statuses(answers, 200), WRITERS);
    assert.equal(new Set(answers.map((answer) => versionOf(answer.body))).size, WRITERS);
    const { body } = await ask("GET", `${MAPS}/patched`);
    assert.equal(Object.keys(body["data"] as JsonObject).length, WRITERS);
  });

  test("of those who create the same name, one wins and the others hear that it exists", async () => {
    const answers = await times(WRITERS, (i) =>
      ask("POST", MAPS, { body: { metadata: { name: "made" }, data: { i: `${i}` } } }),
    );
    assert.equal(statuses(answers, 201), 1);
    assert.equal(statuses(answers, 409), WRITERS - 1);
  });

  test("appliers of different fields all succeed, and each owns what it applied", async () => {
    const answers = await times(20, (i) =>
      ask("PATCH", `${MAPS}/applied?fieldManager=m${i}`, {
        type: "application/apply-patch+yaml",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" }, data: { [`k${i}`]: "v" } },
      }),
    );
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 201),
      JSON.stringify(answers.map((a) => a.status)),
    );
    const { body } = await ask("GET", `${MAPS}/applied`);
    assert.equal(Object.keys(body["data"] as JsonObject).length, 20);
    assert.equal((getPath(body, "metadata", "managedFields") as JsonObject[]).length, 20);
  });

  test("an object goes once its last finalizer does, whoever deletes, edits and frees it meanwhile", async () => {
    const finalizers = ["example.com/a", "example.com/b"];
    await ask("POST", MAPS, { body: { metadata: { name: "held", finalizers } } });
    await times(60, (i) => {
      if (i % 3 === 0) return ask("DELETE", `${MAPS}/held`);
      if (i % 3 === 1) return ask("PATCH", `${MAPS}/held`, { body: { data: { i: `${i}` } } });
      return ask("PATCH", `${MAPS}/held`, { body: { metadata: { finalizers: i < 40 ? ["example.com/b"] : [] } } });
    });
    await ask("DELETE", `${MAPS}/held`);
    assert.equal((await ask("GET", `${MAPS}/held`)).status, 404);
  });

  test("a namespace that is deleted while things are made in it ends empty and gone", async () => {
    await ask("POST", "/api/v1/namespaces", { body: { metadata: { name: "doomed" } } });
    const making = times(60, (i) =>
      ask("POST", "/api/v1/namespaces/doomed/configmaps", { body: { metadata: { name: `c${i}` } } }),
    );
    const deleted = await ask("DELETE", "/api/v1/namespaces/doomed");
    assert.equal(deleted.status, 200);
    const made = await making;
    for (const { status } of made) assert.ok([201, 403, 404].includes(status), `status ${status}`);
    await server.idle();
    assert.equal((await ask("GET", "/api/v1/namespaces/doomed")).status, 404);
    assert.deepEqual((await ask("GET", "/api/v1/namespaces/doomed/configmaps")).body["items"], []);
    const late = await ask("POST", "/api/v1/namespaces/doomed/configmaps", { body: { metadata: { name: "late" } } });
    assert.equal(late.status, 404);
  });

  test("a definition that is deleted while its objects are made takes all of them with it", async () => {
    await ask("POST", DEFINITIONS, { body: definition("gizmos", { type: "object" }) });
    await server.idle();
    const path = collection("gizmos");
    const making = times(60, (i) => ask("POST", path, { body: custom("Gizmo", `g${i}`) }));
    assert.equal((await ask("DELETE", `${DEFINITIONS}/gizmos.hard.example.com`)).status, 200);
    for (const { status } of await making) assert.ok([201, 403, 404, 405].includes(status), `status ${status}`);
    await server.idle();
    assert.equal((await ask("GET", path)).status, 404);
    await ask("POST", DEFINITIONS, { body: definition("gizmos", { type: "object" }) });
    await server.idle();
    assert.deepEqual((await ask("GET", path)).body["items"], []);
  });

  test("a schema that changes while objects are written never lets an old and a new rule judge one object", async () => {
    const bounded = (maximum: number): JsonObject => ({
      type: "object",
      properties: { size: { type: "integer", maximum } },
    });
    await ask("POST", DEFINITIONS, { body: definition("gauges", bounded(10)) });
    await server.idle();
    const writing = times(40, (i) =>
      ask("POST", collection("gauges"), { body: custom("Gauge", `g${i}`, { size: 50 }) }),
    );
    const { spec } = definition("gauges", bounded(100));
    const changed = await ask("PATCH", `${DEFINITIONS}/gauges.hard.example.com`, { body: { spec: spec! } });
    assert.equal(changed.status, 200);
    for (const { status } of await writing) assert.ok(status === 201 || status === 422, `status ${status}`);
    await server.idle();
    assert.equal(
      (await ask("POST", collection("gauges"), { body: custom("Gauge", "last", { size: 50 }) })).status,
      201,
    );
  });
});
