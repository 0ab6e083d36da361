import type { Aws, elbv2 } from "@gatewright/aws";
import type { GatewayModel, Tags } from "../model/model.ts";
import { CLUSTER_TAG, STACK_TAG } from "../model/names.ts";
import type { AwsListener, AwsLoadBalancer, AwsStack, AwsTargetGroup } from "./aws-stack.ts";
import type { TagMemory } from "./tag-memory.ts";

export interface Asked {
  readonly cluster: string;
  readonly stack: string;
  /** Of attributes only those are looked at that it names. Undefined: everything is to go, and details do not matter. */
  readonly model: GatewayModel | undefined;
}

type KeyValues = readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] | undefined;

const NONE: ReadonlyMap<string, string> = new Map();

/** Looks what AWS has for a Gateway. */
export async function observeStack(aws: Aws, tags: TagMemory, asked: Asked, signal: AbortSignal): Promise<AwsStack> {
  const balancers = await all(aws.elbv2.allLoadBalancers({}, { signal }));
  const groups = await all(aws.elbv2.allTargetGroups({}, { signal }));
  const balancerArns = balancers.flatMap(({ LoadBalancerArn }) => LoadBalancerArn ?? []);
  const groupArns = groups.flatMap(({ TargetGroupArn }) => TargetGroupArn ?? []);
  tags.keep("loadbalancer", new Set(balancerArns));
  tags.keep("targetgroup", new Set(groupArns));
  const told = await tags.of([...balancerArns, ...groupArns], signal);
  const mine = (arn: string | undefined): Tags | undefined => {
    const found = told.get(arn ?? "");
    return found?.[CLUSTER_TAG] === asked.cluster && found[STACK_TAG] === asked.stack ? found : undefined;
  };

  const loadBalancers: AwsLoadBalancer[] = [];
  for (const shape of balancers) {
    const [arn, own] = [shape.LoadBalancerArn ?? "", mine(shape.LoadBalancerArn)];
    if (own !== undefined) loadBalancers.push(await loadBalancer(aws, asked.model, shape, arn, own, signal));
  }
  const targetGroups: AwsTargetGroup[] = [];
  for (const shape of groups) {
    const [arn, own] = [shape.TargetGroupArn ?? "", mine(shape.TargetGroupArn)];
    if (own === undefined) continue;
    const wanted = asked.model?.targetGroups.find(({ name }) => name === shape.TargetGroupName);
    const attributes = needs(wanted)
      ? valuesIn((await aws.elbv2.describeTargetGroupAttributes({ TargetGroupArn: arn }, { signal })).Attributes)
      : NONE;
    targetGroups.push({ arn, shape, tags: own, attributes });
  }
  return { loadBalancers, targetGroups };
}

async function loadBalancer(
  aws: Aws,
  model: GatewayModel | undefined,
  shape: elbv2.LoadBalancer,
  arn: string,
  tags: Tags,
  signal: AbortSignal,
): Promise<AwsLoadBalancer> {
  if (model === undefined || model.loadBalancer.name !== shape.LoadBalancerName) {
    return { arn, shape, tags, attributes: NONE, listeners: [] };
  }
  const attributes = needs(model.loadBalancer)
    ? valuesIn((await aws.elbv2.describeLoadBalancerAttributes({ LoadBalancerArn: arn }, { signal })).Attributes)
    : NONE;
  const listeners: AwsListener[] = [];
  for (const each of await all(aws.elbv2.allListeners({ LoadBalancerArn: arn }, { signal }))) {
    listeners.push(await listener(aws, model, each, signal));
  }
  return { arn, shape, tags, attributes, listeners };
}

async function listener(
  aws: Aws,
  model: GatewayModel,
  shape: elbv2.Listener,
  signal: AbortSignal,
): Promise<AwsListener> {
  const ListenerArn = shape.ListenerArn ?? "";
  const secure = shape.Protocol === "HTTPS";
  const certificates = secure ? await all(aws.elbv2.allListenerCertificates({ ListenerArn }, { signal })) : [];
  const rules = await all(aws.elbv2.allRules({ ListenerArn }, { signal }));
  const wanted = model.listeners.find(({ port }) => port === shape.Port);
  return {
    arn: ListenerArn,
    shape,
    extraCertificates: certificates.flatMap(({ CertificateArn, IsDefault }) =>
      IsDefault === true || CertificateArn === undefined ? [] : [CertificateArn],
    ),
    attributes: needs(wanted)
      ? valuesIn((await aws.elbv2.describeListenerAttributes({ ListenerArn }, { signal })).Attributes)
      : NONE,
    rules: rules
      .filter(({ IsDefault }) => IsDefault !== true)
      .map((rule) => ({ arn: rule.RuleArn ?? "", priority: Number(rule.Priority), shape: rule })),
  };
}

function needs(model: { readonly attributes: readonly unknown[] } | undefined): boolean {
  return model !== undefined && model.attributes.length > 0;
}

function valuesIn(attributes: KeyValues): ReadonlyMap<string, string> {
  return new Map((attributes ?? []).map(({ Key = "", Value = "" }) => [Key, Value]));
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
