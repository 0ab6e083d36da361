import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, median, rate } from "./load.ts";
import { serve } from "./served.ts";
import type { Served } from "./served.ts";

/** Figures of the API server as its users meet it: over HTTP, durable on disk, in a process of its own. */
const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "loads.bench.example" },
  spec: {
    group: "bench.example",
    scope: "Namespaced",
    names: { plural: "loads", kind: "Load" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  text: { type: "string" },
                  tags: { type: "array", items: { type: "string" } },
                },
              },
            },
          },
        },
      },
    ],
  },
};

const filler = "x".repeat(1500);
const load = (index: number): string =>
  JSON.stringify({
    apiVersion: "bench.example/v1",
    kind: "Load",
    metadata: { name: `load-${String(index).padStart(6, "0")}`, labels: { shard: String(index % 10) } },
    spec: { size: index, text: filler, tags: ["a", "b", "c"] },
  });

function tell(what: string, value: string): void {
  console.log(`${what.padEnd(58)} ${value}`);
}

async function withServer<T>(work: (served: Served, home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "gatewright-bench-"));
  const served = await serve(home);
  try {
    return await work(served, home);
  } finally {
    await served.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function start(): Promise<void> {
  const starts: number[] = [];
  const resident: number[] = [];
  for (let i = 0; i < 5; i++) {
    await withServer(async (served) => {
      starts.push(served.startMs);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      resident.push(served.residentMb());
    });
  }
  tell("cold start to the first answered request, median of 5", `${median(starts).toFixed(0)} ms`);
  tell("resident memory when idle, median of 5", `${median(resident).toFixed(0)} MB`);
}

async function objects(): Promise<void> {
  await withServer(async (served) => {
    const loads = `${served.url}/apis/bench.example/v1/namespaces/default/loads`;
    const made = await call(
      `${served.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`,
      "POST",
      JSON.stringify(CRD),
    );
    if (made.status !== 201) throw new Error(made.text());
    while ((await call(loads, "GET")).status !== 200) await new Promise((resolve) => setTimeout(resolve, 5));
    const create = async (index: number): Promise<void> => {
      const reply = await call(loads, "POST", load(index));
      if (reply.status !== 201) throw new Error(reply.text());
    };
    await rate(1000, 16, create);
    const before = served.residentMb();
    const early = await rate(4000, 16, (i) => create(1000 + i));
    await rate(5000, 16, (i) => create(5000 + i));
    tell("creates per second, durable, 16 clients (1,000 to 5,000 objects)", early.toFixed(0));
    tell("creates per second, one client", (await rate(1000, 1, (i) => create(10_000 + i))).toFixed(0));
    tell(
      "gets per second, 16 clients",
      (await rate(10_000, 16, (i) => call(`${loads}/load-${String(i).padStart(6, "0")}`, "GET"))).toFixed(0),
    );
    const listed = await call(loads, "GET");
    const lists = await rate(20, 1, () => call(loads, "GET"));
    tell(`lists of 11,000 objects (${(listed.bytes / 1e6).toFixed(1)} MB) per second`, lists.toFixed(1));
    await fanOut(loads, create);
    const late = 100_000;
    await rate(late - 11_100, 32, (i) => create(11_100 + i));
    tell(
      "creates per second at 100,000 objects, 16 clients",
      (await rate(4000, 16, (i) => create(late + i))).toFixed(0),
    );
    const json = (await call(`${loads}/load-000001`, "GET")).bytes;
    const perObject = ((served.residentMb() - before) * 1024 * 1024) / (late + 4000 - 1000);
    tell(
      `memory per stored object of ${json} bytes of JSON`,
      `${perObject.toFixed(0)} bytes, ${(perObject / json).toFixed(2)} times`,
    );
  });
}

async function fanOut(loads: string, create: (index: number) => Promise<void>): Promise<void> {
  const watchers = 100;
  const writes = 100;
  let seen = 0;
  const sockets = await Promise.all(
    Array.from(
      { length: watchers },
      () =>
        new Promise<{ destroy(): void }>((resolve) => {
          const sent = get(`${loads}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`, (response) => {
            response.on("data", (chunk: Buffer) => (seen += chunk.toString().split("\n").length - 1));
            response.on("error", () => {});
            resolve(sent);
          });
          sent.on("error", () => {});
        }),
    ),
  );
  const started = performance.now();
  await rate(writes, 4, (i) => create(11_000 + i));
  while (seen < watchers * writes) await new Promise((resolve) => setTimeout(resolve, 1));
  const seconds = (performance.now() - started) / 1000;
  tell(`watch events per second to ${watchers} watchers (${watchers * writes} events)`, (seen / seconds).toFixed(0));
  for (const socket of sockets) socket.destroy();
}

await start();
await objects();
