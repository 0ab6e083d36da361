import { hash } from "node:crypto";
import type { JsonObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { Identity } from "../../pipeline/call.ts";
import { Recent } from "../recent.ts";
import { plainClaims } from "./claims-identity.ts";
import type { Outcome } from "./method.ts";
import type { KeySource } from "./verification-keys.ts";

const MAX_TOKEN = 16 * 1024;
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/u;
const LEEWAY_SECONDS = 30;
const REMEMBERED = 1000;
/** How long a verified token is not verified again, unless it expires or keys change before. */
const REMEMBER_MS = 60_000;

/** What a token must be to be believed. */
export interface TokenRules {
  /** Each with the algorithms of its keys: the one that a token names must be among them, and `none` never is. */
  readonly sources: readonly KeySource[];
  /** Undefined: all that the sources have keys for. */
  readonly algorithm: string | undefined;
  readonly issuer: string | undefined;
  /** One of these. Empty: any. */
  readonly audience: readonly string[];
  identity(claims: JsonObject): Identity;
}

interface Verified {
  readonly identity: Identity;
  readonly version: number;
  /** Milliseconds since 1970, after which it is expired whatever the leeway. */
  readonly until: number;
}

/** Verifies JSON Web Tokens. A token that was verified a moment ago costs one digest. */
export class TokenVerifier {
  readonly #rules: TokenRules;
  readonly #clock: Clock;
  readonly #recent: Recent<Verified>;

  constructor(rules: TokenRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
    this.#recent = new Recent(clock, REMEMBERED);
  }

  verify(token: string): Outcome | Promise<Outcome> {
    if (token.length > MAX_TOKEN || !COMPACT.test(token)) return "refused";
    const digest = hash("sha256", token, "base64");
    const known = this.#recent.get(digest);
    if (known !== undefined && known.version === this.#version() && this.#clock.now() < known.until)
      return known.identity;
    return this.#verifyAnew(token, digest);
  }

  /** Versions only grow, so their sum changes when one does. */
  #version(): number {
    return this.#rules.sources.reduce((sum, { version }) => sum + version, 0);
  }

  async #verifyAnew(token: string, digest: string): Promise<Outcome> {
    const named = algorithmOf(token);
    if (named === undefined) return "refused";
    const { alg, kid } = named;
    const { algorithm, sources } = this.#rules;
    if (algorithm !== undefined && alg !== algorithm) return "refused";
    let unavailable = false;
    // Taken before the keys: those that come meanwhile make what is found with these old.
    const version = this.#version();
    for (const source of sources) {
      if (!source.algorithms.includes(alg)) continue;
      const keys = await source.keysFor(alg, kid);
      if (keys === "unavailable") {
        unavailable = true;
        continue;
      }
      for (const key of keys) {
        const verified = await this.#verifyBy(token, key, alg, version);
        if (verified === "wrong-key") continue;
        if (verified !== "refused") this.#recent.set(digest, verified, REMEMBER_MS);
        return verified === "refused" ? verified : verified.identity;
      }
    }
    return unavailable ? "unavailable" : "refused";
  }

  async #verifyBy(
    token: string,
    key: Parameters<typeof jwtVerify>[1],
    alg: string,
    version: number,
  ): Promise<Verified | "wrong-key" | "refused"> {
    const { audience, issuer } = this.#rules;
    const now = this.#clock.now();
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [alg],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(now),
        ...(issuer === undefined ? {} : { issuer }),
        ...(audience.length === 0 ? {} : { audience: [...audience] }),
      });
      const until = payload.exp === undefined ? Number.POSITIVE_INFINITY : (payload.exp + LEEWAY_SECONDS) * 1000;
      return { identity: this.#rules.identity(plainClaims(payload)), version, until };
    } catch (error) {
      // Why a token is not good is between it and its issuer: clients learn that it is not.
      return error instanceof errors.JWSSignatureVerificationFailed ? "wrong-key" : "refused";
    }
  }
}

function algorithmOf(token: string): { alg: string; kid: string | undefined } | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return typeof alg === "string" ? { alg, kid: typeof kid === "string" ? kid : undefined } : undefined;
  } catch {
    // Not even a token.
    return undefined;
  }
}
