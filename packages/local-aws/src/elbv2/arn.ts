import { partitionOf } from "../partition.ts";

/** Where resources are: load balancers of one account and region never see those of another. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

/** The parts of ARNs that ELBv2 gives out. All ids are 16 hexadecimal digits. */
export function scopeOf({ account, region }: Place): string {
  return `arn:${partitionOf(region)}:elasticloadbalancing:${region}:${account}:`;
}

/** `app` or `net`: what ARNs call the type of a load balancer. */
export function loadBalancerArn(place: Place, type: string, name: string, id: string): string {
  return `${scopeOf(place)}loadbalancer/${type === "network" ? "net" : "app"}/${name}/${id}`;
}

export function targetGroupArn(place: Place, name: string, id: string): string {
  return `${scopeOf(place)}targetgroup/${name}/${id}`;
}

/** What the ARNs of all listeners of a load balancer begin with. */
export function listenerPrefix(loadBalancer: string): string {
  return `${loadBalancer.replace(":loadbalancer/", ":listener/")}/`;
}

/** What the ARNs of all rules of a listener begin with. */
export function rulePrefix(listener: string): string {
  return `${listener.replace(":listener/", ":listener-rule/")}/`;
}

/** The listener that a rule's ARN names. */
export function listenerOfRule(rule: string): string {
  return rule.slice(0, rule.lastIndexOf("/")).replace(":listener-rule/", ":listener/");
}

/** Account and region that an ARN names; undefined when it is not one of ELBv2. */
export function placeOf(arn: string): Place | undefined {
  const [head, , service, region, account] = arn.split(":", 6);
  if (head !== "arn" || service !== "elasticloadbalancing" || region === undefined || account === undefined) {
    return undefined;
  }
  return { account, region };
}
