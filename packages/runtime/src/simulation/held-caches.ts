import type { ApiServer } from "@gatewright/apiserver";
import type { ApiObject, Immutable, KubeObject } from "@gatewright/kube";
import type { Incarnation } from "./process/incarnation.ts";
import { objectName } from "./world-state.ts";

interface HeldCache {
  readonly life: Incarnation;
  readonly table: string;
  readonly namespace: string | undefined;
  readonly list: () => readonly Immutable<ApiObject>[];
}

/** The caches that programs have told of, to be compared with the server. */
export class HeldCaches {
  readonly #caches: HeldCache[] = [];

  add(cache: HeldCache): void {
    this.#caches.push(cache);
  }

  /** Where caches of processes that run differ from the server. */
  compare(server: ApiServer): readonly string[] {
    return this.#caches.filter(({ life }) => life.alive).flatMap((cache) => differences(cache, server));
  }
}

function differences({ life, table, namespace, list }: HeldCache, server: ApiServer): string[] {
  const rows = server.cluster.store.table(table);
  const prefix = namespace === undefined ? "" : `${namespace}/`;
  const stored = new Map<string, string>();
  for (const entry of rows.snapshot().entries({ prefix }))
    stored.set(nameOf(rows.decode(entry)), String(entry.revision));
  const found: string[] = [];
  for (const object of list()) {
    const name = nameOf(object as KubeObject);
    const version = stored.get(name);
    stored.delete(name);
    if (version === object.metadata.resourceVersion) continue;
    const has = version === undefined ? "it is gone" : `the server has ${version}`;
    found.push(`${life.identity} holds ${name} at version ${object.metadata.resourceVersion}: ${has}`);
  }
  for (const name of stored.keys()) found.push(`${life.identity} does not hold ${name}`);
  return found;

  function nameOf(object: KubeObject): string {
    return objectName(table, { ...object, metadata: { ...object.metadata, generateName: "" } });
  }
}
