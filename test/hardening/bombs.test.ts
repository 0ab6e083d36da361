import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { JsonObject } from "@gatewright/kube";
import { asker } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { DEFINITIONS, collection, custom, definition } from "./widgets.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const YAML = "application/yaml";
const JSON_PATCH = "application/json-patch+json";

/** Each of these would keep a careless server busy for minutes, or take all its memory. The suite ends, so none did. */
describe("small requests that ask for much work", () => {
  let server: ApiServer;
  let ask: Ask;
  before(async () => {
    server = await createApiServer();
    ask = asker(server.transport());
    await ask("POST", MAPS, { body: { metadata: { name: "target" }, data: { a: "b" } } });
  });
  after(() => server.close());

  test("patterns match in linear time, and those that are too large are refused", async () => {
    const pattern = (text: string): JsonObject => ({
      type: "object",
      properties: { s: { type: "string", pattern: text } },
    });
    assert.equal((await ask("POST", DEFINITIONS, { body: definition("slows", pattern("^((a+)+)+$")) })).status, 201);
    await server.idle();
    const body = custom("Slow", "one", { s: `${"a".repeat(10_000)}!` });
    assert.equal((await ask("POST", collection("slows"), { body })).status, 422);
    for (const bad of ["(x{1,1000}){1,1000}", "a{1001}", "(?=a)", "\\1", `${"(".repeat(2_000)}a${")".repeat(2_000)}`]) {
      assert.equal(
        (await ask("POST", DEFINITIONS, { body: definition("bads", pattern(bad)) })).status,
        422,
        bad.slice(0, 20),
      );
    }
  });

  test("rules whose cost has no bound are refused, and so are those that nest too deeply", async () => {
    const ruled = (rule: string): JsonObject => ({
      type: "object",
      properties: { l: { type: "array", items: { type: "integer" } }, s: { type: "string" } },
      "x-kubernetes-validations": [{ rule }],
    });
    const nested = Array.from({ length: 14 }, (_, i) => `[1,2,3].all(v${i},`).join("");
    for (const rule of [
      "self.l.all(x, self.l.all(y, self.l.all(z, x + y + z > 0)))",
      `${nested}true${")".repeat(14)}`,
      "self.s.replace('a','aaaaaaaaaa').replace('a','aaaaaaaaaa').replace('a','aaaaaaaaaa').replace('a','aaaaaaaaaa').size() > 0",
      `${"(".repeat(300)}true${")".repeat(300)}`,
      `1${"+1".repeat(5_000)} > 0`,
      `true${" && true".repeat(20_000)}`,
      "self.constructor == 1",
    ]) {
      assert.equal(
        (await ask("POST", DEFINITIONS, { body: definition("ruleds", ruled(rule)) })).status,
        422,
        rule.slice(0, 40),
      );
    }
  });

  test("aliases and merges of YAML are expanded only so far", async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(",")}]`);
    const merges = Array.from({ length: 25 }, (_, i) => `m${i + 1}: &m${i + 1} {<<: [*m${i}, *m${i}], z${i}: w}`);
    for (const body of [`l0: &l0 [x]\n${levels.join("\n")}`, `m0: &m0 {x: y}\n${merges.join("\n")}`]) {
      const answer = await ask("POST", MAPS, { body, type: YAML });
      assert.equal(answer.status, 400);
      assert.match(String(answer.body["message"]), /yaml: document contains excessive aliasing/);
    }
  });

  test("copies of JSON patch add up to no more than the real server allows", async () => {
    const copies = Array.from({ length: 60 }, (_, i) => ({ op: "copy", from: "/data", path: `/data/c${i}` }));
    const add = { op: "add", path: "/data/big", value: "x".repeat(1_000) };
    assert.equal((await ask("PATCH", `${MAPS}/target`, { type: JSON_PATCH, body: [add, ...copies] })).status, 422);
    const many = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/kind", value: "ConfigMap" }));
    assert.equal((await ask("PATCH", `${MAPS}/target`, { type: JSON_PATCH, body: many })).status, 413);
  });

  test("selectors of any length are read once", async () => {
    const list = async (selector: string): Promise<number> => (await ask("GET", `${MAPS}?${selector}`)).status;
    assert.equal(await list(`labelSelector=a%20in%20(${"x,".repeat(200_000)}y)`), 200);
    assert.equal(await list(`labelSelector=${"(".repeat(200_000)}`), 400);
    assert.equal(await list(`labelSelector=${"%20".repeat(200_000)}a`), 200);
    assert.equal(await list(`fieldSelector=${"metadata.name%3Da,".repeat(20_000)}metadata.name%3Da`), 200);
    assert.equal(await list(`fieldSelector=metadata.name%3D${"%5C%5C".repeat(100_000)}`), 200);
  });

  test("thousands of unknown or repeated fields are told in a few words", async () => {
    const unknown = Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(",");
    const strict = await ask("POST", `${MAPS}?fieldValidation=Strict`, {
      body: `{"metadata":{"name":"x"},${unknown}}`,
    });
    assert.equal(strict.status, 400);
    assert.ok(String(strict.body["message"]).length < 10_000);
    const response = await server.transport()({
      method: "POST",
      path: `${MAPS}?dryRun=All`,
      headers: { "content-type": "application/json" },
      body: `{"metadata":{"name":"x"},${unknown},"y":{${'"k":1,'.repeat(50_000)}"k":1}}`,
    });
    assert.equal(response.status, 201);
    assert.ok(String(response.headers["warning"]).length < 16_000);
  });

  test("a definition with thousands of properties, or hundreds of levels, is taken", async () => {
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`f${i}`, { type: "string" }]));
    assert.equal(
      (await ask("POST", DEFINITIONS, { body: definition("wides", { type: "object", properties }) })).status,
      201,
    );
    let deep: JsonObject = { type: "string" };
    for (let i = 0; i < 300; i++) deep = { type: "object", properties: { a: deep } };
    assert.equal((await ask("POST", DEFINITIONS, { body: definition("deeps", deep) })).status, 201);
    await server.idle();
    assert.equal((await ask("GET", "/openapi/v3/apis/hard.example.com/v1")).status, 200);
  });
});
