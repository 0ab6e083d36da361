import { createHash } from "node:crypto";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import type { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import { specMs } from "../../configuration/spec-duration.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import type { Around } from "../around.ts";
import { wholeBody } from "../whole-body.ts";
import { ResponseCache } from "./response-cache.ts";
import type { Fetching } from "./response-cache.ts";
import { restOfRoute } from "./rest-of-route.ts";
import { directives, seconds } from "./cache-control.ts";
import { cacheKey } from "./cache-key.ts";
import type { CacheKey } from "./cache-key.ts";
import type { CacheSpec } from "./cache-spec.ts";

const DEFAULT_TTL_MS = 60_000;
const DEFAULT_ENTRIES = 1000;
/** How much a body may hold that is part of a key. */
const MAX_KEY_BODY = 1024 * 1024;

/** Requests about which only the backend can decide. */
const NEVER_CACHED: readonly string[] = ["range", "if-range", "if-match", "if-unmodified-since"];
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/**
 * Keeps answers to GET in memory and gives them to later requests that are the same. One request at a time fetches what others wait
 * for. `x-cache` tells a client what happened: HIT, STALE, MISS or BYPASS. What it keeps outlives edits elsewhere. A successful
 * request with a method that changes things drops what is kept for its address. `fetch` gets a new answer while an old one serves; by
 * default it is what comes after this filter in its route.
 */
export function cacheFilter(
  spec: CacheSpec,
  around: Around,
  fetch?: (call: Call) => Promise<Answer>,
): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  if (around.routeId.startsWith("GRPCRoute ")) {
    around.note({ field: "spec.cache", message: "has no effect: calls of gRPC are not kept", severity: "warning" });
    return undefined;
  }
  if (spec.type === "redis")
    around.note({
      field: "spec.cache.type",
      message: "redis is not supported: answers are kept in memory",
      severity: "warning",
    });
  const key = cacheKey(spec, around);
  const { clock, random } = around;
  const rules = {
    honor: spec.honorCacheControl === true,
    ttlMs: specMs(spec.ttl, DEFAULT_TTL_MS),
    negativeMs: specMs(spec.negativeCacheTTL, 0),
    staleMs: specMs(spec.staleWhileRevalidate, 0),
    jitter: Math.min(Math.max(spec.ttlJitter ?? 0, 0), 1),
  };
  const cache = around.kept.of("cache", around.routeId, spec, () => ({
    state: new ResponseCache(clock, random, spec.maxEntries ?? DEFAULT_ENTRIES, rules),
  }));
  return new CacheFilter(cache, key, rules.honor, fetch);
}

class CacheFilter implements Filter {
  readonly name = "cache";
  readonly #cache: ResponseCache;
  readonly #key: CacheKey;
  readonly #honor: boolean;
  readonly #fetch: (call: Call) => Promise<Answer>;
  /** What became of calls that are under way: they fetch what may be kept, or go past the cache. */
  readonly #calls = new WeakMap<Call, Fetching | "BYPASS">();

  constructor(cache: ResponseCache, key: CacheKey, honor: boolean, fetch?: (call: Call) => Promise<Answer>) {
    this.#cache = cache;
    this.#key = key;
    this.#honor = honor;
    this.#fetch = fetch ?? ((call) => restOfRoute(call, this));
  }

  request(call: Call): Answer | undefined | Promise<Answer | undefined> {
    const { method, fields, upgrade } = call.head;
    if ((method !== "GET" && method !== "HEAD") || upgrade !== undefined || call.isGrpc) return undefined;
    const asked = this.#honor ? directives(fields.all("cache-control")) : undefined;
    const fat = call.body !== undefined && call.body.length !== 0;
    if (
      asked?.has("no-store") === true ||
      (fat && !this.#key.withBody) ||
      NEVER_CACHED.some((name) => fields.has(name))
    ) {
      this.#calls.set(call, "BYPASS");
      return undefined;
    }
    const renew = asked !== undefined && (asked.has("no-cache") || seconds(asked, "max-age") === 0);
    const only = asked?.has("only-if-cached") === true;
    if (!fat) return this.#look(call, "", renew, only);
    return this.#withBody(call, renew, only);
  }

  response(call: Call, answer: Answer): Answer {
    const state = this.#calls.get(call);
    if (state === undefined) {
      if (!SAFE.has(call.head.method) && answer.status >= 200 && answer.status < 400 && answer.origin === undefined)
        this.#cache.drop(this.#key.of(call, ""));
      return answer;
    }
    this.#calls.delete(call);
    const kept = state === "BYPASS" ? answer : this.#cache.keep(state, answer);
    kept.fields.set("x-cache", state === "BYPASS" ? "BYPASS" : "MISS");
    return kept;
  }

  async #withBody(call: Call, renew: boolean, only: boolean): Promise<Answer | undefined> {
    if (call.body === undefined) return this.#look(call, "", renew, only);
    const bytes = await wholeBody(call.body, MAX_KEY_BODY, "request");
    if (!Buffer.isBuffer(bytes)) return bytes;
    call.body = bytesSource(bytes);
    return this.#look(call, createHash("sha256").update(bytes).digest("base64"), renew, only);
  }

  #look(call: Call, bodyHash: string, renew: boolean, only: boolean): Answer | undefined | Promise<Answer | undefined> {
    const { fields } = call.head;
    const known = call.identity !== undefined && call.identity.method !== "anonymous";
    const credentials = known || fields.has("authorization") || fields.has("cookie");
    const question = {
      key: this.#key.of(call, bodyHash),
      credentials,
      personalKey: this.#key.personal,
      renew,
      fetch: this.#fetch,
    };
    const found = this.#cache.look(call, question);
    if (found instanceof Promise) return found.then((later) => this.#went(call, later, only));
    return this.#went(call, found, only);
  }

  #went(call: Call, found: Answer | Fetching | "pass", only: boolean): Answer | undefined {
    if (found !== "pass" && "fields" in found) return found;
    if (only) {
      if (found !== "pass") found.end();
      return localAnswer(504, "not_cached", "nothing is kept for this request");
    }
    this.#calls.set(call, found === "pass" ? "BYPASS" : found);
    if (found !== "pass") {
      withoutConditions(call.head.fields);
      call.onAbort(() => found.end());
    }
    return undefined;
  }
}

/** An answer that says only that nothing changed could not be kept. */
function withoutConditions(fields: Fields): void {
  fields.remove("if-none-match");
  fields.remove("if-modified-since");
}
