import type { ApiServer } from "@gatewright/apiserver";
import { isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { Beginning } from "./beginning.ts";
import type { WorldState } from "./history.ts";
import type { Systems } from "./systems/systems.ts";

/** Tables whose content is by nature another in each run: who leads, and what was said about it. */
export const UNJUDGED: ReadonlySet<string> = new Set(["leases.coordination.k8s.io", "events"]);

/** What of a world is compared, and how. */
export interface StateScope {
  /** Of the server: what has become another since the beginning. */
  readonly beginning: Pick<Beginning, "isOlder" | "judges">;
  readonly withOwnership: boolean;
  /** Names of fields whose values are drawn. */
  readonly drawn: ReadonlySet<string>;
  /** Names of fields that are left out. */
  readonly incidental: ReadonlySet<string>;
}

/**
 * The objects that have come or changed, and the resources of all systems, in a form that equal worlds share. What is masked, and why: uids and resourceVersions (drawn
 * and counted anew in each run; a uid of an object that exists is replaced by its name, so that a reference to a dead one shows);
 * times; generated names; addresses of Services, drawn too; `generation` (a controller that missed a state in between wrote less often), and
 * `observedGeneration` down to whether it is up to date; times of managed fields, and their order.
 */
export function worldState(server: ApiServer, systems: Systems, scope: StateScope, forms: NormalForms): WorldState {
  const { beginning, withOwnership, drawn, incidental } = scope;
  const { store } = server.cluster;
  const names = new Map<string, string>();
  const ids = systems.names();
  const found: { readonly name: string; readonly object: KubeObject }[] = [];
  for (const table of store.tableNames()) {
    const rows = store.table(table);
    for (const entry of rows.snapshot().entries()) {
      const object = rows.decode(entry);
      const name = objectName(table, object);
      if (object.metadata.uid !== undefined) names.set(object.metadata.uid, name);
      if (beginning.judges(table, entry, object)) found.push({ name, object });
    }
  }
  const state = new Map<string, string>();
  const put = (name: string, text: string): void => {
    let unique = name;
    for (let n = 2; state.has(unique); n++) unique = `${name} (${n})`;
    state.set(unique, text);
  };
  const known = forms.knowing({ uids: names, ids, drawn, incidental });
  for (const { name, object } of found) {
    put(
      name,
      forms.of(object, () => text(normalForm(withOwnership ? object : unowned(object), known))),
    );
  }
  for (const { name, content } of systems.contents()) {
    put(withNames(name, known), text(plainForm(content as Json, known)));
  }
  return new Map([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The names of these objects: the cheap part of {@link worldState}. */
export function worldObjects({ cluster: { store } }: ApiServer, beginning: StateScope["beginning"]): readonly string[] {
  const found: string[] = [];
  for (const table of store.tableNames()) {
    const rows = store.table(table);
    for (const entry of rows.snapshot().entries()) {
      if (beginning.isOlder(table, entry)) continue;
      const object = rows.decode(entry);
      if (beginning.judges(table, entry, object)) found.push(objectName(table, object));
    }
  }
  return found;
}

function unowned(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: [] } };
}

/** `resource namespace/name`; a generated name is cut to its prefix. */
export function objectName(table: string, { metadata }: KubeObject): string {
  const { namespace } = metadata;
  return `${table} ${namespace === undefined ? "" : `${namespace}/`}${shownName(metadata)}`;
}

function shownName({ name = "", generateName = "" }: KubeObject["metadata"]): string {
  return generateName !== "" && name.startsWith(generateName) ? `${generateName}*` : name;
}

/** How a uid looks. */
export const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const OBSERVED = /^observed(?:[A-Z]\w*)?Generation$/;

/** Fields of Services that the server draws. */
const ADDRESSES: ReadonlySet<string> = new Set(["clusterIP", "clusterIPs", "nodePort", "healthCheckNodePort"]);

/** Ids and the names that are read instead. */
interface Known {
  readonly uids: ReadonlyMap<string, string>;
  /** Of resources of systems. */
  readonly ids: ReadonlyMap<string, string>;
  /** An id may be the beginning of another. */
  readonly idsLongestFirst: readonly string[];
  readonly drawn: ReadonlySet<string>;
  readonly incidental: ReadonlySet<string>;
}

/**
 * The normal forms of objects that were asked for last. A state is compared after every change, of which most objects know nothing: an
 * object's form is made anew only when it changed, or when what ids are read as did.
 */
export class NormalForms {
  #known: Known | undefined;
  #forms = new WeakMap<KubeObject, string>();

  /** What ids are read as from now on. */
  knowing(names: Omit<Known, "idsLongestFirst">): Known {
    const last = this.#known;
    if (last !== undefined && sameEntries(last.uids, names.uids) && sameEntries(last.ids, names.ids)) return last;
    this.#forms = new WeakMap();
    this.#known = { ...names, idsLongestFirst: longestFirst(names.ids) };
    return this.#known;
  }

  /** The form of an object as the store shares it: frozen, and another one after each change. */
  of(object: KubeObject, make: () => string): string {
    const form = this.#forms.get(object) ?? make();
    this.#forms.set(object, form);
    return form;
  }
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}

function text(form: Json): string {
  return JSON.stringify(form, undefined, 1);
}

function longestFirst(ids: ReadonlyMap<string, string>): readonly string[] {
  return [...ids.keys()].sort((a, b) => b.length - a.length);
}

function plainForm(content: Json, known: Known): Json {
  const shape = (value: Json | undefined): Json => {
    if (typeof value === "string") return withNames(value, known);
    if (Array.isArray(value)) return value.map((item) => shape(item));
    return isObject(value) ? sorted(value, shape) : (value ?? null);
  };
  return shape(content);
}

function normalForm(object: KubeObject, known: Known): Json {
  const { metadata, ...rest } = object;
  const { uid: _, resourceVersion: __, generation, creationTimestamp: ___, managedFields, ...meta } = metadata;
  const shape = (value: Json | undefined, key: string): Json => {
    if (ADDRESSES.has(key) && value !== "None") return "<address>";
    if (known.drawn.has(key)) return "<drawn>";
    if (typeof value === "string") {
      if (TIME.test(value)) return "<time>";
      return key === "uid" ? (known.uids.get(value) ?? "<uid of nothing>") : withNames(value, known);
    }
    if (OBSERVED.test(key)) return value === generation ? "<current>" : "<behind>";
    if (Array.isArray(value)) return value.map((item) => shape(item, ""));
    return isObject(value) ? sorted(value, shape, known.incidental) : (value ?? null);
  };
  const managers = (managedFields ?? [])
    .map(({ time: ____, ...entry }) => withNames(JSON.stringify(shape(entry as JsonObject, "")), known))
    .sort();
  return { metadata: shape({ ...meta, name: shownName(metadata) }, ""), managers, ...(shape(rest, "") as JsonObject) };
}

/** Managed fields hold uids inside of keys: an owner reference is a field by the uid of the owner. */
function withNames(text: string, { uids, ids, idsLongestFirst }: Known): string {
  let named = text;
  for (const id of idsLongestFirst) if (named.includes(id)) named = named.replaceAll(id, ids.get(id) ?? "");
  return named.replace(UID, (uid) => uids.get(uid) ?? "<uid of nothing>");
}

function sorted(
  value: JsonObject,
  shape: (value: Json | undefined, key: string) => Json,
  without?: ReadonlySet<string>,
): JsonObject {
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => without?.has(key) !== true)
      .sort()
      .map((key) => [key, shape(value[key], key)]),
  );
}
