import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/watched.example/v1/namespaces/default/things";

const definition = (properties: Record<string, unknown>): unknown => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.watched.example" },
  spec: {
    group: "watched.example",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties } } },
    ],
  },
});

async function send(
  server: ApiServer,
  method: string,
  path: string,
  body?: unknown,
  type = "application/json",
): Promise<number> {
  const answer = await server.transport()({
    method,
    path,
    headers: { "content-type": type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  for await (const _ of answer.body);
  return answer.status;
}

/** Reads a watch to its end. */
async function watched(server: ApiServer): Promise<{ readonly ended: Promise<string[]> }> {
  const { body } = await server.transport()({ method: "GET", path: `${THINGS}?watch=1` });
  const read = async (): Promise<string[]> => {
    const seen: string[] = [];
    for await (const chunk of body) {
      const { type, object } = JSON.parse(chunk.toString()) as { type: string; object: { metadata: { name: string } } };
      seen.push(`${type} ${object.metadata.name}`);
    }
    return seen;
  };
  return { ended: read() };
}

test("a watch ends when the schema changes, and when the definition goes, after all that happened before", async () => {
  const server = await createApiServer();
  assert.equal(await send(server, "POST", CRDS, definition({})), 201);
  await server.idle();
  const thing = { apiVersion: "watched.example/v1", kind: "Thing", metadata: { name: "a" } };
  const first = await watched(server);
  assert.equal(await send(server, "POST", THINGS, thing), 201);
  const changed = {
    spec: (
      definition({ spec: { type: "object", properties: { size: { type: "integer", default: 3 } } } }) as {
        spec: unknown;
      }
    ).spec,
  };
  assert.equal(
    await send(server, "PATCH", `${CRDS}/things.watched.example`, changed, "application/merge-patch+json"),
    200,
  );
  assert.deepEqual(await first.ended, ["ADDED a"]);
  const second = await watched(server);
  assert.equal(await send(server, "DELETE", `${CRDS}/things.watched.example`), 200);
  assert.deepEqual(await second.ended, ["ADDED a", "DELETED a"]);
  await server.close();
});
