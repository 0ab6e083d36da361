import type { Listener, Operations } from "@gatewright/aws-wire/types/elbv2";
import type { Handlers } from "../service.ts";
import { checkedActions, groupsIn } from "./actions.ts";
import { listenerPrefix, rulePrefix } from "./arn.ts";
import type { Ground } from "./ground.ts";
import { newId } from "./id.ts";
import { removeListener } from "./listener-removal.ts";
import { changedListener } from "./listener-settings.ts";
import { page } from "./page.ts";
import type { ListenerRecord, RuleRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import type { ElbStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";
import { holdGroupLimits } from "./usage.ts";

type Names = "CreateListener" | "DescribeListeners" | "ModifyListener" | "DeleteListener";

/** Makes, tells, changes and removes listeners. Each has a default rule from the start. */
export function listenerOperations(ground: Ground): Handlers<Pick<Operations, Names>> {
  const { store, world, quotas } = ground;
  return {
    async CreateListener(input, context) {
      const loadBalancer = store.loadBalancer(context, input.LoadBalancerArn);
      const arn = `${listenerPrefix(loadBalancer.arn)}${newId(world.random)}`;
      const record = changedListener(
        ground,
        loadBalancer,
        { arn, loadBalancer: loadBalancer.arn, attributes: [] },
        input,
      );
      quotas.hold(
        loadBalancer.type === "application"
          ? "listeners-per-application-load-balancer"
          : "listeners-per-network-load-balancer",
        store.listenersOf(loadBalancer.arn).length + 1,
        "TooManyListeners",
        `The maximum number of listeners has been reached on load balancer '${loadBalancer.arn}'`,
      );
      const actions = checkedActions(
        ground,
        context,
        { loadBalancer, protocol: record.protocol },
        input.DefaultActions,
      );
      holdGroupLimits(ground, context, loadBalancer, groupsIn(actions));
      const tags = withTags([], input.Tags ?? []);
      const rule: RuleRecord = {
        arn: `${rulePrefix(arn)}${newId(world.random)}`,
        listener: arn,
        priority: "default",
        conditions: [],
        actions,
      };
      await store.commit((commit) => {
        commit.put(store.listeners, arn, record);
        commit.put(store.rules, rule.arn, rule);
        if (tags.length > 0) commit.put(store.tags, arn, tags);
      });
      return { Listeners: [listenerShape(store, record)] };
    },

    DescribeListeners(input, context) {
      const { LoadBalancerArn: loadBalancer, ListenerArns: arns } = input;
      if (arns === undefined && loadBalancer === undefined) {
        throw invalid("You must specify either listener ARNs or a load balancer ARN");
      }
      if (arns !== undefined && loadBalancer !== undefined) {
        throw invalid("You cannot specify both listener ARNs and a load balancer ARN");
      }
      const found =
        loadBalancer === undefined
          ? [...new Set(arns)].map((arn) => store.listener(context, arn))
          : store.listenersOf(store.loadBalancer(context, loadBalancer).arn);
      const { items, nextMarker } = page(found, ({ arn }) => arn, input);
      return {
        Listeners: items.map((record) => listenerShape(store, record)),
        ...(nextMarker !== undefined && { NextMarker: nextMarker }),
      };
    },

    async ModifyListener(input, context) {
      const before = store.listener(context, input.ListenerArn);
      const loadBalancer = store.loadBalancer(context, before.loadBalancer);
      const record = changedListener(ground, loadBalancer, before, input);
      const rule = defaultRule(store, before.arn);
      const actions =
        input.DefaultActions === undefined
          ? rule?.actions
          : checkedActions(ground, context, { loadBalancer, protocol: record.protocol }, input.DefaultActions);
      if (input.DefaultActions !== undefined && actions !== undefined) {
        holdGroupLimits(ground, context, loadBalancer, groupsIn(actions));
      }
      await store.commit((commit) => {
        commit.put(store.listeners, record.arn, record);
        if (rule !== undefined && actions !== undefined) commit.put(store.rules, rule.arn, { ...rule, actions });
      });
      return { Listeners: [listenerShape(store, record)] };
    },

    async DeleteListener(input, context) {
      const record = store.listener(context, input.ListenerArn);
      await store.commit((commit) => removeListener(store, commit, record.arn));
      return {};
    },
  };
}

function defaultRule(store: ElbStore, listener: string): RuleRecord | undefined {
  return store.rulesOf(listener).find(({ priority }) => priority === "default");
}

/** A listener as clients see it: of its certificates the default one only. */
function listenerShape(store: ElbStore, record: ListenerRecord): Listener {
  return {
    ListenerArn: record.arn,
    LoadBalancerArn: record.loadBalancer,
    Port: record.port,
    Protocol: record.protocol,
    ...(record.certificate !== undefined && { Certificates: [{ CertificateArn: record.certificate }] }),
    ...(record.sslPolicy !== undefined && { SslPolicy: record.sslPolicy }),
    DefaultActions: defaultRule(store, record.arn)?.actions ?? [],
    ...(record.alpnPolicy !== undefined && { AlpnPolicy: [record.alpnPolicy] }),
    ...(record.mutualAuthentication !== undefined && {
      MutualAuthentication: { Mode: record.mutualAuthentication.mode },
    }),
  };
}
