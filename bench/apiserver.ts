import { join } from "node:path";
import { systemClock } from "@gatewright/ports";
import type { KubeObject } from "@gatewright/kube";
import { openDiskStore } from "../packages/apiserver/src/store/index.ts";
import { againstKube } from "./against-kube.ts";
import { print, shown } from "./figure.ts";
import type { Figure } from "./figure.ts";
import { LOADS, LOADS_TABLE, loadName, loadObject } from "./load-objects.ts";
import { many, median, pause } from "./load.ts";
import { ask, makeBundle, processorMs, residentMb, serve, servePlain, withHome, withServer } from "./served.ts";
import type { Served } from "./served.ts";
import {
  WATCHERS,
  apply,
  create,
  define,
  expect,
  fanOut,
  get,
  list,
  listTable,
  measure,
  patch,
  select,
} from "./work.ts";

/*
 * The API server as its users meet it: over HTTP, durable on disk, in a process of its own, with the client on the same
 * machine. Processor time is the server's alone. Figures of one machine say little: look at the ratios.
 */

function against(name: string, ours: Figure, peer: string, theirs: Figure): void {
  const ratio = `${(ours.microseconds / theirs.microseconds).toFixed(2)} x the processor time`;
  print(name, `${shown(ours)}; ${peer} ${shown(theirs)}: ${ratio}`);
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

makeBundle();
await againstKube();
await starts();
await requests();
await size();
