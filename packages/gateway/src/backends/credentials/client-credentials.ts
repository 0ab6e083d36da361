import type { Clock } from "@gatewright/ports";
import type { FetchJson } from "../../outbound/fetch-json.ts";

/** Who gives tokens, and for what. */
export interface ClientCredentialsSpec {
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** How long a token serves at most; undefined: as long as it is valid. */
  readonly maxAgeMs: number | undefined;
}

/** No token can be had. The message names no address and nothing that was sent. */
export class NoTokenError extends Error {
  override readonly name = "NoTokenError";
  readonly code = "ENOTOKEN";
  readonly retryable = true;
}

/** A life for tokens whose issuer does not say how long they are valid. */
const UNSAID_MS = 60_000;
const TIMEOUT_MS = 10_000;
/** After a failure nobody asks again for so long. */
const PAUSE_MS = 1000;
/** From this part of its life on a token is replaced, while it still serves. */
const REFRESH_AT = 0.8;
/** What requests on the way may take: a token is not used so shortly before its end. */
const MARGIN_MS = 5000;

interface Token {
  readonly value: string;
  readonly refreshAt: number;
  readonly endsAt: number;
}

/** Tokens by OAuth's client credentials: one at a time, fetched anew before it ends, never by two requests at once. */
export class ClientCredentials {
  readonly #spec: ClientCredentialsSpec;
  readonly #fetchJson: FetchJson;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #endpoint: string | undefined;
  #token: Token | undefined;
  #renewing: Promise<string> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(spec: ClientCredentialsSpec, fetchJson: FetchJson, clock: Clock) {
    this.#spec = spec;
    this.#fetchJson = fetchJson;
    this.#clock = clock;
  }

  /** A token that is valid now. A promise only where it has to be fetched first; that rejects with {@link NoTokenError}. */
  token(): string | Promise<string> {
    const now = this.#clock.monotonic();
    const token = this.#token;
    if (token === undefined || now >= token.endsAt) return this.#renew(now);
    // What comes of it is for the next request; this one has a token, and a failure is met when it is needed.
    if (now >= token.refreshAt) this.#renew(now).catch(() => {});
    return token.value;
  }

  stop(): void {
    this.#stop.abort();
  }

  #renew(now: number): Promise<string> {
    if (this.#renewing !== undefined) return this.#renewing;
    if (now - this.#failedAt < PAUSE_MS)
      return Promise.reject(new NoTokenError("the issuer gave no token a moment ago"));
    this.#renewing = this.#ask().then(
      (token) => {
        this.#renewing = undefined;
        this.#token = token;
        return token.value;
      },
      (error: unknown) => {
        this.#renewing = undefined;
        this.#endpoint = undefined;
        this.#failedAt = this.#clock.monotonic();
        throw error instanceof NoTokenError ? error : new NoTokenError("the issuer of tokens cannot be asked");
      },
    );
    return this.#renewing;
  }

  async #ask(): Promise<Token> {
    const { clientId, clientSecret, scopes, maxAgeMs } = this.#spec;
    this.#endpoint ??= await this.#discover();
    const form = new URLSearchParams({ grant_type: "client_credentials" });
    if (scopes.length > 0) form.set("scope", scopes.join(" "));
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");
    const { status, body } = await this.#fetchJson(
      {
        url: this.#endpoint,
        body: form.toString(),
        headers: new Map([
          ["content-type", "application/x-www-form-urlencoded"],
          ["authorization", `Basic ${basic}`],
        ]),
        timeoutMs: TIMEOUT_MS,
      },
      this.#stop.signal,
    );
    const value = textOf(body, "access_token");
    if (status !== 200 || value === undefined || !/^[\x21-\x7e]+$/u.test(value))
      throw new NoTokenError(`the issuer gave no token: status ${status}`);
    const seconds = numberOf(body, "expires_in");
    const lifeMs = Math.min(seconds === undefined ? UNSAID_MS : seconds * 1000, maxAgeMs ?? Number.POSITIVE_INFINITY);
    const now = this.#clock.monotonic();
    return {
      value,
      refreshAt: now + lifeMs * REFRESH_AT,
      endsAt: now + Math.max(lifeMs - Math.min(MARGIN_MS, lifeMs * (1 - REFRESH_AT) * 0.5), 1),
    };
  }

  async #discover(): Promise<string> {
    const issuer = this.#spec.issuerUrl.replace(/\/+$/u, "");
    const url = `${issuer}/.well-known/openid-configuration`;
    const { status, body } = await this.#fetchJson({ url, timeoutMs: TIMEOUT_MS }, this.#stop.signal);
    const endpoint = textOf(body, "token_endpoint");
    if (status !== 200 || endpoint === undefined)
      throw new NoTokenError("the issuer does not say where tokens are given");
    return endpoint;
  }
}

type Reply = Awaited<ReturnType<FetchJson>>["body"];

function memberOf(body: Reply, name: string): unknown {
  return typeof body === "object" && body !== null && !Array.isArray(body) && Object.hasOwn(body, name)
    ? body[name]
    : undefined;
}

function textOf(body: Reply, name: string): string | undefined {
  const value = memberOf(body, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function numberOf(body: Reply, name: string): number | undefined {
  const value = Number(memberOf(body, name) ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
