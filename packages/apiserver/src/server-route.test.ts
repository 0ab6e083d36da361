import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ApiServer } from "./api-server.ts";
import { createApiServer } from "./api-server.ts";
import { ask, grantIn } from "./testing/as-user.ts";

const MINE = "fieldSelector=metadata.name%3Dmine";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
let server: ApiServer;

const status = async (method: string, path: string, body?: object): Promise<number> =>
  (await ask(server, "bob", method, path, body)).status;

before(async () => {
  server = await createApiServer();
  const rule = { apiGroups: [""], resources: ["configmaps"], resourceNames: ["mine"], verbs: ["*"] };
  await grantIn(server, "default", "bob", [rule]);
});
after(() => server.close());

test("a list and a watch whose selector names one object need the right to that object", async () => {
  assert.equal(await status("GET", `${CONFIG_MAPS}?${MINE}`), 200);
  assert.equal(await status("GET", `${CONFIG_MAPS}?${MINE}&watch=1&timeoutSeconds=1`), 200);
  assert.equal(await status("GET", CONFIG_MAPS), 403);
  assert.equal(await status("GET", `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dother`), 403);
  assert.equal(await status("GET", `/api/v1/watch/namespaces/default/configmaps?${MINE}`), 403);
});

test("a selector of fields gives no name to a create or to the deletion of a collection", async () => {
  const other = { metadata: { name: "other" } };
  assert.equal(await status("POST", `${CONFIG_MAPS}?${MINE}`, other), 403);
  assert.equal(await status("DELETE", `${CONFIG_MAPS}?${MINE}`), 403);
  assert.equal(await status("DELETE", `${CONFIG_MAPS}/mine`), 404);
});
