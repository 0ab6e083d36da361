import type { Operations, Rule } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { checkedActions, groupsIn } from "./actions.ts";
import { listenerOfRule, rulePrefix } from "./arn.ts";
import { checkedConditions } from "./conditions.ts";
import type { Ground } from "./ground.ts";
import { newId } from "./id.ts";
import { page } from "./page.ts";
import type { RuleRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import type { ElbStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";
import { holdGroupLimits } from "./usage.ts";

type Names = "CreateRule" | "DescribeRules" | "ModifyRule" | "DeleteRule" | "SetRulePriorities";

/** Makes, tells, changes, orders and removes rules. */
export function ruleOperations(ground: Ground): Handlers<Pick<Operations, Names>> {
  const { store, world, quotas } = ground;
  return {
    async CreateRule(input, context) {
      const listener = store.listener(context, input.ListenerArn);
      const loadBalancer = store.loadBalancer(context, listener.loadBalancer);
      if (loadBalancer.type !== "application") throw invalid("Rules can be made for application load balancers only");
      refuseTransforms(input.Transforms);
      checkPriority(input.Priority);
      const rules = store.rulesOf(listener.arn);
      if (rules.some(({ priority }) => priority === input.Priority)) throw inUse(input.Priority);
      const conditions = checkedConditions(input.Conditions, quotas);
      const actions = checkedActions(ground, context, { loadBalancer, protocol: listener.protocol }, input.Actions);
      quotas.hold(
        "rules-per-application-load-balancer",
        countRules(store, loadBalancer.arn) + 1,
        "TooManyRules",
        `The maximum number of rules has been reached on load balancer '${loadBalancer.arn}'`,
      );
      holdGroupLimits(ground, context, loadBalancer, groupsIn(actions));
      const tags = withTags([], input.Tags ?? []);
      const arn = `${rulePrefix(listener.arn)}${newId(world.random)}`;
      const record: RuleRecord = { arn, listener: listener.arn, priority: input.Priority, conditions, actions };
      await store.commit((commit) => {
        commit.put(store.rules, arn, record);
        if (tags.length > 0) commit.put(store.tags, arn, tags);
      });
      return { Rules: [ruleShape(record)] };
    },

    DescribeRules(input, context) {
      const { ListenerArn: listener, RuleArns: arns } = input;
      if ((listener === undefined) === (arns === undefined)) {
        throw invalid("You must specify either a listener ARN or rule ARNs, and not both");
      }
      const found =
        listener === undefined
          ? [...new Set(arns)].map((arn) => store.rule(context, arn))
          : store.rulesOf(store.listener(context, listener).arn);
      const { items, nextMarker } = page(found, orderKey, input);
      return { Rules: items.map(ruleShape), ...(nextMarker !== undefined && { NextMarker: nextMarker }) };
    },

    async ModifyRule(input, context) {
      const before = store.rule(context, input.RuleArn);
      if (before.priority === "default") {
        throw new AwsError("OperationNotPermitted", `Default rule '${before.arn}' cannot be modified`);
      }
      refuseTransforms(input.Transforms);
      if (input.Conditions === undefined && input.Actions === undefined && input.ResetTransforms === undefined) {
        throw invalid("Either conditions or actions must be specified");
      }
      const listener = store.listener(context, before.listener);
      const loadBalancer = store.loadBalancer(context, listener.loadBalancer);
      const record = {
        ...before,
        ...(input.Conditions !== undefined && { conditions: checkedConditions(input.Conditions, quotas) }),
        ...(input.Actions !== undefined && {
          actions: checkedActions(ground, context, { loadBalancer, protocol: listener.protocol }, input.Actions),
        }),
      };
      if (input.Actions !== undefined) holdGroupLimits(ground, context, loadBalancer, groupsIn(record.actions));
      await store.commit((commit) => commit.put(store.rules, record.arn, record));
      return { Rules: [ruleShape(record)] };
    },

    async DeleteRule(input, context) {
      const record = store.rule(context, input.RuleArn);
      if (record.priority === "default") {
        throw new AwsError("OperationNotPermitted", `Default rule '${record.arn}' cannot be deleted`);
      }
      await store.commit((commit) => {
        commit.delete(store.rules, record.arn);
        commit.delete(store.tags, record.arn);
      });
      return {};
    },

    /** All or none, and judged by how things are afterwards: two rules can change places. */
    async SetRulePriorities(input, context) {
      const moved = input.RulePriorities.map(({ RuleArn: arn = "", Priority: priority = 0 }) => {
        const record = store.rule(context, arn);
        checkPriority(priority);
        if (record.priority === "default") {
          throw new AwsError("OperationNotPermitted", `The priority of default rule '${arn}' cannot be set`);
        }
        return { ...record, priority };
      });
      if (moved.length === 0) throw invalid("Rule priorities must be specified");
      const arns = new Set(moved.map(({ arn }) => arn));
      if (arns.size < moved.length) throw invalid("A rule was specified more than once");
      const listeners = new Set(moved.map(({ arn }) => listenerOfRule(arn)));
      if (listeners.size > 1) throw invalid("All rules must belong to the same listener");
      const [listener = ""] = listeners;
      const taken = new Set<number | "default">();
      for (const rule of [...store.rulesOf(listener).filter(({ arn }) => !arns.has(arn)), ...moved]) {
        if (taken.has(rule.priority)) throw inUse(rule.priority);
        taken.add(rule.priority);
      }
      await store.commit((commit) => {
        for (const rule of moved) commit.put(store.rules, rule.arn, rule);
      });
      return { Rules: moved.map(ruleShape) };
    },
  };
}

function inUse(priority: number | "default"): AwsError {
  return new AwsError("PriorityInUse", `Priority '${priority}' is currently in use`);
}

function checkPriority(priority: number): void {
  if (!Number.isInteger(priority) || priority < 1 || priority > 50_000) {
    throw invalid(
      `1 validation error detected: Value '${priority}' at 'priority' failed to satisfy constraint: Member must have value ${priority < 1 ? "greater than or equal to 1" : "less than or equal to 50000"}`,
    );
  }
}

function refuseTransforms(transforms: readonly unknown[] | undefined): void {
  if (transforms !== undefined && transforms.length > 0) throw invalid("Transforms are not supported here");
}

function countRules(store: ElbStore, loadBalancer: string): number {
  return store
    .listenersOf(loadBalancer)
    .reduce((sum, { arn }) => sum + store.rulesOf(arn).filter(({ priority }) => priority !== "default").length, 0);
}

function orderKey({ priority, arn }: RuleRecord): string {
  return `${priority === "default" ? "default" : String(priority).padStart(5, "0")}|${arn}`;
}

function ruleShape(record: RuleRecord): Rule {
  return {
    RuleArn: record.arn,
    Priority: String(record.priority),
    Conditions: record.conditions,
    Actions: record.actions,
    IsDefault: record.priority === "default",
  };
}
