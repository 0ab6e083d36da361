import { nodeOf, textsOf } from "../policies/policy-statements.ts";
import type { PolicyNode } from "../policies/policy-statements.ts";
import { invalidParameter } from "./refusals.ts";

const MOST_RULES = 50;
const RULE_FIELDS = new Set(["rulePriority", "description", "selection", "action"]);
const SELECTION_FIELDS = new Set(
  "tagStatus tagPrefixList tagPatternList storageClass countType countUnit countNumber".split(" "),
);
const BY_DAYS = ["sinceImagePushed", "sinceImagePulled", "sinceImageTransitioned"];

/** Refuses what is no lifecycle policy. They are kept; no image goes by them. */
export function checkLifecyclePolicy(text: string): void {
  const document = nodeOf(parsed(text));
  const rules = document?.get("rules");
  if (document?.size !== 1 || !Array.isArray(rules) || rules.length === 0) throw wrong("it must have a list of rules");
  if (rules.length > MOST_RULES) throw wrong(`it must have ${MOST_RULES} rules at most`);
  const statuses = new Map<unknown, number>();
  const priorities = new Set<number>();
  for (const given of rules) {
    const { priority, status } = ruleOf(given);
    if (priorities.has(priority)) throw wrong(`rulePriority ${priority} must be unique`);
    priorities.add(priority);
    if (status === "tagged") continue;
    if (statuses.has(status)) throw wrong(`only one rule can have tagStatus ${String(status)}`);
    statuses.set(status, priority);
  }
  const any = statuses.get("any");
  if (any !== undefined && any < Math.max(...priorities)) {
    throw wrong("a rule with tagStatus any must have the largest rulePriority");
  }
}

interface Rule {
  readonly rulePriority: number;
  readonly selection: { readonly tagPrefixList?: readonly string[]; readonly tagPatternList?: readonly string[] };
}

/** A policy that was checked, as ECR gives it back: rules by their priority, tags in order. */
export function lifecyclePolicyKept(text: string): string {
  const { rules } = JSON.parse(text) as { readonly rules: readonly Rule[] };
  const kept = rules.map((rule) => {
    const { tagPrefixList, tagPatternList } = rule.selection;
    const lists = {
      ...(tagPrefixList && { tagPrefixList: tagPrefixList.toSorted() }),
      ...(tagPatternList && { tagPatternList: tagPatternList.toSorted() }),
    };
    return { ...rule, selection: { ...rule.selection, ...lists } };
  });
  return JSON.stringify({ rules: kept.toSorted((one, other) => one.rulePriority - other.rulePriority) });
}

function ruleOf(given: unknown): { readonly priority: number; readonly status: unknown } {
  const rule = nodeOf(given);
  if (rule === undefined) throw wrong("a rule must be an object");
  onlyKnown(rule, RULE_FIELDS);
  const priority = rule.get("rulePriority");
  if (!isCount(priority)) throw wrong("rulePriority must be a positive integer");
  const description = rule.get("description");
  if (description !== undefined && (typeof description !== "string" || description.length > 256)) {
    throw wrong("description must be a text of 256 characters at most");
  }
  if (!["expire", "transition"].includes(String(nodeOf(rule.get("action"))?.get("type")))) {
    throw wrong("action must have the type expire or transition");
  }
  return { priority, status: statusOf(nodeOf(rule.get("selection"))) };
}

function statusOf(selection: PolicyNode | undefined): unknown {
  if (selection === undefined) throw wrong("a rule must have a selection");
  onlyKnown(selection, SELECTION_FIELDS);
  const status = selection.get("tagStatus");
  if (status !== "tagged" && status !== "untagged" && status !== "any") {
    throw wrong("tagStatus must be tagged, untagged or any");
  }
  const lists = ["tagPrefixList", "tagPatternList"].filter((name) => selection.has(name));
  const [list] = lists;
  if (status === "tagged" && (lists.length !== 1 || textsOf(selection.get(list ?? "")) === undefined)) {
    throw wrong("tagStatus tagged needs either a tagPrefixList or a tagPatternList");
  }
  if (status !== "tagged" && lists.length > 0) throw wrong(`tagStatus ${status} must not have a ${list}`);
  const type = selection.get("countType");
  const byDays = BY_DAYS.includes(String(type));
  if (!byDays && type !== "imageCountMoreThan") throw wrong("countType must be imageCountMoreThan or sinceImagePushed");
  if (selection.get("countUnit") !== (byDays ? "days" : undefined)) {
    throw wrong(byDays ? "countUnit must be days" : "countUnit is not for imageCountMoreThan");
  }
  if (!isCount(selection.get("countNumber"))) throw wrong("countNumber must be a positive integer");
  return status;
}

function onlyKnown(node: PolicyNode, fields: ReadonlySet<string>): void {
  for (const name of node.keys()) if (!fields.has(name)) throw wrong(`${name} is not known`);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is told as what has no rules.
    return undefined;
  }
}

function wrong(why: string): Error {
  return invalidParameter("LifecyclePolicyText", `Lifecycle policy validation failure: ${why}`);
}
