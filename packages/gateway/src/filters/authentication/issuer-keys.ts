import { getOwn, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { importJWK } from "jose";
import type { JWK } from "jose";
import type { FetchJson } from "../../outbound/fetch-json.ts";
import { CURVE_ALGORITHMS, PUBLIC_ALGORITHMS, RSA_ALGORITHMS } from "./verification-keys.ts";
import type { KeySource, VerificationKey } from "./verification-keys.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const FETCH_TIMEOUT = 5 * SECOND;
/** How soon after an attempt, whatever came of it, the next may follow: a stranger's key id must not make us ask again and again. */
const BETWEEN_ATTEMPTS = 30 * SECOND;
const AFTER_FAILURE = 5 * SECOND;
const DEFAULT_FRESH = 10 * MINUTE;
const MIN_FRESH = MINUTE;
const MAX_FRESH = 24 * 60 * MINUTE;
/** How long keys are believed when the issuer is away. */
const MAX_AGE = 24 * 60 * MINUTE;
const MAX_KEYS = 100;
const MAX_TRIED = 4;

interface KnownKey {
  readonly keyId: string | undefined;
  readonly algorithms: readonly string[];
  readonly jwk: JWK;
  readonly imported: Map<string, Promise<VerificationKey | undefined>>;
}

interface KnownKeys {
  readonly keys: readonly KnownKey[];
  readonly fetchedAt: number;
  readonly refreshAt: number;
}

/** How an issuer's keys are found. */
export interface IssuerKeysParts {
  readonly clock: Clock;
  readonly fetchJson: FetchJson;
  /** Where the keys are; may have to ask the issuer. */
  readonly locate: (signal: AbortSignal) => string | Promise<string>;
}

/**
 * An issuer's public keys (a JSON Web Key Set). They are fetched for the first token, anew in the background before they grow old, and
 * when a token names a key that is not among them; one question at a time. When the issuer is away the last good ones are used for a day.
 * Secrets in a set are no keys here.
 */
export class IssuerKeys implements KeySource {
  readonly algorithms: readonly string[] = PUBLIC_ALGORITHMS;
  readonly #parts: IssuerKeysParts;
  readonly #disposed = new AbortController();
  #known: KnownKeys | undefined;
  #version = 0;
  #flight: Promise<void> | undefined;
  #mayAskAt = Number.NEGATIVE_INFINITY;

  constructor(parts: IssuerKeysParts) {
    this.#parts = parts;
  }

  get version(): number {
    return this.#version;
  }

  async keysFor(algorithm: string, keyId: string | undefined): Promise<readonly VerificationKey[] | "unavailable"> {
    const now = this.#parts.clock.monotonic();
    const known = this.#known;
    if (known === undefined || now - known.fetchedAt > MAX_AGE) await this.#refresh();
    else if (now >= known.refreshAt) void this.#refresh();
    let found = this.#find(algorithm, keyId);
    if (found?.length === 0 && this.#known === known) {
      await this.#refresh();
      found = this.#find(algorithm, keyId);
    }
    if (found === undefined) return "unavailable";
    const keys = await Promise.all(found.slice(0, MAX_TRIED).map((key) => importFor(key, algorithm)));
    return keys.filter((key) => key !== undefined);
  }

  /** Ends what is under way. */
  dispose(): void {
    this.#disposed.abort();
  }

  #find(algorithm: string, keyId: string | undefined): KnownKey[] | undefined {
    const known = this.#known;
    if (known === undefined || this.#parts.clock.monotonic() - known.fetchedAt > MAX_AGE) return undefined;
    const fitting = known.keys.filter(({ algorithms }) => algorithms.includes(algorithm));
    if (keyId === undefined) return fitting;
    const named = fitting.filter((key) => key.keyId === keyId);
    return named.length > 0 ? named : fitting.filter((key) => key.keyId === undefined);
  }

  /** Never rejects: what matters is what is known afterwards. */
  #refresh(): Promise<void> {
    if (this.#flight !== undefined) return this.#flight;
    if (this.#parts.clock.monotonic() < this.#mayAskAt) return Promise.resolve();
    this.#flight = this.#ask().finally(() => (this.#flight = undefined));
    return this.#flight;
  }

  async #ask(): Promise<void> {
    const { clock, fetchJson, locate } = this.#parts;
    const { signal } = this.#disposed;
    try {
      const url = await locate(signal);
      const reply = await fetchJson({ url, timeoutMs: FETCH_TIMEOUT }, signal);
      const keys = reply.status === 200 ? keysIn(reply.body) : undefined;
      const now = clock.monotonic();
      if (keys === undefined) {
        this.#mayAskAt = now + AFTER_FAILURE;
        return;
      }
      const told = reply.maxAgeSeconds === undefined ? DEFAULT_FRESH : reply.maxAgeSeconds * SECOND;
      const fresh = Math.min(Math.max(told, MIN_FRESH), MAX_FRESH);
      this.#known = { keys, fetchedAt: now, refreshAt: now + fresh * 0.75 };
      this.#version++;
      this.#mayAskAt = now + BETWEEN_ATTEMPTS;
    } catch {
      // The issuer is away: what is known goes on to be used, and tokens are refused when nothing is.
      this.#mayAskAt = clock.monotonic() + AFTER_FAILURE;
    }
  }
}

function importFor(key: KnownKey, algorithm: string): Promise<VerificationKey | undefined> {
  let imported = key.imported.get(algorithm);
  if (imported === undefined) {
    // A key that the library does not take, such as a short one, is no key.
    imported = importJWK(key.jwk, algorithm).catch(() => undefined);
    key.imported.set(algorithm, imported);
  }
  return imported;
}

/** The public signing keys in a set; undefined when it is none. */
function keysIn(body: Json | undefined): KnownKey[] | undefined {
  const list = isObject(body) ? getOwn(body, "keys") : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.slice(0, MAX_KEYS).flatMap((item) => (isObject(item) ? signingKey(item) : []));
}

function signingKey(item: JsonObject): KnownKey[] {
  const text = (name: string): string | undefined => {
    const value = getOwn(item, name);
    return typeof value === "string" ? value : undefined;
  };
  const operations = getOwn(item, "key_ops");
  if ((text("use") ?? "sig") !== "sig") return [];
  if (Array.isArray(operations) && !operations.includes("verify")) return [];
  const [kty, n, e, crv, x, y] = ["kty", "n", "e", "crv", "x", "y"].map(text);
  let jwk: JWK;
  let fitting: readonly string[];
  if (kty === "RSA" && n !== undefined && e !== undefined) {
    jwk = { kty, n, e };
    fitting = RSA_ALGORITHMS;
  } else if (kty === "EC" && crv !== undefined && x !== undefined && y !== undefined) {
    jwk = { kty, crv, x, y };
    const algorithm = CURVE_ALGORITHMS.get(crv);
    fitting = algorithm === undefined ? [] : [algorithm];
  } else {
    return [];
  }
  const own = text("alg");
  const algorithms = own === undefined ? fitting : fitting.filter((algorithm) => algorithm === own);
  return algorithms.length === 0 ? [] : [{ keyId: text("kid"), algorithms, jwk, imported: new Map() }];
}
