import type { Commit, Records, State } from "../state/state.ts";
import { listenerPrefix, rulePrefix, scopeOf } from "./arn.ts";
import type { Place } from "./arn.ts";
import type {
  ListenerRecord,
  LoadBalancerRecord,
  RuleRecord,
  Tags,
  TargetGroupRecord,
  TargetRecord,
} from "./records.ts";
import { noListener, noLoadBalancer, noRule, noTargetGroup } from "./refusals.ts";

/** All that ELBv2 remembers, keyed by ARN. The getters refuse what is not of the caller's account and region. */
export class ElbStore {
  readonly loadBalancers: Records<LoadBalancerRecord>;
  readonly listeners: Records<ListenerRecord>;
  readonly rules: Records<RuleRecord>;
  readonly groups: Records<TargetGroupRecord>;
  readonly targets: Records<TargetRecord>;
  readonly tags: Records<Tags>;
  readonly #state: State;
  readonly #watchers = new Set<() => void>();
  #revision = 0;

  constructor(state: State) {
    this.#state = state;
    this.loadBalancers = state.records("elbv2/load-balancers");
    this.listeners = state.records("elbv2/listeners");
    this.rules = state.records("elbv2/rules");
    this.groups = state.records("elbv2/target-groups");
    this.targets = state.records("elbv2/targets");
    this.tags = state.records("elbv2/tags");
  }

  /** Grows with every change: what was derived from the records at one revision holds as long as it is the same. */
  get revision(): number {
    return this.#revision;
  }

  /** Called after each change, once readers see it. Gives back how to stop. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    const durable = this.#state.commit(change);
    this.#revision++;
    for (const changed of this.#watchers) changed();
    return durable;
  }

  loadBalancer(place: Place, arn: string): LoadBalancerRecord {
    const found = arn.startsWith(scopeOf(place)) ? this.loadBalancers.get(arn) : undefined;
    if (found === undefined) throw noLoadBalancer(arn);
    return found;
  }

  listener(place: Place, arn: string): ListenerRecord {
    const found = arn.startsWith(scopeOf(place)) ? this.listeners.get(arn) : undefined;
    if (found === undefined) throw noListener();
    return found;
  }

  rule(place: Place, arn: string): RuleRecord {
    const found = arn.startsWith(scopeOf(place)) ? this.rules.get(arn) : undefined;
    if (found === undefined) throw noRule();
    return found;
  }

  group(place: Place, arn: string): TargetGroupRecord {
    const found = arn.startsWith(scopeOf(place)) ? this.groups.get(arn) : undefined;
    if (found === undefined) throw noTargetGroup();
    return found;
  }

  loadBalancersIn(place: Place): readonly LoadBalancerRecord[] {
    return values(this.loadBalancers.list(`${scopeOf(place)}loadbalancer/`));
  }

  groupsIn(place: Place): readonly TargetGroupRecord[] {
    return values(this.groups.list(`${scopeOf(place)}targetgroup/`));
  }

  listenersOf(loadBalancer: string): readonly ListenerRecord[] {
    return values(this.listeners.list(listenerPrefix(loadBalancer)));
  }

  /** In the order in which they are tried: the default rule is the last. */
  rulesOf(listener: string): readonly RuleRecord[] {
    return values(this.rules.list(rulePrefix(listener))).toSorted((one, other) => rank(one) - rank(other));
  }

  /** Those that drain, or have drained, among them. */
  targetsOf(group: string): readonly TargetRecord[] {
    return values(this.targets.list(`${group}|`));
  }
}

/** The key of a target: a group can have the same id on several ports. */
export function targetKey(group: string, id: string, port: number | undefined): string {
  return `${group}|${id}|${port ?? ""}`;
}

function rank({ priority }: RuleRecord): number {
  return priority === "default" ? Number.POSITIVE_INFINITY : priority;
}

function values<T>(entries: readonly (readonly [string, T])[]): readonly T[] {
  return entries.map(([, value]) => value);
}
