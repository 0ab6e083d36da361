import type { Answer } from "../../exchange/answer.ts";
import { directives, seconds } from "./cache-control.ts";
import type { Directives } from "./cache-control.ts";
import { varyOf } from "./vary.ts";

/** What a route says about how long answers are kept, in milliseconds. */
export interface FreshnessRules {
  readonly honor: boolean;
  readonly ttlMs: number;
  readonly negativeMs: number;
  readonly staleMs: number;
}

/** How an answer may be kept. */
export interface Keepable {
  readonly freshMs: number;
  readonly staleMs: number;
  readonly ageMs: number;
  readonly shared: boolean;
  readonly vary: readonly string[];
}

const GOOD: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308]);
const NEGATIVE: ReadonlySet<number> = new Set([404, 405, 410, 414, 451, 501]);
/** Only when the answer itself says how long. */
const IF_SAID: ReadonlySet<number> = new Set([302, 307]);

/**
 * Whether and how long an answer may be kept. Never: what was made here, what sets cookies, is private, must not be stored, or depends
 * on everything; and what a request with credentials got, unless users have keys of their own or the answer says that it is public.
 */
export function keepable(
  answer: Answer,
  rules: FreshnessRules,
  request: { readonly credentials: boolean; readonly personalKey: boolean; readonly now: number },
): Keepable | undefined {
  const { fields, status } = answer;
  if (answer.origin !== undefined || fields.has("set-cookie") || fields.has("content-range")) return undefined;
  const said = directives(fields.all("cache-control"));
  if (said.has("no-store") || said.has("private") || (rules.honor && said.has("no-cache"))) return undefined;
  const shared = said.has("public") || said.has("s-maxage");
  if (request.credentials && !request.personalKey && !shared) return undefined;
  const vary = varyOf(fields);
  if (vary === "*") return undefined;
  const age = seconds(directives([`age=${fields.get("age") ?? "0"}`]), "age") ?? 0;
  const explicit = rules.honor ? explicitSeconds(said, answer, request.now) : undefined;
  const freshMs = explicit === undefined ? byStatus(status, rules) : knownStatus(status) ? (explicit - age) * 1000 : 0;
  if (freshMs <= 0) return undefined;
  return { freshMs, staleMs: staleMs(said, rules), ageMs: age * 1000, shared, vary };
}

/** Whether an answer of this kind could ever be kept, so that not keeping this one says something about the next. */
export function knownStatus(status: number): boolean {
  return GOOD.has(status) || NEGATIVE.has(status) || IF_SAID.has(status);
}

function byStatus(status: number, rules: FreshnessRules): number {
  if (GOOD.has(status)) return rules.ttlMs;
  return NEGATIVE.has(status) ? rules.negativeMs : 0;
}

function explicitSeconds(said: Directives, answer: Answer, now: number): number | undefined {
  const given = seconds(said, "s-maxage") ?? seconds(said, "max-age");
  if (given !== undefined) return given;
  const expires = answer.fields.get("expires");
  if (expires === undefined) return undefined;
  const at = Date.parse(expires);
  const from = Date.parse(answer.fields.get("date") ?? "");
  return Number.isNaN(at) ? 0 : (at - (Number.isNaN(from) ? now : from)) / 1000;
}

function staleMs(said: Directives, rules: FreshnessRules): number {
  if (!rules.honor) return rules.staleMs;
  if (said.has("must-revalidate") || said.has("proxy-revalidate") || said.has("s-maxage")) return 0;
  const given = seconds(said, "stale-while-revalidate");
  return given === undefined ? rules.staleMs : given * 1000;
}
