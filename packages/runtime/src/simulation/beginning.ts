import type { ApiServer } from "@gatewright/apiserver";
import { deepEqual } from "@gatewright/kube";
import type { Json, KubeObject } from "@gatewright/kube";
import { UNJUDGED, objectName } from "./world-state.ts";

/** The server's objects before the first step, to say in the end what is left. */
export class Beginning {
  readonly #server: ApiServer;
  readonly #tables: ReadonlyMap<string, { get(key: string): { readonly bytes: Buffer } | undefined }>;
  /** What is older is not judged. */
  readonly revision: number;

  constructor(server: ApiServer) {
    const { store } = server.cluster;
    this.#server = server;
    this.revision = store.revision;
    this.#tables = new Map([...store.tableNames()].map((table) => [table, store.table(table).snapshot()]));
  }

  /** What is there now and was not, and what is there as it was not. Who owns which field, and statuses, may differ. */
  leftovers(): readonly string[] {
    const { store } = this.#server.cluster;
    const left: string[] = [];
    for (const table of store.tableNames()) {
      if (UNJUDGED.has(table)) continue;
      const rows = store.table(table);
      for (const entry of rows.snapshot().entries()) {
        if (entry.revision <= this.revision) continue;
        const before = this.#tables.get(table)?.get(entry.key);
        const object = rows.decode(entry);
        const was = before && (JSON.parse(before.bytes.toString()) as KubeObject);
        if (was?.metadata.uid !== object.metadata.uid) left.push(objectName(table, object));
        else if (!deepEqual(wanted(was), wanted(object))) left.push(`${objectName(table, object)}, other than it was,`);
      }
    }
    return left;
  }
}

/** What somebody wants of an object, without what the server keeps about it. */
function wanted(object: KubeObject | undefined): Json {
  if (object === undefined) return null;
  const { metadata, status: _, ...rest } = object;
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  return { ...rest, labels, annotations, finalizers };
}
