import { isObject } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { compileMatchConditions } from "../expressions/match-conditions.ts";
import type { MatchConditions } from "../expressions/match-conditions.ts";
import { readMatchCriteria } from "../matching/match-criteria.ts";
import type { MatchCriteria } from "../matching/match-criteria.ts";

/** One webhook of a configuration, ready to be matched and called. */
export interface Webhook {
  /** Tells webhooks apart across configurations, also when names repeat. */
  readonly id: string;
  readonly name: string;
  readonly clientConfig: JsonObject;
  readonly criteria: MatchCriteria;
  readonly conditions: MatchConditions | undefined;
  readonly ignoreFailures: boolean;
  readonly reinvoke: boolean;
  readonly sideEffects: string | undefined;
  readonly timeoutMs: number;
  readonly reviewVersions: readonly string[];
}

/** The webhooks of a configuration, in its order. */
export function readWebhooks(configuration: KubeObject): Webhook[] {
  const list = Array.isArray(configuration.webhooks) ? configuration.webhooks : [];
  return list.filter(isObject).map((hook, index) => ({
    id: `${configuration.metadata.name}/${index}`,
    name: String(hook.name ?? ""),
    clientConfig: isObject(hook.clientConfig) ? hook.clientConfig : {},
    criteria: readMatchCriteria(hook, "rules"),
    conditions: compileMatchConditions(hook.matchConditions, hook.failurePolicy === "Ignore"),
    ignoreFailures: hook.failurePolicy === "Ignore",
    reinvoke: hook.reinvocationPolicy === "IfNeeded",
    sideEffects: typeof hook.sideEffects === "string" ? hook.sideEffects : undefined,
    timeoutMs: (typeof hook.timeoutSeconds === "number" ? hook.timeoutSeconds : 10) * 1000,
    reviewVersions: Array.isArray(hook.admissionReviewVersions) ? hook.admissionReviewVersions.map(String) : [],
  }));
}
