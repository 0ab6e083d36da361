/** What is known to differ between two runs and says nothing. */
export interface Marks {
  /** Text of this run -> what stands for it: addresses, tokens. */
  readonly texts: Map<string, string>;
  /** uids in the order in which they were seen: so that a reference to another object is still compared. */
  readonly uids: Map<string, string>;
  /** Prefixes of generated names that were seen. */
  readonly generated: Set<string>;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const AGE = /^(?:\d+[smh])+$/;
const SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}";
/** An object in quotes, as Go's %q writes it. */
const QUOTED_OBJECT = /"\{(?:[^"\\]|\\.)*\}"/g;
const ACCESS_VOLUME = /kube-api-access-[a-z0-9]{5}/g;

/**
 * Lists whose order says nothing: entries of managers are sorted by time, and a second may pass between two writes in one run
 * only; rules of roles come in the order of a Go map.
 */
const UNORDERED = new Set(["managedFields", "nonResourceRules", "resourceRules"]);

/** What the items of some lists are called, to be told from other values. */
const ITEM_KEYS = new Map([
  ["cells", "cell"],
  ["columnDefinitions", "column"],
]);

/** The same value with everything replaced that differs between any two runs. Keys are sorted. */
export function normalise(value: unknown, marks: Marks): unknown {
  collectGenerated(value, marks.generated);
  return walk(value, "", marks);
}

/** Text of an answer that is not JSON. */
export function normaliseText(text: string, marks: Marks): string {
  return words(text, marks).replace(/resourceVersion: "\d+"/g, 'resourceVersion: "<revision>"');
}

function walk(value: unknown, key: string, marks: Marks): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, ITEM_KEYS.get(key) ?? "", marks));
    return UNORDERED.has(key) ? items.sort(byText) : items;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(byName(value)).sort(([a], [b]) => (a < b ? -1 : 1));
    const keyOf = (name: string): string => (key === "column" && name === "description" ? "columnDescription" : name);
    return Object.fromEntries(entries.map(([name, each]) => [words(name, marks), walk(each, keyOf(name), marks)]));
  }
  if (typeof value !== "string") return value;
  if (key === "resourceVersion" && /^\d+$/.test(value) && value !== "0") return "<revision>";
  if (key === "continue" && value !== "") return "<continue>";
  if (key === "columnDescription") return "<prose>";
  if (key === "cell" && AGE.test(value)) return "<age>";
  return words(value, marks);
}

/** Resources of discovery by their names: one that only one server has would shift all others. */
function byName(value: object): object {
  if (!("kind" in value) || value.kind !== "APIResourceList" || !("resources" in value)) return value;
  const resources = value.resources as readonly { readonly name: string }[];
  return { ...value, resources: Object.fromEntries(resources.map((resource) => [resource.name, resource])) };
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function words(text: string, marks: Marks): string {
  let out = text.replace(QUOTED_OBJECT, sortedKeys);
  for (const [from, to] of marks.texts) out = out.replaceAll(from, to);
  // Before generated names: a uid may hold what looks like one.
  out = out.replace(UID, (uid) => {
    const known = marks.uids.get(uid) ?? `<uid ${marks.uids.size + 1}>`;
    marks.uids.set(uid, known);
    return known;
  });
  for (const prefix of marks.generated) {
    out = out.replace(
      new RegExp(`${prefix.replace(/[.\\^$*+?()[\]{}|]/g, "\\$&")}${SUFFIX}`, "g"),
      `${prefix}<generated>`,
    );
  }
  return out
    .replace(TIME, "<time>")
    .replace(ACCESS_VOLUME, "kube-api-access-<generated>")
    .replace(/(resourceVersion\\?"?:\s*\\?"?)\d+/g, "$1<revision>")
    .replace(/ResourceVersion in record \(\d+\)/g, "ResourceVersion in record (<revision>)")
    .replace(/current: \d+/g, "current: <revision>");
}

/** Messages quote whole objects, whose keys are not in the same order. */
function sortedKeys(quoted: string): string {
  try {
    const value = JSON.parse(JSON.parse(quoted) as string) as unknown;
    return JSON.stringify(JSON.stringify(sorted(value)));
  } catch {
    return quoted;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** Remembers the prefixes of generated names that a request or an answer holds. */
export function collectGenerated(value: unknown, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key === "generateName" && typeof each === "string" && each !== "") into.add(each);
    else collectGenerated(each, into);
  }
}
