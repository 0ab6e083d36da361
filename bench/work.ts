import type { Figure } from "./figure.ts";
import { LOADS, LOAD_DEFINITION, loadName, loadObject } from "./load-objects.ts";
import { call, many, pause } from "./load.ts";
import { ask, processorMs } from "./served.ts";
import type { Served } from "./served.ts";

/** One request to a server; the index says about which object. */
export type Work = (served: Served, index: number) => Promise<unknown>;

export const WATCHERS = 100;
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

/** Asks, and throws unless the answer has this status. Gives the size of the answer. */
export async function expect(status: number, served: Served, path: string, options = {}): Promise<number> {
  const reply = await ask(served, path, options);
  if (reply.status !== status) throw new Error(`${path} answers ${reply.status}: ${reply.text()}`);
  return reply.bytes;
}

export const create: Work = (served, i) =>
  expect(201, served, LOADS, { method: "POST", body: JSON.stringify(loadObject(i)) });
export const get: Work = (served, i) => expect(200, served, `${LOADS}/${loadName(i)}`);
export const list: Work = (served) => expect(200, served, LOADS);
export const select: Work = (served) => expect(200, served, `${LOADS}?labelSelector=shard%3D3`);
export const listTable: Work = (served) => expect(200, served, LOADS, { headers: TABLE });
export const patch: Work = (served, i) =>
  expect(200, served, `${LOADS}/${loadName(i)}`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { size: -i } }),
  });
export const apply: Work = (served, i) =>
  expect(200, served, `${LOADS}/${loadName(i)}?fieldManager=bench&force=true`, {
    method: "PATCH",
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "bench.example/v1", kind: "Load", spec: { size: 1_000_000 + i } }),
  });

/** Does the work `count` times, `width` at a time, from one index on. */
export async function measure(served: Served, count: number, width: number, work: Work, from = 0): Promise<Figure> {
  const before = processorMs(served);
  const ms = await many(count, width, (i) => work(served, from + i));
  return { perSecond: (count * 1000) / ms, microseconds: ((processorMs(served) - before) * 1000) / count };
}

/** Defines the kind that all work is about. */
export async function define(served: Served): Promise<void> {
  const body = JSON.stringify(LOAD_DEFINITION);
  await expect(201, served, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { method: "POST", body });
  while ((await ask(served, LOADS)).status !== 200) await pause(5);
}

/** How many writes {@link fanOut} makes. */
export const FAN_OUT_WRITES = 100;

/** How quickly writes reach all watchers, and what it costs. A figure is of one event to one watcher. */
export async function fanOut(served: Served, from: number): Promise<Figure> {
  const ends: (() => void)[] = [];
  let seen = 0;
  for (let i = 0; i < WATCHERS; i++) {
    const watch = call(
      `${served.url}${LOADS}?watch=1&resourceVersion=${await newest(served)}`,
      { headers: served.headers },
      (chunk) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen++;
      },
    );
    ends.push(() => watch.end());
    await watch.reply;
  }
  const before = processorMs(served);
  const started = performance.now();
  await many(FAN_OUT_WRITES, 4, (i) => create(served, from + i));
  while (seen < WATCHERS * FAN_OUT_WRITES) await pause(1);
  const perSecond = (seen * 1000) / (performance.now() - started);
  for (const end of ends) end();
  return { perSecond, microseconds: ((processorMs(served) - before) * 1000) / (WATCHERS * FAN_OUT_WRITES) };
}

async function newest(served: Served): Promise<string> {
  const reply = await ask(served, `${LOADS}?limit=1`);
  return (JSON.parse(reply.text()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
