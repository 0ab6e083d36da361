import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventApi } from "./create-event-api.ts";
import { eventPaths } from "./event-paths.ts";
import { Planet, Widget } from "./testing/widgets.ts";

const nothing = { status: 200, headers: {}, body: Buffer.alloc(0) };
const api: EventApi = { streams: 0, watch: () => Promise.resolve(nothing), events: () => Promise.resolve(nothing) };
const about = { name: "test", version: "1", description: "for tests" };
const base = { api, about, resources: [Widget, Planet], crdOf: ({ kind }: { kind: string }) => ({ kind }) } as const;

test("/crd gives the definition of the first kind, or of the one that is named", async () => {
  const crd = eventPaths(base).served.find(({ path }) => path === "/crd");
  const ask = async (query: string): Promise<unknown> => {
    const question = { query: new URLSearchParams(query), headers: {}, signal: new AbortController().signal };
    const answer = await crd?.handle(question, { username: "", groups: [] });
    return JSON.parse(String(answer?.body));
  };
  assert.deepEqual(await ask(""), { kind: "Widget" });
  assert.deepEqual(await ask("kind=planets"), { kind: "Planet" });
  await assert.rejects(ask("kind=Secret"), /not watched here/);
  await assert.rejects(ask("kind=Widget,Planet"), /one kind/);
});

test("browsers go to a short page, or to the console of whoever has one", () => {
  const alone = eventPaths(base);
  assert.equal(alone.home, "/console/");
  assert.ok(alone.served.some(({ path }) => path === "/console/"));
  const elsewhere = eventPaths({ ...base, console: { home: "/ui/" } });
  assert.equal(elsewhere.home, "/ui/");
  assert.ok(!elsewhere.served.some(({ path }) => path === "/console/"));
});
