import { deepEqual, isObject } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** Lists in a rule whose order means nothing. */
const SETS = ["tagPrefixList", "tagPatternList"] as const;

/**
 * Whether two lifecycle policies say the same, however they are spelled: ECR gives rules back by their priority, which alone says what
 * comes first, and tags in an order of its own. What is no JSON is only the same as itself.
 */
export function sameLifecyclePolicy(want: string, have: string): boolean {
  if (want === have) return true;
  try {
    return deepEqual(inOrder(JSON.parse(want) as Json), inOrder(JSON.parse(have) as Json));
  } catch {
    // One of them is no JSON, and they are not the same text.
    return false;
  }
}

function inOrder(policy: Json): Json {
  const rules = isObject(policy) ? policy["rules"] : undefined;
  if (!isObject(policy) || !Array.isArray(rules)) return policy;
  const priorityOf = (rule: Json): number => (isObject(rule) ? Number(rule["rulePriority"]) : 0);
  const sorted = rules.map(ruleInOrder).toSorted((one, other) => priorityOf(one) - priorityOf(other));
  return { ...policy, rules: sorted };
}

function ruleInOrder(rule: Json): Json {
  const selection = isObject(rule) ? rule["selection"] : undefined;
  if (!isObject(rule) || !isObject(selection)) return rule;
  const lists = SETS.flatMap((name) => {
    const list = selection[name];
    return Array.isArray(list) ? [[name, list.map(String).toSorted()] as const] : [];
  });
  return { ...rule, selection: { ...selection, ...Object.fromEntries(lists) } };
}
