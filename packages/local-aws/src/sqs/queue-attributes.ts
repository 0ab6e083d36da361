import type { Pairs } from "./records.ts";
import { invalidAttribute, unknownAttribute } from "./refusals.ts";
import { isJsonObject } from "../is-json-object.ts";
import { withVersion } from "../policies/with-version.ts";

type Rule =
  | { readonly kind: "number"; readonly least: number; readonly most: number; readonly default?: number }
  | { readonly kind: "choice"; readonly of: readonly string[]; readonly default?: string }
  | { readonly kind: "json" }
  | { readonly kind: "policy" }
  | { readonly kind: "text" };

/** What can be set on every queue. */
const ANY: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["VisibilityTimeout", { kind: "number", least: 0, most: 43_200, default: 30 }],
  ["MaximumMessageSize", { kind: "number", least: 1_024, most: 1_048_576, default: 1_048_576 }],
  ["MessageRetentionPeriod", { kind: "number", least: 60, most: 1_209_600, default: 345_600 }],
  ["DelaySeconds", { kind: "number", least: 0, most: 900, default: 0 }],
  ["ReceiveMessageWaitTimeSeconds", { kind: "number", least: 0, most: 20, default: 0 }],
  ["Policy", { kind: "policy" }],
  ["RedrivePolicy", { kind: "json" }],
  ["RedriveAllowPolicy", { kind: "json" }],
  ["KmsMasterKeyId", { kind: "text" }],
  ["KmsDataKeyReusePeriodSeconds", { kind: "number", least: 60, most: 86_400 }],
  ["SqsManagedSseEnabled", { kind: "choice", of: ["true", "false"], default: "true" }],
]);

const FIFO_ONLY: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["FifoQueue", { kind: "choice", of: ["true"] }],
  ["ContentBasedDeduplication", { kind: "choice", of: ["true", "false"], default: "false" }],
  ["DeduplicationScope", { kind: "choice", of: ["messageGroup", "queue"], default: "queue" }],
  ["FifoThroughputLimit", { kind: "choice", of: ["perQueue", "perMessageGroupId"], default: "perQueue" }],
]);

/** Checks attributes that somebody wants to set and gives them as they are kept. Those that are to be cleared are empty. */
export function checkAttributes(given: Readonly<Record<string, string>>, fifo: boolean): ReadonlyMap<string, string> {
  const checked = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const rule = ANY.get(name) ?? (fifo ? FIFO_ONLY.get(name) : undefined);
    if (rule === undefined) throw unknownAttribute(name);
    checked.set(name, normal(name, value, rule));
  }
  if (checked.get("SqsManagedSseEnabled") === "true" && (checked.get("KmsMasterKeyId") ?? "") !== "") {
    throw invalidAttribute("SqsManagedSseEnabled");
  }
  return checked;
}

/** The attributes of a queue after some were set: empty ones go, or back to their default. Refuses those that do not go together. */
export function withAttributes(before: Pairs, set: ReadonlyMap<string, string>, fifo: boolean): Pairs {
  const next = new Map(before);
  for (const [name, value] of set) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  for (const [name, rule] of [...ANY, ...(fifo ? FIFO_ONLY : [])]) {
    if (!next.has(name) && "default" in rule && rule.default !== undefined) next.set(name, String(rule.default));
  }
  if (next.has("KmsMasterKeyId")) {
    next.set("SqsManagedSseEnabled", "false");
    if (!next.has("KmsDataKeyReusePeriodSeconds")) next.set("KmsDataKeyReusePeriodSeconds", "300");
  } else next.delete("KmsDataKeyReusePeriodSeconds");
  if (next.get("FifoThroughputLimit") === "perMessageGroupId" && next.get("DeduplicationScope") === "queue") {
    throw invalidAttribute("FifoThroughputLimit");
  }
  return [...next];
}

function normal(name: string, value: string, rule: Rule): string {
  switch (rule.kind) {
    case "number": {
      const number = Number(value);
      if (!/^\d{1,10}$/.test(value) || number < rule.least || number > rule.most) throw invalidAttribute(name);
      return String(number);
    }
    case "choice":
      if (!rule.of.includes(value.toLowerCase()) && !rule.of.includes(value)) throw invalidAttribute(name);
      return rule.of.includes(value) ? value : value.toLowerCase();
    case "policy":
      return withVersion(normal(name, value, { kind: "json" }));
    case "json":
      if (value !== "" && !isJsonObject(value)) throw invalidAttribute(name);
      return value;
    case "text":
      return value;
  }
}
