import { core } from "@gatewright/kube/api";
import { Application } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";

const WRITERS = 16;

/** How much an Application asks for: an image alone; or two pods with a Service and settings. */
export type Shape = "plain" | "full";

/** Milliseconds until one Application, the first of its namespace, is Ready. */
export async function oneReady(client: Client, namespace: string, shape: Shape): Promise<number> {
  await ensureNamespace(client, namespace);
  const started = performance.now();
  await client.for(Application).create(application(namespace, "app", shape));
  await allReady(client, namespace, 1);
  return performance.now() - started;
}

/** Milliseconds from the first create until as many Applications are Ready. */
export async function crowdReady(client: Client, namespace: string, shape: Shape, count: number): Promise<number> {
  await ensureNamespace(client, namespace);
  const started = performance.now();
  const ready = allReady(client, namespace, count);
  const writer = async (own: number): Promise<void> => {
    for (let n = own; n < count; n += WRITERS) {
      await client.for(Application).create(application(namespace, `app-${n}`, shape));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, own) => writer(own)));
  await ready;
  return performance.now() - started;
}

/** Deletes what was made there, and waits until it is gone: pods too, which could still take the machine's time. */
export async function clear(client: Client, namespace: string): Promise<void> {
  await client.for(Application).deleteAll({ namespace });
  while ((await client.for(core.Pod).list({ namespace })).items.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function ensureNamespace(client: Client, name: string): Promise<void> {
  await client.for(core.Namespace).apply({ metadata: { name } });
}

function application(namespace: string, name: string, shape: Shape) {
  const more = {
    config: { greeting: "hello" },
    ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" as const }],
  };
  return {
    metadata: { namespace, name },
    spec: {
      image: "gatewright/echo:v1",
      replicas: shape === "plain" ? 1 : 2,
      strategy: "RollingUpdate" as const,
      ...(shape === "full" && more),
    },
  };
}

async function allReady(client: Client, namespace: string, count: number): Promise<void> {
  const ready = new Set<string>();
  const applications = client.for(Application);
  const isReady = ({ metadata, status }: Application): boolean =>
    status?.conditions?.some(
      ({ type, status: value, observedGeneration }) =>
        type === "Ready" && value === "True" && observedGeneration === metadata.generation,
    ) ?? false;
  const { items, resourceVersion } = await applications.list({ namespace });
  for (const app of items) if (isReady(app as Application)) ready.add(app.metadata.name ?? "");
  const stop = new AbortController();
  while (ready.size < count) {
    for await (const event of applications.watch({ namespace, resourceVersion, signal: stop.signal })) {
      if (event.type === "BOOKMARK" || !isReady(event.object as Application)) continue;
      ready.add(event.object.metadata.name ?? "");
      if (ready.size >= count) break;
    }
  }
  stop.abort();
}
