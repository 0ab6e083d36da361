import type { Clock, Random } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import { collect } from "../../exchange/bodies.ts";
import type { Fields } from "../../exchange/fields.ts";
import type { Call } from "../../pipeline/call.ts";
import { detachedCall } from "../detached-call.ts";
import { CacheStore } from "./cache-store.ts";
import type { CacheEntry } from "./cache-store.ts";
import { cachedAnswer } from "./cached-answer.ts";
import { Flights } from "./flights.ts";
import type { Flight } from "./flights.ts";
import { keepable, knownStatus } from "./freshness.ts";
import type { FreshnessRules, Keepable } from "./freshness.ts";
import { recordedSource } from "./recorded-source.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
/** How long a request waits for another's answer before it asks for itself, and how many wait. */
const WAIT_MS = 5000;
const MAX_WAITING = 1000;
/** How long requests are not held up for one another after an answer that could not be kept. */
const PASS_MS = 5000;
/** How long fetching a new answer in the background may take. */
const RENEW_MS = 30_000;
/** A flight that nobody waits for. */
const ALONE = { end(): void {} };

/** What a cache is asked. */
export interface CacheQuestion {
  readonly key: string;
  readonly credentials: boolean;
  readonly personalKey: boolean;
  /** The client wants a new answer. */
  readonly renew: boolean;
  /** Fetches a new answer in the background. */
  readonly fetch: (call: Call) => Promise<Answer>;
}

/** A request that goes on to fetch what may be kept. */
export interface Fetching {
  readonly question: CacheQuestion;
  /** The fields as the cache saw them: those that variants are told apart by. */
  readonly request: Fields;
  /** Others need wait no longer. May be called more than once. */
  end(): void;
}

/** The answers of one route, and who fetches which. */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #store: CacheStore;
  readonly #flights: Flights;
  readonly #rules: FreshnessRules & { readonly jitter: number };

  constructor(clock: Clock, random: Random, maxEntries: number, rules: FreshnessRules & { readonly jitter: number }) {
    this.#clock = clock;
    this.#random = random;
    this.#rules = rules;
    this.#store = new CacheStore(maxEntries, MAX_BYTES);
    this.#flights = new Flights(clock, WAIT_MS);
  }

  /** An answer; or the right to fetch one; or `pass`, to go on as if there were no cache. Waits for whoever fetches the same. */
  look(call: Call, question: CacheQuestion): Answer | Fetching | "pass" | Promise<Answer | Fetching | "pass"> {
    const found = question.renew ? undefined : this.#found(call, question);
    if (found === "pass") return "pass";
    if (found !== undefined) return found;
    if (call.head.method === "HEAD") return "pass";
    if (question.credentials && !question.personalKey) return this.#fetching(call, question, ALONE);
    const flight = question.renew ? undefined : this.#flights.current(question.key);
    if (flight === undefined) return this.#fetching(call, question, this.#flights.begin(question.key));
    if (flight.waiting >= MAX_WAITING) return "pass";
    return this.#follow(call, question, flight);
  }

  /** Keeps an answer that was fetched, if it may be kept, as its body passes. */
  keep(fetching: Fetching, answer: Answer): Answer {
    const how = this.#keepable(fetching, answer);
    if (how === undefined) {
      fetching.end();
      return answer;
    }
    const { status } = answer;
    const fields = answer.fields.copy();
    const done = (bytes: Buffer | undefined): void => {
      if (bytes !== undefined) this.#put(fetching, { status, fields, bytes }, how);
      fetching.end();
    };
    if (answer.body === undefined) done(Buffer.alloc(0));
    else answer.body = recordedSource(answer.body, MAX_ENTRY_BYTES, done);
    return answer;
  }

  /** What is kept under this key no longer holds. */
  drop(key: string): void {
    this.#store.dropAll(key);
  }

  #found(call: Call, question: CacheQuestion): Answer | "pass" | undefined {
    const now = this.#clock.monotonic();
    const entry = this.#store.get(question.key, call.head.fields, now);
    if (entry === undefined || entry === "pass") return entry;
    if (question.credentials && !question.personalKey && !entry.shared) return undefined;
    if (now < entry.freshUntil) return cachedAnswer(entry, call.head.fields, now, "HIT");
    if (call.body !== undefined && call.body.length !== 0) return undefined;
    if (this.#flights.current(question.key) === undefined) void this.#renew(call, question);
    return cachedAnswer(entry, call.head.fields, now, "STALE");
  }

  #fetching(call: Call, question: CacheQuestion, flight: { end(): void }): Fetching {
    return { question, request: call.head.fields.copy(), end: () => flight.end() };
  }

  async #follow(call: Call, question: CacheQuestion, flight: Flight): Promise<Answer | "pass"> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = flight.wait(this.#clock, WAIT_MS, resolve);
    call.onAbort((reason) => {
      leave();
      reject(reason);
    });
    await promise;
    return this.#found(call, question) ?? "pass";
  }

  #keepable(fetching: Fetching, answer: Answer): Keepable | undefined {
    const { question, request } = fetching;
    const how = keepable(answer, this.#rules, { ...question, now: this.#clock.now() });
    const fits = answer.body?.length === undefined || answer.body.length <= MAX_ENTRY_BYTES;
    if (how !== undefined && fits) return how;
    if (answer.origin === undefined && knownStatus(answer.status) && !(question.credentials && !question.personalKey))
      this.#store.pass(question.key, request, this.#clock.monotonic() + PASS_MS);
    return undefined;
  }

  #put(fetching: Fetching, answer: Pick<CacheEntry, "status" | "fields" | "bytes">, how: Keepable): void {
    const now = this.#clock.monotonic();
    answer.fields.remove("age");
    const { jitter } = this.#rules;
    const share = jitter === 0 ? 0 : ((this.#random.bytes(1)[0] ?? 0) / 255) * jitter;
    const freshUntil = now + how.freshMs * (1 - share);
    this.#store.put(fetching.question.key, fetching.request, how.vary, {
      ...answer,
      storedAt: now,
      ageMs: how.ageMs,
      freshUntil,
      staleUntil: freshUntil + how.staleMs,
      shared: how.shared,
    });
  }

  /** Fetches a new answer that no client waits for. What fails leaves the old one until its time is over. */
  async #renew(like: Call, question: CacheQuestion): Promise<void> {
    const fetching = this.#fetching(like, question, this.#flights.begin(question.key));
    const own = detachedCall(like, this.#clock, { method: "GET", body: undefined, timeoutMs: RENEW_MS });
    own.call.head.fields.remove("if-none-match");
    own.call.head.fields.remove("if-modified-since");
    try {
      const answer = await question.fetch(own.call);
      const how = this.#keepable(fetching, answer);
      if (how === undefined) {
        answer.body?.cancel();
        return;
      }
      const got = answer.body === undefined ? undefined : await collect(answer.body, MAX_ENTRY_BYTES);
      if (got !== "too-large")
        this.#put(
          fetching,
          { status: answer.status, fields: answer.fields, bytes: got?.bytes ?? Buffer.alloc(0) },
          how,
        );
    } catch {
      // The next request after the old answer's time finds out for itself, and is told.
    } finally {
      own.release();
      fetching.end();
    }
  }
}
