import { hash } from "node:crypto";
import { getOwn, isObject, parseGoDuration } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { isConnectionField, isFieldName, isFieldValue } from "../../exchange/field-rules.ts";
import { OutboundError } from "../../outbound/fetch-json.ts";
import type { FetchJson } from "../../outbound/fetch-json.ts";
import type { Around } from "../around.ts";
import { Recent } from "../recent.ts";
import type { DecisionCacheSpec, ExternalSpec } from "./authorization-spec.ts";
import { requestAttributes, subjectAttributes } from "./question.ts";
import type { Decision, Question } from "./question.ts";

const FIELD = "spec.authorization.external";
const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_TTL = 5 * 60_000;
const DEFAULT_SIZE = 10_000;

/** Asks the policy engine. Never rejects. */
export type Opa = (question: Question) => Decision | Promise<Decision>;

/** What it takes to ask a policy engine. */
export interface OpaAround extends Around {
  readonly fetchJson: FetchJson;
}

/**
 * Compiles `external`: decisions of an Open Policy Agent, whose rule is a boolean or an object with `allow`. What it says is kept as
 * `cache` wants, by all that it was told. When it is away or fails, `failOpen` decides; an answer that is none denies. `closed`: it
 * cannot be compiled, which was noted.
 */
export function opa(spec: ExternalSpec, cache: DecisionCacheSpec | undefined, around: OpaAround): Opa | "closed" {
  const problem = (field: string, message: string): "closed" => {
    around.note({ severity: "error", field: `${FIELD}.${field}`, message, closed: true });
    return "closed";
  };
  const { opa: engine } = spec;
  if (engine === undefined) return problem("opa", "is missing: who is asked?");
  const base = URL.parse(engine.url);
  if (base === null || !["http:", "https:"].includes(base.protocol))
    return problem("opa.url", "is not an http or https URL");
  const timeoutMs = spec.timeout ? milliseconds(spec.timeout) : DEFAULT_TIMEOUT;
  if (timeoutMs === undefined) return problem("timeout", "is no duration above zero: 300ms, 5s");
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(engine.headers ?? {})) {
    const lower = name.toLowerCase();
    if (!isFieldName(lower) || !isFieldValue(value) || isConnectionField(lower) || lower === "content-length")
      return problem(`opa.headers[${name}]`, "cannot be a header of the request");
    headers.set(lower, value);
  }
  const url = policyUrl(engine.url, engine.policy);
  const kept = keptDecisions(spec, cache, around);
  const away: Decision = spec.failOpen === true ? "allow" : "deny";
  const ask = async (question: Question, body: string, key: string): Promise<Decision> => {
    const gone = new AbortController();
    question.call.onAbort((reason) => gone.abort(reason));
    try {
      const reply = await around.fetchJson({ url, body, headers, timeoutMs }, gone.signal);
      if (reply.status >= 500 || reply.status === 429) return away;
      const decision = reply.status === 200 ? decisionIn(reply.body) : undefined;
      if (decision !== undefined) kept?.recent.set(key, decision, kept.ttl);
      return decision ?? "deny";
    } catch (error) {
      // Nobody waits for what a client that is gone may do; what is misconfigured never opens.
      return error instanceof OutboundError && error.retryable ? away : "deny";
    }
  };
  return (question) => {
    const { resource, action } = question;
    const request = requestAttributes(question);
    const subject = subjectAttributes(question);
    const body = JSON.stringify({ input: { subject, resource, action, request } });
    const key = kept === undefined ? "" : hash("sha256", body, "base64");
    return kept?.recent.get(key) ?? ask(question, body, key);
  };
}

/**
 * `http://opa:8181` and `gateway/authz` is `http://opa:8181/v1/data/gateway/authz`. An address that has `/v1/data` already is gone on from
 * there, and without a policy it is whole.
 */
function policyUrl(url: string, policy: string | undefined): string {
  const segments = (policy ?? "").split("/").filter((segment) => segment !== "");
  if (segments.length === 0) return url;
  const base = url.replace(/\/+$/u, "");
  const data = /\/v1\/data(?:\/|$)/u.test(base) ? base : `${base}/v1/data`;
  return `${data}/${segments.map(encodeURIComponent).join("/")}`;
}

function decisionIn(body: Json | undefined): Decision | undefined {
  const result = isObject(body) ? getOwn(body, "result") : undefined;
  const allow = isObject(result) ? getOwn(result, "allow") : result;
  return typeof allow === "boolean" ? (allow ? "allow" : "deny") : undefined;
}

function keptDecisions(
  spec: ExternalSpec,
  cache: DecisionCacheSpec | undefined,
  around: OpaAround,
): { readonly recent: Recent<Decision>; readonly ttl: number } | undefined {
  if (cache?.enabled !== true) return undefined;
  if (cache.type === "redis" || cache.redis !== undefined || cache.sentinel !== undefined) {
    const message = "decisions are kept in memory: Redis is not used for them here";
    around.note({ severity: "warning", field: "spec.authorization.cache", message });
  }
  const { clock, kept, routeId } = around;
  const size = cache.maxSize ?? DEFAULT_SIZE;
  // By its digest: headers of the question may be secrets.
  const content = hash("sha256", JSON.stringify([spec, size]), "base64");
  const recent = kept.of("decisions", routeId, content, () => ({
    state: new Recent<Decision>(clock, size),
  }));
  return { recent, ttl: (cache.ttl ? milliseconds(cache.ttl) : undefined) ?? DEFAULT_TTL };
}

function milliseconds(duration: string): number | undefined {
  const nanoseconds = parseGoDuration(duration);
  return nanoseconds === undefined || nanoseconds <= 0n ? undefined : Math.max(1, Number(nanoseconds / 1_000_000n));
}
