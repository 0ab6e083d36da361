import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { getPath } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { asker } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { DEFINITIONS, collection, definition } from "./widgets.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const WIDGETS = collection("widgets");
const SEED = 20_260;

/** Answers of 500 that the real server gives, too, to what a client got wrong. */
const KNOWN_500 = [
  /^resourceVersion should not be set on objects to be created$/,
  /strconv\.ParseUint: parsing ".*": invalid syntax$/s,
  /^failed to create typed patch object /,
];

const names = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "A_B", "x".repeat(300), "a%2fb", "..", "%00");
const values = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, "", "a", "__proto__", [], {}, "2026-01-01T00:00:00Z", "1e400"),
  fc.jsonValue({ maxDepth: 3 }),
);
const keys = fc.constantFrom(
  "name",
  "labels",
  "annotations",
  "finalizers",
  "resourceVersion",
  "uid",
  "generateName",
  "ownerReferences",
  "managedFields",
  "deletionTimestamp",
  "__proto__",
  "namespace",
);
const metadata = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      name: fc.constantFrom("a", "b", "c"),
      labels: fc.dictionary(fc.constantFrom("l", "m"), fc.constantFrom("1", "2")),
    }),
  },
  { weight: 1, arbitrary: fc.dictionary(keys, values, { maxKeys: 4 }) },
  { weight: 1, arbitrary: values },
);
const object = fc.record(
  {
    kind: fc.oneof({ weight: 16, arbitrary: fc.constant("ConfigMap") }, fc.constantFrom("Widget", "Status", 3, null)),
    apiVersion: fc.oneof(
      { weight: 16, arbitrary: fc.constant("v1") },
      fc.constantFrom("hard.example.com/v1", "a/b/c", 3, null),
    ),
    metadata,
    data: fc.oneof({ weight: 6, arbitrary: fc.dictionary(fc.constantFrom("k", "constructor"), fc.string()) }, values),
    spec: values,
  },
  { requiredKeys: ["metadata"] },
);
const operation = fc.record(
  {
    op: fc.constantFrom("add", "remove", "replace", "copy", "move", "test", "nope"),
    path: fc.constantFrom(
      "",
      "/",
      "/data",
      "/data/k",
      "/metadata/name",
      "/metadata/labels/__proto__",
      "/kind",
      "/metadata/finalizers/-",
      "/a~2",
    ),
    from: fc.constantFrom("/data", "/metadata", ""),
    value: values,
  },
  { requiredKeys: ["op", "path"] },
);
const body = fc.oneof(
  { weight: 12, arbitrary: object.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.array(operation, { maxLength: 4 }).map((value) => JSON.stringify(value)) },
  fc.string(),
  fc.constantFrom("", "{", "[]", "null", "a: &a [*a]", "\u0000", '{"metadata":{"name":"a","name":"b"}}'),
);
const type = fc.oneof(
  { weight: 16, arbitrary: fc.constant("application/json") },
  fc.constantFrom(
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    "text/plain",
    ";",
  ),
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant("") },
  fc.constantFrom(
    "dryRun=All",
    "dryRun=x",
    "fieldManager=m",
    "fieldManager=m&force=true",
    "fieldValidation=Strict",
    "limit=1",
    "limit=x",
    "continue=x",
    "resourceVersion=1",
    "resourceVersion=x",
    "labelSelector=l%3D1",
    "labelSelector=((",
    "fieldSelector=metadata.name%3Da",
    "propagationPolicy=Foreground",
    "gracePeriodSeconds=x",
    "orphanDependents=true",
    "pretty=1",
    "timeoutSeconds=1",
  ),
);
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(MAPS, WIDGETS) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(MAPS, WIDGETS), fc.oneof({ weight: 3, arbitrary: fc.constantFrom("a", "b", "c") }, names))
      .map(([path, name]) => `${path}/${name}`),
  },
  fc.constantFrom(
    `${MAPS}/a/status`,
    `${WIDGETS}/a/scale`,
    "/api/v1/namespaces/default/pods/a/eviction",
    "/api/v1/namespaces/default/finalize",
    "/version",
    "/apis",
    "/",
    "//",
    "/api/v1/nope",
    "/openapi/v2x",
    "/api/v1/configmaps",
  ),
);
const patchType = fc.constantFrom(
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/json-patch+json",
  "application/apply-patch+yaml",
);
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "POST", "PUT", "PATCH", "PATCH", "DELETE", "HEAD", "OPTIONS"),
  patchType: fc.option(patchType, { freq: 8 }),
  path: fc.tuple(target, query).map(([path, text]) => (text === "" ? path : `${path}?${text}`)),
  body,
  type,
});

type Event = { readonly type: string; readonly object: JsonObject };
const keyOf = (item: JsonObject): string => String(getPath(item, "metadata", "name"));
const byName = (items: readonly JsonObject[]): Map<string, JsonObject> =>
  new Map(items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => [keyOf(item), item]));

describe("whatever clients send", () => {
  let server: ApiServer;
  let ask: Ask;
  const faults: unknown[] = [];
  const watched: Event[] = [];
  const leave = new AbortController();
  /** Lists as they were at some revisions. */
  const earlier: { readonly revision: number; readonly items: Map<string, JsonObject> }[] = [];
  const listed = async (): Promise<{ revision: number; items: Map<string, JsonObject> }> => {
    const list = (await ask("GET", MAPS)).body;
    return {
      revision: Number(getPath(list, "metadata", "resourceVersion")),
      items: byName(list["items"] as JsonObject[]),
    };
  };

  before(async () => {
    server = await createApiServer({
      log: (level, message, fields) => void (level === "error" && faults.push(message, fields)),
    });
    ask = asker(server.transport());
    await ask("POST", DEFINITIONS, {
      body: definition("widgets", { type: "object", "x-kubernetes-preserve-unknown-fields": true }),
    });
    await server.idle();
    earlier.push(await listed());
    const stream = await server.transport()({
      method: "GET",
      path: `${MAPS}?watch=1&resourceVersion=${earlier[0]!.revision}`,
      signal: leave.signal,
    });
    void (async () => {
      for await (const frame of stream.body) watched.push(JSON.parse(frame.toString()) as Event);
    })();
  });
  after(() => server.close());

  test("the answer is one that the real server could give, and the process is unharmed", async () => {
    const prototype = Object.getOwnPropertyNames(Object.prototype).join();
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
        for (const sent of requests) {
          const { method, path } = sent;
          const hasBody = method !== "GET" && method !== "HEAD";
          const mediaType = method === "PATCH" ? (sent.patchType ?? sent.type) : sent.type;
          const answer = await ask(method, path, hasBody ? { body: sent.body, type: mediaType } : {});
          const message = String(answer.body["message"] ?? "");
          if (answer.status >= 500)
            assert.ok(
              KNOWN_500.some((known) => known.test(message)),
              `${answer.status} ${message}`,
            );
          if (answer.status >= 400 && answer.type.startsWith("application/json")) {
            assert.equal(answer.body["kind"], "Status");
            assert.equal(answer.body["code"], answer.status);
          }
        }
        if (earlier.length < 50) earlier.push(await listed());
        assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), prototype);
      }),
      { seed: SEED, numRuns: 1_000 },
    );
    assert.deepEqual(faults, []);
  });

  test("a list is what an earlier one becomes by the events of the watch since", async () => {
    await server.idle();
    const now = await listed();
    leave.abort();
    assert.ok(watched.length > 50, `${watched.length} events`);
    for (const { revision, items } of earlier) {
      const replayed = new Map(items);
      for (const { type: happened, object: changed } of watched) {
        if (Number(getPath(changed, "metadata", "resourceVersion")) <= revision) continue;
        const [[name, item]] = [...byName([changed])] as [[string, JsonObject]];
        if (happened === "DELETED") replayed.delete(name);
        else replayed.set(name, item);
      }
      assert.deepEqual(replayed, now.items);
    }
  });
});
