import type { ListenerModel, RuleModel } from "../model/model.ts";
import type { AwsListener, AwsRule } from "./aws-stack.ts";
import { conditionsText, within } from "./same.ts";
import { awsAction } from "./step.ts";
import type { Step } from "./step.ts";

/** Rules that are to go wait here, out of the way of those that stay. */
const ASIDE = 40_000;
/** AWS's own limit of rules, unless it was raised. */
const MOST_RULES = 100;

/**
 * Rules with the same conditions stay the same rules: what they do is changed in place, so that no request falls in between. New ones
 * come before old ones go, unless there is no room for both.
 */
export function planRules(
  model: ListenerModel,
  listener: AwsListener | undefined,
  arnOf: (group: string) => string | undefined,
): readonly Step[] {
  const left = new Map<string, AwsRule[]>();
  for (const rule of listener?.rules ?? []) {
    const text = conditionsText(rule.shape.Conditions, rule.shape.Transforms);
    left.set(text, [...(left.get(text) ?? []), rule]);
  }
  const kept: { readonly actual: AwsRule; readonly wanted: RuleModel; readonly priority: number }[] = [];
  const made: { readonly wanted: RuleModel; readonly priority: number }[] = [];
  for (const [index, wanted] of model.rules.entries()) {
    const actual = left.get(conditionsText(wanted.conditions, wanted.transforms))?.shift();
    const priority = index + 1;
    if (actual === undefined) made.push({ wanted, priority });
    else kept.push({ actual, wanted, priority });
  }
  const stale = [...left.values()].flat();
  const changed = kept.filter(({ actual, wanted }) => !sameActions(actual, wanted, arnOf));
  const creates = made.map(({ wanted, priority }): Step => ({
    do: "createRule",
    port: model.port,
    priority,
    rule: wanted,
  }));
  const deletes = stale.map(({ arn }): Step => ({ do: "deleteRule", arn }));
  const roomForBoth = kept.length + stale.length + made.length <= MOST_RULES;
  return [
    ...changed.map(({ actual, wanted }): Step => ({
      do: "modifyRule",
      arn: actual.arn,
      rule: { actions: wanted.actions },
    })),
    ...(roomForBoth ? [] : deletes),
    ...priorities(kept, roomForBoth ? stale : [], made.length > 0),
    ...creates,
    ...(roomForBoth ? deletes : []),
  ];
}

/** All at once, since two rules may change places. Those that are to go only make way for others. */
function priorities(
  kept: readonly { readonly actual: AwsRule; readonly priority: number }[],
  stale: readonly AwsRule[],
  makeWay: boolean,
): readonly Step[] {
  const moved = kept
    .filter(({ actual, priority }) => actual.priority !== priority)
    .map(({ actual, priority }) => ({ arn: actual.arn, priority }));
  if (moved.length === 0 && !makeWay) return [];
  const aside = stale
    .map(({ arn, priority }, index) => ({ arn, priority: ASIDE + index, from: priority }))
    .filter(({ from, priority }) => from !== priority)
    .map(({ arn, priority }) => ({ arn, priority }));
  const all = [...moved, ...aside];
  return all.length === 0 ? [] : [{ do: "setRulePriorities", priorities: all }];
}

function sameActions(actual: AwsRule, wanted: RuleModel, arnOf: (group: string) => string | undefined): boolean {
  const groups = wanted.actions.flatMap((action) => (action.kind === "forward" ? action.groups : []));
  if (groups.some(({ id }) => arnOf(id) === undefined)) return false;
  const actions = wanted.actions.map((action) => awsAction(action, arnOf));
  return within(actions, actual.shape.Actions ?? []);
}
