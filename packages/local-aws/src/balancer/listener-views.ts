import type { Action } from "@gatewright/aws-wire/types/elbv2";
import { loadBalancerAttribute } from "../elbv2/load-balancer-attributes.ts";
import type { ListenerRecord, LoadBalancerRecord, RuleRecord } from "../elbv2/records.ts";
import type { ElbStore } from "../elbv2/store.ts";
import { compileConditions } from "./rule-match.ts";
import type { RoutedRequest } from "./rule-match.ts";

/** A listener with its rules, ready to route. */
export interface ListenerView {
  readonly listener: ListenerRecord;
  readonly loadBalancer: LoadBalancerRecord;
  /** The first rule by priority that the request meets; the default rule meets all. */
  route(request: RoutedRequest): RuleRecord | undefined;
}

/** Listeners as they are now. Compiled when first asked for after a change. */
export function listenerViews(store: ElbStore): (listener: string) => ListenerView | undefined {
  const views = new Map<string, ListenerView | undefined>();
  let revision = -1;
  return (arn) => {
    if (revision !== store.revision) {
      views.clear();
      ({ revision } = store);
    }
    if (!views.has(arn)) views.set(arn, compile(store, arn));
    return views.get(arn);
  };
}

/** The action that ends a rule: those before it only ask who the client is, which is not asked here. */
export function routingAction(rule: RuleRecord): Action | undefined {
  return rule.actions.at(-1);
}

/** How long a connection of a load balancer may be silent, in milliseconds. */
export function idleTimeout({ loadBalancer }: ListenerView): number {
  return Number(loadBalancerAttribute(loadBalancer, "idle_timeout.timeout_seconds") || "60") * 1000;
}

function compile(store: ElbStore, arn: string): ListenerView | undefined {
  const listener = store.listeners.get(arn);
  const loadBalancer = listener && store.loadBalancers.get(listener.loadBalancer);
  if (listener === undefined || loadBalancer === undefined) return undefined;
  const rules = store.rulesOf(arn).map((rule) => ({ rule, meets: compileConditions(rule.conditions) }));
  return { listener, loadBalancer, route: (request) => rules.find(({ meets }) => meets(request))?.rule };
}
