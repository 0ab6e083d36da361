import { getOwn, setOwn } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { isRecord } from "./json-text.ts";

/** How two values become one: objects field by field to the bottom, their top fields only, or the second alone. */
export type MergeStrategy = "deep" | "shallow" | "replace";

/** Merges `over` into `base`, which it may change. Where both have something that cannot be merged, `over` wins. */
export function mergeJson(base: Json, over: Json, strategy: MergeStrategy): Json {
  if (strategy === "replace" || !isRecord(base) || !isRecord(over)) return over;
  for (const key of Object.keys(over)) {
    const value = getOwn(over, key) ?? null;
    const before = strategy === "deep" ? getOwn(base, key) : undefined;
    setOwn(base, key, before === undefined ? value : mergeJson(before, value, "deep"));
  }
  return base;
}
