import type { ApiObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import { createMetrics, noTracer } from "@gatewright/telemetry";
import type { Log, LogFields, MetricsRegistry } from "@gatewright/telemetry";
import { createController } from "../controller.ts";
import type { Controller } from "../controller.ts";
import type { ControllerDefinition } from "../definition.ts";
import { FakeCache } from "./fake-cache.ts";
import type { FakeInformer } from "./fake-cache.ts";

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** A controller of ConfigMaps on a clock that stands still, with a cache that a test fills. */
export interface ControllerWorld {
  readonly clock: ManualClock;
  readonly cache: FakeCache;
  readonly maps: FakeInformer<core.ConfigMap>;
  readonly controller: Controller;
  readonly metrics: MetricsRegistry;
  readonly lines: readonly LogLine[];
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** What the controller asked of the server. */
  readonly requests: readonly string[];
}

/** Lets everything happen that can happen without time passing. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

export function configMap(name: string, more: Partial<core.ConfigMap> = {}): core.ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", ...more, metadata: { namespace: "ns", name, ...more.metadata } };
}

/** Runs a controller of ConfigMaps. `synced`: whether the cache is whole from the start. */
export async function controllerWorld(
  definition: Omit<ControllerDefinition<core.ConfigMap>, "name" | "for">,
  { synced = true, objects = [] }: { readonly synced?: boolean; readonly objects?: readonly core.ConfigMap[] } = {},
): Promise<ControllerWorld> {
  const clock = new ManualClock();
  const cache = new FakeCache();
  const maps = cache.informer(core.ConfigMap);
  const metrics = createMetrics();
  const lines: LogLine[] = [];
  const requests: string[] = [];
  const client: Client = createClient(
    async ({ method, path }) => {
      requests.push(`${method} ${path}`);
      return { status: 200, headers: { "content-type": "application/json" }, body: answer() };
    },
    { clock, random: seededRandom() },
  );
  const controller = createController(
    { name: "maps", for: core.ConfigMap, ...definition },
    {
      clock,
      random: seededRandom(),
      cache,
      client,
      events: { record() {} },
      log: recording(lines, {}),
      tracer: noTracer,
      metrics,
    },
  );
  for (const object of objects) maps.put(object);
  if (synced) for (const informer of cache.informers.values()) informer.sync();
  const stop = new AbortController();
  const ended = controller.run(stop.signal);
  await settle();
  return { clock, cache, maps, controller, metrics, lines, stop, ended, requests };
}

async function* answer(): AsyncGenerator<Uint8Array> {
  const object: ApiObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "answer", namespace: "ns" } };
  yield Buffer.from(JSON.stringify(object));
}

function recording(lines: LogLine[], fields: LogFields): Log {
  const level = (name: string) => (message: string, more?: LogFields) =>
    void lines.push({ level: name, message, fields: { ...fields, ...more } });
  return {
    debug: level("debug"),
    info: level("info"),
    warn: level("warn"),
    error: level("error"),
    with: (more) => recording(lines, { ...fields, ...more }),
  };
}
