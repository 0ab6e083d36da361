import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@gatewright/ports";
import type { KubeObject } from "@gatewright/kube";
import { openDiskStore } from "../packages/apiserver/src/store/index.ts";
import { kubeAssets, serveKube } from "./kube-apiserver.ts";
import { LOADS, LOADS_TABLE, LOAD_DEFINITION, loadName, loadObject } from "./load-objects.ts";
import { call, many, median, pause } from "./load.ts";
import { ask, makeBundle, processorMs, residentMb, serve, servePlain, stop } from "./served.ts";
import type { Served } from "./served.ts";

/*
 * The API server as its users meet it: over HTTP, durable on disk, in a process of its own, with the client on the same
 * machine. Processor time is the server's alone. Figures of one machine say little: look at the ratios.
 */
interface Figure {
  readonly perSecond: number;
  /** Microseconds of the server's processor time for one of them. */
  readonly microseconds: number;
}

type Work = (served: Served, index: number) => Promise<unknown>;

const WATCHERS = 100;
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

async function expect(status: number, served: Served, path: string, options = {}): Promise<number> {
  const reply = await ask(served, path, options);
  if (reply.status !== status) throw new Error(`${path} answers ${reply.status}: ${reply.text()}`);
  return reply.bytes;
}

const create: Work = (served, i) => expect(201, served, LOADS, { method: "POST", body: JSON.stringify(loadObject(i)) });
const get: Work = (served, i) => expect(200, served, `${LOADS}/${loadName(i)}`);
const list: Work = (served) => expect(200, served, LOADS);
const select: Work = (served) => expect(200, served, `${LOADS}?labelSelector=shard%3D3`);
const listTable: Work = (served) => expect(200, served, LOADS, { headers: TABLE });
const patch: Work = (served, i) =>
  expect(200, served, `${LOADS}/${loadName(i)}`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { size: -i } }),
  });
const apply: Work = (served, i) =>
  expect(200, served, `${LOADS}/${loadName(i)}?fieldManager=bench&force=true`, {
    method: "PATCH",
    headers: { "content-type": "application/apply-patch+yaml" },
    body: JSON.stringify({ apiVersion: "bench.example/v1", kind: "Load", spec: { size: 1_000_000 + i } }),
  });

async function measure(served: Served, count: number, width: number, work: Work, from = 0): Promise<Figure> {
  const before = processorMs(served);
  const ms = await many(count, width, (i) => work(served, from + i));
  return { perSecond: (count * 1000) / ms, microseconds: ((processorMs(served) - before) * 1000) / count };
}

function print(name: string, figure: string): void {
  console.log(`${name.padEnd(62)} ${figure}`);
}

function shown({ perSecond, microseconds }: Figure): string {
  return `${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s, ${microseconds.toFixed(0)} us`;
}

function against(name: string, ours: Figure, peer: string, theirs: Figure): void {
  const ratio = `${(ours.microseconds / theirs.microseconds).toFixed(2)} x the processor time`;
  print(name, `${shown(ours)}; ${peer} ${shown(theirs)}: ${ratio}`);
}

async function withHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function withServer<T>(starting: Promise<Served>, work: (served: Served) => Promise<T>): Promise<T> {
  const served = await starting;
  try {
    return await work(served);
  } finally {
    await stop(served);
  }
}

async function define(served: Served): Promise<void> {
  const body = JSON.stringify(LOAD_DEFINITION);
  await expect(201, served, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { method: "POST", body });
  while ((await ask(served, LOADS)).status !== 200) await pause(5);
}

async function starts(): Promise<void> {
  const kinds = ["first start", "next start", "plain node:http"] as const;
  const seen = kinds.map(() => ({ ms: [] as number[], processor: [] as number[], resident: [] as number[] }));
  for (let round = 0; round < 5; round++) {
    await withHome(async (home) => {
      for (const [i] of kinds.entries()) {
        await withServer(i === 2 ? servePlain(2000) : serve(home), async (served) => {
          seen[i]!.ms.push(served.startMs);
          seen[i]!.processor.push(processorMs(served));
          await pause(500);
          seen[i]!.resident.push(residentMb(served));
        });
      }
    });
  }
  for (const [i, kind] of kinds.entries()) {
    const { ms, processor, resident } = seen[i]!;
    const figures = [
      `${median(ms).toFixed(0)} ms (best ${Math.min(...ms).toFixed(0)})`,
      `${median(processor).toFixed(0)} ms of processor`,
    ];
    print(
      `${kind}: spawn to first answer, median of 5`,
      [...figures, `${median(resident).toFixed(0)} MB when idle`].join(", "),
    );
  }
}

/** How quickly one write reaches all watchers, and what it costs. A figure is of one event to one watcher. */
async function fanOut(served: Served, from: number): Promise<Figure> {
  const writes = 100;
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
  await many(writes, 4, (i) => create(served, from + i));
  while (seen < WATCHERS * writes) await pause(1);
  const perSecond = (seen * 1000) / (performance.now() - started);
  for (const end of ends) end();
  return { perSecond, microseconds: ((processorMs(served) - before) * 1000) / (WATCHERS * writes) };
}

async function newest(served: Served): Promise<string> {
  const reply = await ask(served, `${LOADS}?limit=1`);
  return (JSON.parse(reply.text()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

interface Sample {
  readonly object: KubeObject;
  /** Of its JSON, as the server sends it. */
  readonly bytes: number;
}

/** Defines the kind and makes one object, to make others like it. */
async function sample(home: string): Promise<Sample> {
  return withServer(serve(home), async (served) => {
    await define(served);
    await create(served, 999_999);
    const reply = await ask(served, `${LOADS}/${loadName(999_999)}`);
    return { object: JSON.parse(reply.text()) as KubeObject, bytes: reply.bytes };
  });
}

/** Puts objects into the files of a stopped server, as its own store writes them: by HTTP it would take minutes. */
async function fill(home: string, { object }: Sample, from: number, to: number): Promise<void> {
  const store = await openDiskStore({ directory: join(home, "data"), clock: systemClock });
  const table = store.table(LOADS_TABLE);
  const like = (index: number, revision: number): KubeObject => {
    const made = loadObject(index);
    const metadata = { ...object.metadata, ...made.metadata, resourceVersion: String(revision) };
    return { ...object, ...made, metadata };
  };
  const put = (index: number): Promise<unknown> =>
    table.write({
      key: `default/${loadName(index)}`,
      expected: undefined,
      object: (revision) => like(index, revision),
    });
  for (let at = from; at < to; at += 1000) {
    await Promise.all(Array.from({ length: Math.min(1000, to - at) }, (_, i) => put(at + i)));
  }
  await store.close();
}

async function againstPlain(
  name: string,
  served: Served,
  bytes: number,
  run: (served: Served) => Promise<Figure>,
): Promise<void> {
  await withServer(servePlain(bytes), async (plain) => {
    for (const each of [plain, served]) await run(each);
    const ours = await run(served);
    against(name, ours, "plain node:http", await run(plain));
  });
}

async function requests(): Promise<void> {
  await withHome(async (home) => {
    const like = await sample(home);
    await fill(home, like, 0, 10_000);
    await withServer(serve(home), async (served) => {
      await many(1000, 16, (i) => create(served, 10_000 + i));
      print("creates, durable, 16 clients", shown(await measure(served, 2000, 16, create, 11_000)));
      print("creates, durable, one client", shown(await measure(served, 300, 1, create, 13_000)));
      print("merge patches, 16 clients", shown(await measure(served, 1000, 16, patch, 1)));
      print("server-side applies, 16 clients", shown(await measure(served, 1000, 16, apply, 1)));
      await againstPlain("gets, 16 clients", served, like.bytes, (each) => measure(each, 3000, 16, get));
      const all = await expect(200, served, LOADS);
      const name = `lists of 13,301 (${(all / 1e6).toFixed(1)} MB)`;
      await againstPlain(name, served, all, (each) => measure(each, 10, 1, list));
      print("lists of 1,330 of 13,301 by label", shown(await measure(served, 20, 1, select)));
      print("lists of 13,301 as a Table", shown(await measure(served, 3, 1, listTable)));
      print(`watch events to ${WATCHERS} watchers`, shown(await fanOut(served, 20_000)));
    });
  });
}

async function size(): Promise<void> {
  await withHome(async (home) => {
    const like = await sample(home);
    const counts = [1000, 10_000, 100_000];
    const warm = 500;
    const measured = 1500;
    let before = { objects: 0, mb: 0 };
    let each = 0;
    let first: Figure | undefined;
    for (const [i, count] of counts.entries()) {
      await fill(home, like, counts[i - 1] ?? 0, count);
      await withServer(serve(home), async (served) => {
        await pause(1000);
        const now = { objects: count + i * (warm + measured), mb: residentMb(served) };
        each = ((now.mb - before.mb) * 1024 * 1024) / (now.objects - before.objects);
        before = now;
        const free = 200_000 * (i + 1);
        await measure(served, warm, 16, create, free);
        const figure = await measure(served, measured, 16, create, free + warm);
        first ??= figure;
        const ratio = `${(figure.microseconds / first.microseconds).toFixed(2)} x the first`;
        print(`creates at ${count} objects (started in ${served.startMs.toFixed(0)} ms)`, `${shown(figure)}: ${ratio}`);
      });
    }
    print(
      `memory for each object of ${like.bytes} bytes of JSON`,
      `${each.toFixed(0)} bytes = ${(each / like.bytes).toFixed(2)} x its JSON`,
    );
  });
}

async function againstKube(assets: string): Promise<void> {
  const works: readonly (readonly [string, (served: Served) => Promise<Figure>])[] = [
    ["creates, durable, 16 clients", (served) => measure(served, 1000, 16, create, 1000)],
    ["creates, durable, one client", (served) => measure(served, 200, 1, create, 2000)],
    ["gets, 16 clients", (served) => measure(served, 2000, 16, get)],
    ["lists of 2,200", (served) => measure(served, 10, 1, list)],
    ["lists of 2,200 as a Table", (served) => measure(served, 3, 1, listTable)],
    ["server-side applies, 16 clients", (served) => measure(served, 1000, 16, apply)],
    [`watch events to ${WATCHERS} watchers`, (served) => fanOut(served, 5000)],
  ];
  await withHome((home) =>
    withServer(serve(home, ["--tls"]), (us) =>
      withHome((kubeHome) =>
        withServer(serveKube(assets, kubeHome), async (kube) => {
          print(
            "start, TLS on both",
            `${us.startMs.toFixed(0)} ms; kube-apiserver and etcd ${kube.startMs.toFixed(0)} ms`,
          );
          print(
            "resident when idle",
            `${residentMb(us).toFixed(0)} MB; kube-apiserver and etcd ${residentMb(kube).toFixed(0)} MB`,
          );
          for (const served of [us, kube]) {
            await define(served);
            await many(1000, 16, (i) => create(served, i));
          }
          for (const [name, work] of works) {
            const ours = await work(us);
            against(`${name}, TLS`, ours, "kube-apiserver and etcd", await work(kube));
          }
        }),
      ),
    ),
  );
}

makeBundle();
await starts();
await requests();
await size();
const assets = kubeAssets();
if (assets === undefined)
  console.log("no KUBEBUILDER_ASSETS with etcd and kube-apiserver: not compared with the real one");
else await againstKube(assets);
