import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { StatusError } from "@gatewright/kube";
import type { ApiObject, Resource } from "@gatewright/kube";
import type { WriteObserver } from "../cache/informer.ts";
import type { Transport, TransportRequest } from "../transport/transport.ts";
import type { WatchEvent } from "./client.ts";
import { createClient } from "./create-client.ts";
import {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  retryAfterMs,
} from "./error-kinds.ts";
import { answering } from "./testing/answering.ts";
import type { CannedAnswer } from "./testing/answering.ts";

interface ConfigMap extends ApiObject {
  data?: Record<string, string>;
}

const configMaps: Resource<ConfigMap> = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
};
const namespaces: Resource = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };
const deployments: Resource = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  namespaced: true,
};

let server: ApiServer;
before(async () => {
  server = await createApiServer();
});
after(() => server.close());

/** The embedded server's own transport fits as it is; requests are kept for a look. */
function recorded(): { readonly transport: Transport; readonly requests: TransportRequest[] } {
  const inProcess: Transport = server.transport();
  const requests: TransportRequest[] = [];
  return {
    requests,
    transport: (request) => {
      requests.push(request);
      return inProcess(request);
    },
  };
}

function recordingObserver(): WriteObserver & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    wrote: (resource, object) => told.push(`wrote ${resource.kind} ${object.metadata.name}`),
    removed: (resource, ref, uid) =>
      told.push(`removed ${resource.kind} ${ref.name} ${uid === undefined ? "?" : "uid"}`),
  };
}

const inDefault = (name: string) => ({ namespace: "default", name });

describe("on the embedded server", () => {
  test("an object is created, read, changed, applied, patched and deleted", async () => {
    const maps = createClient(recorded().transport, { fieldManager: "tester" }).for(configMaps);
    const ref = inDefault("all-verbs");
    const made = await maps.create({ metadata: ref, data: { a: "1" } });
    assert.deepEqual([made.kind, made.apiVersion, made.data], ["ConfigMap", "v1", { a: "1" }]);
    assert.deepEqual(await maps.get(ref), made);
    assert.equal((await maps.update({ ...made, data: { a: "2" } })).data?.["a"], "2");
    await assert.rejects(maps.update({ ...made, data: { a: "3" } }), isConflict);
    await assert.rejects(maps.create({ metadata: ref }), isAlreadyExists);
    assert.deepEqual((await maps.apply({ metadata: ref, data: { b: "3" } })).data, { a: "2", b: "3" });
    assert.deepEqual((await maps.patch(ref, { merge: { data: { a: null } } })).data, { b: "3" });
    assert.deepEqual((await maps.patch(ref, { strategic: { data: { c: "4" } } })).data, { b: "3", c: "4" });
    const operations = [{ op: "remove", path: "/data/b" } as const];
    const last = await maps.patch(ref, { json: operations });
    assert.deepEqual(last.data, { c: "4" });
    assert.deepEqual([...new Set(last.metadata.managedFields?.map((entry) => entry.manager))], ["tester"]);
    await assert.rejects(maps.delete(ref, { preconditions: { uid: "another" } }), isConflict);
    assert.equal(await maps.delete(ref, { preconditions: { uid: made.metadata.uid! } }), undefined);
    await assert.rejects(maps.delete(ref), isNotFound);
  });

  test("what is returned is frozen to its depth", async () => {
    const maps = createClient(recorded().transport).for(configMaps);
    const made = await maps.create({ metadata: { ...inDefault("frozen"), labels: { a: "b" } } });
    const { items } = await maps.list({ namespace: "default" });
    for (const object of [made, ...items]) assert.ok(Object.isFrozen(object) && Object.isFrozen(object.metadata));
    assert.ok(Object.isFrozen(made.metadata.labels));
  });

  test("find is undefined only when the server says that this very object is not there", async () => {
    const client = createClient(recorded().transport);
    assert.equal(await client.for(configMaps).find(inDefault("absent")), undefined);
    assert.equal(await client.for(configMaps).find({ namespace: "absent", name: "absent" }), undefined);
    const unserved = { ...configMaps, group: "not.installed" };
    await assert.rejects(client.for(unserved).find(inDefault("absent")), (error: unknown) => {
      assert.ok(error instanceof StatusError && error.code === 404 && !isNotFound(error));
      return true;
    });
    const denied = client.with({ impersonate: { user: "nobody" } });
    await assert.rejects(denied.for(configMaps).find(inDefault("absent")), isForbidden);
  });

  test("unknown fields are refused unless told otherwise", async () => {
    const maps = createClient(recorded().transport).for(configMaps);
    const wrong = { metadata: inDefault("strict"), dada: {} };
    await assert.rejects(maps.create(wrong), /unknown field "dada"/);
    assert.equal((await maps.create(wrong, { fieldValidation: "Ignore" })).metadata.name, "strict");
    await assert.rejects(maps.create({ metadata: inDefault("Not A Name") }), isInvalid);
  });

  test("lists come in pages of one state, with selectors, and with kind and apiVersion on each object", async () => {
    const { transport, requests } = recorded();
    const maps = createClient(transport).for(configMaps);
    for (let i = 0; i < 5; i++)
      await maps.create({ metadata: { ...inDefault(`page-${i}`), labels: { set: "pages" } } });
    requests.length = 0;
    const list = await maps.list({ namespace: "default", labelSelector: "set in (pages)", limit: 2 });
    assert.deepEqual(
      list.items.map((object) => `${object.apiVersion} ${object.kind} ${object.metadata.name}`),
      [0, 1, 2, 3, 4].map((i) => `v1 ConfigMap page-${i}`),
    );
    assert.equal(requests.length, 3);
    assert.match(list.resourceVersion, /^\d+$/);
    const one = await maps.list({ fieldSelector: "metadata.name=page-3" });
    assert.equal(one.items.length, 1);
    await maps.deleteAll({ namespace: "default", labelSelector: "set=pages" });
    assert.equal((await maps.list({ labelSelector: "set=pages" })).items.length, 0);
    await assert.rejects(async () => maps.deleteAll({}), /in a namespace/);
  });

  test("metadata alone is a list and a watch of the kind without its data", async () => {
    const maps = createClient(recorded().transport).for(configMaps);
    await maps.create({ metadata: inDefault("slim"), data: { big: "x".repeat(100) } });
    const selection = { fieldSelector: "metadata.name=slim", metadataOnly: true };
    const { items, resourceVersion } = await maps.list(selection);
    assert.deepEqual([items[0]?.kind, items[0]?.apiVersion, items[0]?.data], ["ConfigMap", "v1", undefined]);
    const controller = new AbortController();
    const events: WatchEvent<ConfigMap>[] = [];
    const watching = (async () => {
      for await (const event of maps.watch({ ...selection, resourceVersion, signal: controller.signal })) {
        events.push(event);
        controller.abort();
      }
    })();
    await maps.patch(inDefault("slim"), { merge: { data: { more: "y" } } });
    await watching;
    const [event] = events;
    assert.ok(event?.type === "MODIFIED" && event.object.kind === "ConfigMap" && event.object.data === undefined);
  });

  test("a watch begins with what exists when asked, marks its end, and ends quietly when its signal aborts", async () => {
    const maps = createClient(recorded().transport).for(configMaps);
    await maps.create({ metadata: inDefault("watched") });
    const controller = new AbortController();
    const { signal } = controller;
    const seen: string[] = [];
    for await (const event of maps.watch({ sendInitialEvents: true, fieldSelector: "metadata.name=watched", signal })) {
      if (event.type === "BOOKMARK") seen.push(`mark ${event.initialEventsEnd}`);
      else seen.push(`${event.type} ${event.object.metadata.name}`);
      if (seen.length === 2) void maps.delete(inDefault("watched"));
      if (seen.length === 3) controller.abort();
    }
    assert.deepEqual(seen, ["ADDED watched", "mark true", "DELETED watched"]);
    for await (const event of maps.watch({ signal })) assert.fail(event.type);
  });

  test("the observer hears of every acknowledged write, of what is gone, and of no dry run", async () => {
    const observer = recordingObserver();
    const client = createClient(recorded().transport, { observer });
    const maps = client.for(configMaps);
    const ref = inDefault("observed");
    await maps.create({ metadata: ref }, { dryRun: true });
    await client.with({ dryRun: true }).for(configMaps).create({ metadata: ref });
    assert.equal(await maps.find(ref), undefined);
    await maps.create({ metadata: { ...ref, finalizers: ["example.com/hold"] } });
    await maps.delete(ref, { dryRun: true });
    const held = await maps.delete(ref);
    assert.ok(held?.metadata.deletionTimestamp);
    await maps.patch(ref, { merge: { metadata: { finalizers: null } } });
    await maps.create({ metadata: ref });
    await maps.delete(ref);
    assert.deepEqual(observer.told, [
      "wrote ConfigMap observed",
      "wrote ConfigMap observed",
      "removed ConfigMap observed uid",
      "wrote ConfigMap observed",
      "removed ConfigMap observed uid",
    ]);
  });

  test("a namespace on its way out is still there", async () => {
    const spaces = createClient(recorded().transport).for(namespaces);
    await spaces.create({ metadata: { name: "leaving" } });
    const held = await spaces.delete({ name: "leaving" });
    assert.ok(held?.metadata.deletionTimestamp);
  });

  test("status and scale are written without the rest, and only whole objects reach the observer", async () => {
    const observer = recordingObserver();
    const client = createClient(recorded().transport, { observer });
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template };
    const all = client.for(deployments);
    const ref = inDefault("web");
    await all.create({ metadata: ref, spec } as never);
    const status = await all.status.patch(ref, { merge: { status: { replicas: 1 }, spec: { replicas: 9 } } });
    assert.deepEqual((status as unknown as { spec: { replicas: number } }).spec.replicas, 1);
    const scale = all.subresource<ApiObject & { spec: { replicas: number } }>("scale");
    const now = await scale.get(ref);
    assert.equal((await scale.update({ ...now, spec: { replicas: 3 } })).spec.replicas, 3);
    assert.deepEqual(observer.told, ["wrote Deployment web", "wrote Deployment web"]);
    assert.equal((await all.status.get(ref)).kind, "Deployment");
  });

  test("a client acts as another user, with groups and extras, and a view of dry runs never writes", async () => {
    const client = createClient(recorded().transport);
    const reviews: Resource = {
      group: "authentication.k8s.io",
      version: "v1",
      kind: "SelfSubjectReview",
      plural: "selfsubjectreviews",
      namespaced: false,
    };
    const extra = { "example.com/scope": ["a", "b"] };
    const bob = client.with({ impersonate: { user: "bob", groups: ["one", "two"], uid: "7", extra } });
    const review = (await bob.for(reviews).create({ metadata: {} })) as unknown as {
      status: { userInfo: { username: string; groups: string[]; uid: string; extra: unknown } };
    };
    const { username, groups, uid, extra: seen } = review.status.userInfo;
    assert.deepEqual([username, groups.slice(0, 2), uid, seen], ["bob", ["one", "two"], "7", extra]);
    const path = "/api/v1/namespaces/default/configmaps";
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "dry" } });
    const headers = { "content-type": "application/json" };
    const answer = await client.with({ dryRun: true }).request({ method: "POST", path, body, headers });
    assert.equal(answer.status, 201);
    assert.equal(await client.for(configMaps).find(inDefault("dry")), undefined);
  });

  test("a name never leads to anything else", async () => {
    const { transport, requests } = recorded();
    const maps = createClient(transport).for(configMaps);
    for (const name of ["", ".", "..", "a/b", "a%2fb"]) await assert.rejects(async () => maps.delete(inDefault(name)));
    await assert.rejects(async () => maps.get({ name: "no-namespace" }), TypeError);
    await assert.rejects(async () => createClient(transport).for(namespaces).get(inDefault("x")), TypeError);
    await assert.rejects(async () => maps.create({ kind: "Secret", metadata: inDefault("x") }), TypeError);
    assert.equal(requests.length, 0);
  });
});

describe("with an answer that is not what was asked for", () => {
  const maps = (...answers: readonly CannedAnswer[]) =>
    createClient(answering(...answers), { retry: false }).for(configMaps);
  const html = { "content-type": "text/html; charset=utf-8" };

  test("a proxy's page is told as such and proves nothing about the object", async () => {
    const gone = maps({ status: 404, headers: html, body: "<html>\n<b>Not found</b></html>" });
    await assert.rejects(gone.find(inDefault("x")), (error: unknown) => {
      assert.ok(error instanceof StatusError && error.code === 404 && !isNotFound(error));
      assert.match(error.message, /GET .*configmaps\/x: HTTP 404 that is no answer of an API server \(text\/html\)/);
      return true;
    });
  });

  test("200 that is not JSON, or not an object, is malformed and never absent", async () => {
    await assert.rejects(maps({ body: "<html>" }).find(inDefault("x")), { code: "malformed" });
    await assert.rejects(maps({ body: "null" }).find(inDefault("x")), { code: "malformed" });
    await assert.rejects(maps({ body: "" }).find(inDefault("x")), { code: "malformed" });
    await assert.rejects(maps({ body: "<html>" }).list(), { name: "TransportError" });
    await assert.rejects(maps({ body: "{}" }).delete(inDefault("x")), { code: "malformed" });
  });

  test("a 404 about something else is an error", async () => {
    const details = { name: "default", kind: "namespaces" };
    const body = JSON.stringify({ kind: "Status", status: "Failure", reason: "NotFound", code: 404, details });
    await assert.rejects(maps({ status: 404, body }).find(inDefault("x")), isNotFound);
  });

  test("how long to wait is known from the header or the body", async () => {
    const busy = maps({ status: 429, headers: { "retry-after": "7" }, body: "Too many requests" });
    await assert.rejects(busy.get(inDefault("x")), (error) => retryAfterMs(error) === 7000);
  });

  const page = (name: string, token = "") => ({
    body: JSON.stringify({
      kind: "ConfigMapList",
      metadata: { resourceVersion: "5", ...(token !== "" && { continue: token }) },
      items: [{ metadata: { name, namespace: "default" } }],
    }),
  });
  const expired = {
    status: 410,
    body: JSON.stringify({ kind: "Status", status: "Failure", reason: "Expired", code: 410, message: "too old" }),
  };

  test("a list whose pages expire begins anew and holds one state; a stream says so, or rejects", async () => {
    const asked: string[] = [];
    const answers = [page("old", "token"), expired, page("new")] as const;
    const list = await createClient(answering({ asked }, ...answers))
      .for(configMaps)
      .list();
    assert.deepEqual(
      list.items.map((object) => object.metadata.name),
      ["new"],
    );
    assert.deepEqual(
      asked.map((path) => path.split("?")[1] ?? ""),
      ["limit=500", "limit=500&continue=token", ""],
    );

    const seen: string[] = [];
    const restart = (): void => void seen.push("restart");
    await maps(...answers).stream({ restart }, (object) => seen.push(object.metadata.name ?? ""));
    assert.deepEqual(seen, ["old", "restart", "new"]);
    await assert.rejects(
      maps(...answers).stream({}, () => {}),
      isExpired,
    );
    await assert.rejects(maps(expired).list({ resourceVersion: "3" }), isExpired);
  });

  test("an error in a watch, garbage, and an end within an event reject; a clean end does not", async () => {
    const collect = async (body: string): Promise<string[]> => {
      const seen: string[] = [];
      for await (const event of maps({ body }).watch({})) seen.push(event.type);
      return seen;
    };
    const added = '{"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x"}}}\n';
    assert.deepEqual(await collect(`${added}${added}`), ["ADDED", "ADDED"]);
    await assert.rejects(collect(`${added}{"type":"ERROR","object":${expired.body}}\n`), isExpired);
    await assert.rejects(collect(`${added}${added.slice(0, 30)}`), { code: "cut" });
    await assert.rejects(collect("<html>\n"), { code: "malformed" });
    await assert.rejects(collect('{"type":"NEWS","object":{}}\n'), { code: "malformed" });
    await assert.rejects(collect('{"type":"ADDED","object":{}}\n'), { code: "malformed" });
  });

  test("a request is not sent when its signal has aborted", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    await assert.rejects(maps().get(inDefault("x"), { signal }), /stop/);
  });
});
