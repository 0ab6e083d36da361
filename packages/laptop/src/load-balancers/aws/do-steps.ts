import { isAbsent } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import type { ActionModel, Attributes, GatewayModel, ListenerModel, Tags, TargetGroupModel } from "../model/model.ts";
import type { AwsStack } from "./aws-stack.ts";
import { isSame } from "./plan.ts";
import type { Network } from "./plan.ts";
import { awsAction } from "./step.ts";
import type { Step } from "./step.ts";
import type { TagMemory } from "./tag-memory.ts";

/** What steps are done with. */
export interface Workshop {
  readonly aws: Aws;
  readonly tags: TagMemory;
  readonly network: Network;
  /** Registers the targets that a new group should have. */
  readonly fill: (group: TargetGroupModel, arn: string, signal: AbortSignal) => Promise<void>;
}

/** The ARNs of what is there, or was made since. */
export interface Made {
  loadBalancer: string | undefined;
  /** By id. */
  readonly groups: Map<string, string>;
  /** By port. */
  readonly listeners: Map<number, string>;
}

/** The ARNs that are known before the first step. */
export function madeBefore(model: GatewayModel, stack: AwsStack): Made {
  const there = stack.loadBalancers.find((each) => isSame(model.loadBalancer, each));
  const names = new Map(model.targetGroups.map(({ name, id }) => [name, id]));
  return {
    loadBalancer: there?.arn,
    groups: new Map(
      stack.targetGroups.flatMap(({ shape, arn }) => {
        const id = names.get(shape.TargetGroupName ?? "");
        return id === undefined ? [] : [[id, arn]];
      }),
    ),
    listeners: new Map((there?.listeners ?? []).map(({ shape, arn }) => [shape.Port ?? 0, arn])),
  };
}

/** Does the steps one after the other and notes what was made. Stops at the first that fails; what was done stays. */
export async function doSteps(
  workshop: Workshop,
  steps: readonly Step[],
  made: Made,
  signal: AbortSignal,
): Promise<void> {
  for (const step of steps) await doStep(workshop, step, made, signal);
}

async function doStep(workshop: Workshop, step: Step, made: Made, signal: AbortSignal): Promise<void> {
  const { aws, tags, network, fill } = workshop;
  const { elbv2 } = aws;
  const options = { signal };
  switch (step.do) {
    case "deleteLoadBalancer":
      return gone(elbv2.deleteLoadBalancer({ LoadBalancerArn: step.arn }, options));
    case "createLoadBalancer": {
      const { name, scheme, ipAddressType, securityGroups, tags: wanted } = step.model;
      const { LoadBalancers } = await elbv2.createLoadBalancer(
        {
          Name: name,
          Type: "application",
          Scheme: scheme,
          IpAddressType: ipAddressType,
          Subnets: network.subnets,
          ...(securityGroups !== undefined && { SecurityGroups: securityGroups }),
          Tags: awsTags(wanted),
        },
        options,
      );
      made.loadBalancer = LoadBalancers?.[0]?.LoadBalancerArn;
      return;
    }
    case "setIpAddressType":
      await elbv2.setIpAddressType({ LoadBalancerArn: step.arn, IpAddressType: step.ipAddressType }, options);
      return;
    case "setSecurityGroups":
      await elbv2.setSecurityGroups({ LoadBalancerArn: step.arn, SecurityGroups: step.ids }, options);
      return;
    case "setSubnets":
      await elbv2.setSubnets({ LoadBalancerArn: step.arn, Subnets: step.ids }, options);
      return;
    case "setLoadBalancerAttributes": {
      const LoadBalancerArn = known(made.loadBalancer, "the load balancer");
      await elbv2.modifyLoadBalancerAttributes({ LoadBalancerArn, Attributes: awsPairs(step.attributes) }, options);
      return;
    }
    case "addTags":
      tags.forget(step.arn);
      await elbv2.addTags({ ResourceArns: [step.arn], Tags: awsTags(step.tags) }, options);
      return;
    case "removeTags":
      tags.forget(step.arn);
      await elbv2.removeTags({ ResourceArns: [step.arn], TagKeys: step.keys }, options);
      return;
    case "createTargetGroup": {
      const { id, name: Name, settings, tags: wanted } = step.group;
      const { TargetGroups } = await elbv2.createTargetGroup(
        { ...settings, Name, VpcId: network.vpcId, Tags: awsTags(wanted) },
        options,
      );
      made.groups.set(id, known(TargetGroups?.[0]?.TargetGroupArn, `target group ${Name}`));
      return;
    }
    case "modifyTargetGroup":
      await elbv2.modifyTargetGroup({ ...step.change, TargetGroupArn: step.arn }, options);
      return;
    case "setTargetGroupAttributes": {
      const TargetGroupArn = known(made.groups.get(step.group), `target group ${step.group}`);
      await elbv2.modifyTargetGroupAttributes({ TargetGroupArn, Attributes: awsPairs(step.attributes) }, options);
      return;
    }
    case "fillTargetGroup":
      return fill(step.group, known(made.groups.get(step.group.id), `target group ${step.group.id}`), signal);
    case "deleteTargetGroup":
      return gone(elbv2.deleteTargetGroup({ TargetGroupArn: step.arn }, options));
    default:
      return doListenerStep(aws, step, made, signal);
  }
}

type ListenerStep = Extract<
  Step,
  { readonly do: `${string}Listener${string}` | `${string}Certificate` | `${string}Rule${string}` }
>;

async function doListenerStep({ elbv2 }: Aws, step: ListenerStep, made: Made, signal: AbortSignal): Promise<void> {
  const options = { signal };
  const listenerAt = (port: number): string => known(made.listeners.get(port), `the listener of port ${port}`);
  const actionsOf = (actions: readonly ActionModel[]) =>
    actions.map((action) => awsAction(action, (id) => made.groups.get(id)));
  switch (step.do) {
    case "createListener": {
      const LoadBalancerArn = known(made.loadBalancer, "the load balancer");
      const { Listeners } = await elbv2.createListener(
        { LoadBalancerArn, ...listenerInput(step.listener), Tags: awsTags(step.listener.tags) },
        options,
      );
      made.listeners.set(step.listener.port, known(Listeners?.[0]?.ListenerArn, "the listener"));
      return;
    }
    case "modifyListener":
      await elbv2.modifyListener({ ListenerArn: step.arn, ...listenerInput(step.listener) }, options);
      return;
    case "deleteListener":
      return gone(elbv2.deleteListener({ ListenerArn: step.arn }, options));
    case "removeCertificate": {
      const Certificates = [{ CertificateArn: step.certificate }];
      await elbv2.removeListenerCertificates({ ListenerArn: step.arn, Certificates }, options);
      return;
    }
    case "addCertificate": {
      const Certificates = [{ CertificateArn: step.certificate }];
      await elbv2.addListenerCertificates({ ListenerArn: listenerAt(step.port), Certificates }, options);
      return;
    }
    case "setListenerAttributes": {
      const Attributes = awsPairs(step.attributes);
      await elbv2.modifyListenerAttributes({ ListenerArn: listenerAt(step.port), Attributes }, options);
      return;
    }
    case "setRulePriorities": {
      const RulePriorities = step.priorities.map(({ arn, priority }) => ({ RuleArn: arn, Priority: priority }));
      await elbv2.setRulePriorities({ RulePriorities }, options);
      return;
    }
    case "createRule": {
      const { conditions, actions, transforms, tags } = step.rule;
      await elbv2.createRule(
        {
          ListenerArn: listenerAt(step.port),
          Priority: step.priority,
          Conditions: conditions,
          Actions: actionsOf(actions),
          ...(transforms.length > 0 && { Transforms: transforms }),
          Tags: awsTags(tags),
        },
        options,
      );
      return;
    }
    case "modifyRule":
      await elbv2.modifyRule({ RuleArn: step.arn, Actions: actionsOf(step.rule.actions) }, options);
      return;
    case "deleteRule":
      return gone(elbv2.deleteRule({ RuleArn: step.arn }, options));
  }
}

/** Whoever asks for something that no rule wants is told that it is not there. */
const NOT_FOUND = {
  Type: "fixed-response",
  FixedResponseConfig: { StatusCode: "404", ContentType: "text/plain" },
} as const;

function listenerInput({ port, protocol, certificates, sslPolicy, mutualAuthentication }: ListenerModel) {
  const [first] = certificates;
  return {
    Port: port,
    Protocol: protocol,
    DefaultActions: [NOT_FOUND],
    ...(first !== undefined && { Certificates: [{ CertificateArn: first }] }),
    ...(sslPolicy !== undefined && { SslPolicy: sslPolicy }),
    ...(mutualAuthentication !== undefined && { MutualAuthentication: mutualAuthentication }),
  };
}

/** What is deleted already is as good as deleted. */
async function gone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

function known(arn: string | undefined, what: string): string {
  if (arn === undefined) throw new Error(`${what} has no ARN`);
  return arn;
}

function awsTags(tags: Tags) {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

function awsPairs(attributes: Attributes) {
  return attributes.map(([Key, Value]) => ({ Key, Value }));
}
