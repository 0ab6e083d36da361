import type { StoredAttributes } from "./records.ts";
import { invalid } from "./refusals.ts";

/** An attribute: what it is unless set, and which values it takes. */
export interface AttributeRule {
  readonly default: string;
  readonly accepts: (value: string) => boolean;
}

/** The attributes that a kind of resource has. */
export type AttributeRules = ReadonlyMap<string, AttributeRule>;

export interface KeyValue {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

export function oneOf(values: readonly string[], otherwise = values[0] ?? ""): AttributeRule {
  return { default: otherwise, accepts: (value) => values.includes(value) };
}

export function flag(otherwise: boolean): AttributeRule {
  return oneOf(["true", "false"], String(otherwise));
}

export function whole(
  least: number,
  most: number,
  otherwise: number | "off",
  also: readonly string[] = [],
): AttributeRule {
  return {
    default: String(otherwise),
    accepts: (value) =>
      also.includes(value) || (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most),
  };
}

export function text(otherwise = ""): AttributeRule {
  return { default: otherwise, accepts: (value) => value.length <= 1024 };
}

/** All attributes with their values, in the order of the rules. */
export function allAttributes(rules: AttributeRules, stored: StoredAttributes): { Key: string; Value: string }[] {
  const set = new Map(stored);
  return [...rules].map(([key, rule]) => ({ Key: key, Value: set.get(key) ?? rule.default }));
}

/** The value of one attribute; the empty text for one that the resource has not. */
export function attribute(rules: AttributeRules, stored: StoredAttributes, key: string): string {
  return stored.find(([name]) => name === key)?.[1] ?? rules.get(key)?.default ?? "";
}

/** What is stored after a change. Refuses keys and values that the resource does not take; `kind` begins its message. */
export function changedAttributes(
  rules: AttributeRules,
  stored: StoredAttributes,
  changes: readonly KeyValue[],
  kind: string,
): StoredAttributes {
  const next = new Map(stored);
  const named = new Set<string>();
  for (const { Key: key = "", Value: value = "" } of changes) {
    const rule = rules.get(key);
    if (rule === undefined) throw invalid(`${kind} attribute key '${key}' is not recognized`);
    if (named.has(key)) throw invalid(`${kind} attribute key '${key}' was specified more than once`);
    named.add(key);
    if (!rule.accepts(value)) throw invalid(`'${key}' has an invalid value: '${value}'`);
    next.set(key, value);
  }
  return [...next];
}
