/** What is known to differ between two runs and says nothing. */
export interface Marks {
  /** Text of this run -> what stands for it: addresses, tokens. */
  readonly texts: ReadonlyMap<string, string>;
  /** uids in the order in which they were seen: so that a reference to another object is still compared. */
  readonly uids: Map<string, string>;
  /** Prefixes of generated names that were seen. */
  readonly generated: Set<string>;
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const AGE = /^(?:\d+[smh])+$/;
const SUFFIX = "[bcdfghjklmnpqrstvwxz2456789]{5}";
const ACCESS_VOLUME = /kube-api-access-[a-z0-9]{5}/g;

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
    const items = value.map((item) => walk(item, key === "cells" ? "cell" : "", marks));
    return key === "managedFields" ? items.sort(byManager) : items;
  }
  if (typeof value === "object" && value !== null) {
    const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, each]) => [words(name, marks), walk(each, name, marks)]));
  }
  if (typeof value !== "string") return value;
  if (key === "resourceVersion" && /^\d+$/.test(value) && value !== "0") return "<revision>";
  if (key === "continue" && value !== "") return "<continue>";
  if (key === "cell" && AGE.test(value)) return "<age>";
  return words(value, marks);
}

/** Entries are sorted by time first, and a second may pass between two writes in one run only. */
function byManager(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function words(text: string, marks: Marks): string {
  let out = text;
  for (const [from, to] of marks.texts) out = out.replaceAll(from, to);
  for (const prefix of marks.generated) {
    out = out.replace(
      new RegExp(`${prefix.replace(/[.\\^$*+?()[\]{}|]/g, "\\$&")}${SUFFIX}`, "g"),
      `${prefix}<generated>`,
    );
  }
  return out
    .replace(UID, (uid) => {
      const known = marks.uids.get(uid) ?? `<uid ${marks.uids.size + 1}>`;
      marks.uids.set(uid, known);
      return known;
    })
    .replace(TIME, "<time>")
    .replace(ACCESS_VOLUME, "kube-api-access-<generated>")
    .replace(/(resourceVersion\\?"?:\s*\\?"?)\d+/g, "$1<revision>")
    .replace(/ResourceVersion in record \(\d+\)/g, "ResourceVersion in record (<revision>)")
    .replace(/current: \d+/g, "current: <revision>");
}

/** Remembers the prefixes of generated names that a request or an answer holds. */
export function collectGenerated(value: unknown, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (key === "generateName" && typeof each === "string" && each !== "") into.add(each);
    else collectGenerated(each, into);
  }
}
