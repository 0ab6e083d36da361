import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import type { Fields } from "../../exchange/fields.ts";
import type { CacheEntry } from "./cache-store.ts";

/** Fields of an answer that say nothing has changed. */
const ABOUT_DOCUMENT: ReadonlySet<string> = new Set([
  "cache-control",
  "content-location",
  "date",
  "etag",
  "expires",
  "last-modified",
  "vary",
]);

/** A kept answer as a client gets it: with its age, and without its body when the client has the same already. */
export function cachedAnswer(entry: CacheEntry, request: Fields, now: number, how: "HIT" | "STALE"): Answer {
  const fields = entry.fields.copy();
  const same = entry.status === 200 && hasIt(request, fields);
  if (same) for (const [name] of entry.fields) if (!ABOUT_DOCUMENT.has(name)) fields.remove(name);
  fields.set("age", String(Math.floor((entry.ageMs + now - entry.storedAt) / 1000)));
  fields.set("x-cache", how);
  const body = same || entry.status === 204 ? undefined : bytesSource(entry.bytes);
  return { status: same ? 304 : entry.status, fields, body, origin: "cache" };
}

/** Whether a client's conditions say that it has this very answer. A validator decides before a date does. */
function hasIt(request: Fields, kept: Fields): boolean {
  const known = request.all("if-none-match").join(",");
  if (known !== "") {
    const tag = kept.get("etag");
    if (known.trim() === "*") return true;
    return tag !== undefined && known.split(",").some((one) => opaque(one.trim()) === opaque(tag));
  }
  const since = Date.parse(request.get("if-modified-since") ?? "");
  const modified = Date.parse(kept.get("last-modified") ?? "");
  return !Number.isNaN(since) && !Number.isNaN(modified) && modified <= since;
}

function opaque(tag: string): string {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
