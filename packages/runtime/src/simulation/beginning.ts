import type { ApiServer } from "@gatewright/apiserver";
import { deepEqual } from "@gatewright/kube";
import type { Json, KubeObject } from "@gatewright/kube";
import { UNJUDGED, objectName } from "./world-state.ts";

interface Row {
  readonly key: string;
  readonly revision: number;
}

/** The server's objects before the first step, to say in the end what is left. */
export class Beginning {
  readonly #server: ApiServer;
  readonly #tables: ReadonlyMap<string, { get(key: string): { readonly bytes: Buffer } | undefined }>;
  readonly #revision: number;
  /** Objects as they were, by table and key, once somebody has asked for them. */
  readonly #read = new Map<string, KubeObject | undefined>();

  constructor(server: ApiServer) {
    const { store } = server.cluster;
    this.#server = server;
    this.#revision = store.revision;
    this.#tables = new Map([...store.tableNames()].map((table) => [table, store.table(table).snapshot()]));
  }

  /** Whether nobody has written it since, or it is of a kind that is never judged. */
  isOlder(table: string, { revision }: Row): boolean {
    return UNJUDGED.has(table) || revision <= this.#revision;
  }

  /**
   * Whether an object is compared: it was written since, and is not what it was. Who marked something that was there and took the mark
   * off again did what others do by leaving it alone.
   */
  judges(table: string, entry: Row, object: KubeObject): boolean {
    if (this.isOlder(table, entry)) return false;
    const was = this.#was(table, entry.key);
    return was?.metadata.uid !== object.metadata.uid || !deepEqual(content(was), content(object));
  }

  /** What is there now and was not, and what is there as it was not. Who owns which field, and statuses, may differ. */
  leftovers(): readonly string[] {
    const { store } = this.#server.cluster;
    const left: string[] = [];
    for (const table of store.tableNames()) {
      if (UNJUDGED.has(table)) continue;
      const rows = store.table(table);
      for (const entry of rows.snapshot().entries()) {
        if (entry.revision <= this.#revision) continue;
        const object = rows.decode(entry);
        const was = this.#was(table, entry.key);
        if (was?.metadata.uid !== object.metadata.uid) left.push(objectName(table, object));
        else if (!deepEqual(wanted(was), wanted(object))) left.push(`${objectName(table, object)}, other than it was,`);
      }
    }
    return left;
  }

  #was(table: string, key: string): KubeObject | undefined {
    const name = `${table} ${key}`;
    if (!this.#read.has(name)) {
      const before = this.#tables.get(table)?.get(key);
      this.#read.set(name, before && (JSON.parse(before.bytes.toString()) as KubeObject));
    }
    return this.#read.get(name);
  }
}

/** {@link wanted}, with the status. */
function content(object: KubeObject | undefined): Json {
  return [wanted(object), object?.["status"] ?? null];
}

/** What somebody wants of an object, without what the server keeps about it. */
function wanted(object: KubeObject | undefined): Json {
  if (object === undefined) return null;
  const { metadata, status: _, ...rest } = object;
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  return { ...rest, labels, annotations, finalizers };
}
