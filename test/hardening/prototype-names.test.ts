import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { getPath } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { asker } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { DEFINITIONS, collection } from "./widgets.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const APPLY = "application/apply-patch+yaml";
const JSON_PATCH = "application/json-patch+json";
/** Names that mean something to JavaScript and nothing to Kubernetes. */
const DATA = '{"__proto__":"a","constructor":"b","hasOwnProperty":"d","toString":"c","valueOf":"e"}';

describe("names that JavaScript knows", () => {
  let server: ApiServer;
  let ask: Ask;
  const clean = Object.getOwnPropertyNames(Object.prototype).sort();
  before(async () => {
    server = await createApiServer();
    ask = asker(server.transport());
  });
  after(async () => {
    await server.close();
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), clean);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });
  const dataOf = async (name: string): Promise<string> =>
    JSON.stringify((await ask("GET", `${MAPS}/${name}`)).body["data"]);

  test("are keys like any other: created, applied, given up, patched and removed", async () => {
    await ask("POST", MAPS, { body: `{"metadata":{"name":"names"},"data":${DATA}}` });
    assert.equal(await dataOf("names"), DATA);
    const apply = (data: string): Promise<unknown> =>
      ask("PATCH", `${MAPS}/applied?fieldManager=m`, {
        type: APPLY,
        body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"data":${data}}`,
      });
    await apply(DATA);
    assert.equal(await dataOf("applied"), DATA);
    await apply('{"__proto__":"z"}');
    assert.equal(await dataOf("applied"), '{"__proto__":"z"}');
    const owned = (await ask("GET", `${MAPS}/applied`)).body;
    const [entry] = getPath(owned, "metadata", "managedFields") as JsonObject[];
    assert.equal(JSON.stringify(getPath(entry ?? {}, "fieldsV1", "f:data")), '{"f:__proto__":{}}');
    await ask("PATCH", `${MAPS}/names`, { body: '{"data":{"__proto__":null,"constructor":"B","toString":null}}' });
    assert.equal(await dataOf("names"), '{"constructor":"B","hasOwnProperty":"d","valueOf":"e"}');
    const operations =
      '[{"op":"add","path":"/data/__proto__","value":"q"},{"op":"copy","from":"/data/__proto__","path":"/data/toString"},{"op":"remove","path":"/data/constructor"}]';
    await ask("PATCH", `${MAPS}/names`, { type: JSON_PATCH, body: operations });
    assert.deepEqual(
      JSON.parse(await dataOf("names")),
      JSON.parse('{"__proto__":"q","hasOwnProperty":"d","valueOf":"e","toString":"q"}'),
    );
  });

  test("reach no prototype by way of a patch", async () => {
    for (const path of [
      "/__proto__/polluted",
      "/constructor/prototype/polluted",
      "/metadata/__proto__/polluted",
      "/data/__proto__/polluted",
    ]) {
      await ask("PATCH", `${MAPS}/names`, {
        type: JSON_PATCH,
        body: JSON.stringify([{ op: "add", path, value: "x" }]),
      });
    }
    for (const type of ["application/merge-patch+json", "application/strategic-merge-patch+json"]) {
      for (const body of [
        '{"__proto__":{"polluted":"x"}}',
        '{"constructor":{"prototype":{"polluted":"x"}}}',
        '{"metadata":{"__proto__":{"polluted":"x"}}}',
      ]) {
        await ask("PATCH", `${MAPS}/names`, { type, body });
      }
    }
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  test("are objects that do not exist until they are made, and no resources", async () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      assert.equal((await ask("GET", `${MAPS}/${name}`)).status, 404);
      assert.equal((await ask("GET", `/api/v1/${name}`)).status, 404);
      assert.equal((await ask("GET", `/apis/${name}/v1/${name}`)).status, 404);
      assert.equal((await ask("GET", `/api/v1/namespaces/default/pods/x/${name}`)).status, 404);
      assert.equal((await ask("GET", `${MAPS}?fieldSelector=${name}%3Dx`)).status, 400);
    }
    assert.equal((await ask("POST", MAPS, { body: { metadata: { name: "constructor" } } })).status, 201);
    assert.equal((await ask("GET", `${MAPS}/constructor`)).status, 200);
  });

  test("are labels that only those have who were given them", async () => {
    await ask("POST", MAPS, { body: '{"metadata":{"name":"labelled","labels":{"constructor":"x","toString":"y"}}}' });
    const found = async (selector: string): Promise<unknown[]> =>
      (
        (await ask("GET", `${MAPS}?labelSelector=${encodeURIComponent(selector)}`)).body["items"] as {
          metadata: { name: string };
        }[]
      ).map((item) => item.metadata.name);
    assert.deepEqual(await found("constructor"), ["labelled"]);
    assert.deepEqual(await found("toString=y"), ["labelled"]);
    assert.deepEqual(await found("hasOwnProperty"), []);
    assert.ok(!(await found("!toString")).includes("labelled"));
    const refused = await ask("POST", MAPS, { body: '{"metadata":{"name":"no","labels":{"__proto__":"x"}}}' });
    assert.equal(refused.status, 422);
  });

  test("are properties of a definition: pruned, defaulted, validated and applied by its schema", async () => {
    const schema =
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer","default":5},"toString":{"type":"boolean"}}}';
    const body = `{"metadata":{"name":"oddities.hard.example.com"},"spec":{"group":"hard.example.com","scope":"Namespaced","names":{"plural":"oddities","singular":"oddity","kind":"Oddity"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":${schema}}}}}]}}`;
    assert.equal((await ask("POST", DEFINITIONS, { body })).status, 201);
    await server.idle();
    const path = collection("oddities");
    const oddity = (name: string, spec: string): string =>
      `{"apiVersion":"hard.example.com/v1","kind":"Oddity","metadata":{"name":"${name}"},"spec":${spec}}`;
    const made = await ask("POST", path, { body: oddity("one", '{"__proto__":"a","toString":true,"valueOf":1}') });
    assert.deepEqual(made.body["spec"], JSON.parse('{"__proto__":"a","toString":true,"constructor":5}'));
    const wrong = await ask("POST", path, { body: oddity("two", '{"__proto__":{"a":1},"toString":3}') });
    assert.equal(wrong.status, 422);
    assert.match(String(wrong.body["message"]), /spec\.__proto__ in body must be of type string/);
    const applied = await ask("PATCH", `${path}/one?fieldManager=m&force=true`, {
      type: APPLY,
      body: oddity("one", '{"__proto__":"b"}'),
    });
    assert.deepEqual(applied.body["spec"], JSON.parse('{"__proto__":"b","toString":true,"constructor":5}'));
  });
});
