import type { elbv2 } from "@gatewright/aws";
import type {
  ActionModel,
  Attributes,
  LoadBalancerModel,
  ListenerModel,
  RuleModel,
  TargetGroupModel,
  Tags,
} from "../model/model.ts";

/** One call to AWS. Steps are done in order, and each is safe to plan anew when those before it were done. */
export type Step =
  | { readonly do: "deleteLoadBalancer"; readonly arn: string }
  | { readonly do: "createLoadBalancer"; readonly model: LoadBalancerModel }
  | { readonly do: "setIpAddressType"; readonly arn: string; readonly ipAddressType: string }
  | { readonly do: "setSecurityGroups"; readonly arn: string; readonly ids: readonly string[] }
  | { readonly do: "setSubnets"; readonly arn: string; readonly ids: readonly string[] }
  | { readonly do: "setLoadBalancerAttributes"; readonly attributes: Attributes }
  | { readonly do: "addTags"; readonly arn: string; readonly tags: Tags }
  | { readonly do: "removeTags"; readonly arn: string; readonly keys: readonly string[] }
  | { readonly do: "createTargetGroup"; readonly group: TargetGroupModel }
  | {
      readonly do: "modifyTargetGroup";
      readonly arn: string;
      readonly change: Omit<elbv2.ModifyTargetGroupInput, "TargetGroupArn">;
    }
  | { readonly do: "setTargetGroupAttributes"; readonly group: string; readonly attributes: Attributes }
  /** Targets are there before the first request is. */
  | { readonly do: "fillTargetGroup"; readonly group: TargetGroupModel }
  | { readonly do: "deleteTargetGroup"; readonly arn: string }
  | { readonly do: "createListener"; readonly listener: ListenerModel }
  | { readonly do: "modifyListener"; readonly arn: string; readonly listener: ListenerModel }
  | { readonly do: "deleteListener"; readonly arn: string }
  | { readonly do: "removeCertificate"; readonly arn: string; readonly certificate: string }
  | { readonly do: "addCertificate"; readonly port: number; readonly certificate: string }
  | { readonly do: "setListenerAttributes"; readonly port: number; readonly attributes: Attributes }
  | {
      readonly do: "setRulePriorities";
      readonly priorities: readonly { readonly arn: string; readonly priority: number }[];
    }
  | { readonly do: "createRule"; readonly port: number; readonly priority: number; readonly rule: RuleModel }
  | { readonly do: "modifyRule"; readonly arn: string; readonly rule: Pick<RuleModel, "actions"> }
  | { readonly do: "deleteRule"; readonly arn: string };

/** An action as AWS takes it. Throws for a target group that was not made, which only a wrong plan can lead to. */
export function awsAction(action: ActionModel, arnOf: (group: string) => string | undefined): elbv2.Action {
  if (action.kind === "other") return action.action;
  const TargetGroups = action.groups.map(({ id, weight }) => {
    const arn = arnOf(id);
    if (arn === undefined) throw new Error(`target group ${id} is not there`);
    return { TargetGroupArn: arn, Weight: weight };
  });
  const { stickySeconds } = action;
  const TargetGroupStickinessConfig =
    stickySeconds === undefined ? { Enabled: false } : { Enabled: true, DurationSeconds: stickySeconds };
  return { Type: "forward", ForwardConfig: { TargetGroups, TargetGroupStickinessConfig } };
}
