import type {
  DescribeAccountLimitsInput,
  DescribeListenerCertificatesInput,
  DescribeListenersInput,
  DescribeLoadBalancersInput,
  DescribeRulesInput,
  DescribeTargetGroupsInput,
  Operations,
} from "@gatewright/aws-wire/types/elbv2";
import type { Caller } from "../caller.ts";
import { pages } from "../pages.ts";
import { serviceCalls } from "../service-calls.ts";
import type { CallOptions } from "../service-calls.ts";

const REPEATABLE = [
  "AddListenerCertificates",
  "AddTags",
  "DeleteListener",
  "DeleteLoadBalancer",
  "DeleteRule",
  "DeleteTargetGroup",
  "DeregisterTargets",
  "DescribeAccountLimits",
  "DescribeListenerAttributes",
  "DescribeListenerCertificates",
  "DescribeListeners",
  "DescribeLoadBalancerAttributes",
  "DescribeLoadBalancers",
  "DescribeRules",
  "DescribeTags",
  "DescribeTargetGroupAttributes",
  "DescribeTargetGroups",
  "DescribeTargetHealth",
  "ModifyListener",
  "ModifyListenerAttributes",
  "ModifyLoadBalancerAttributes",
  "ModifyRule",
  "ModifyTargetGroup",
  "ModifyTargetGroupAttributes",
  "RegisterTargets",
  "RemoveListenerCertificates",
  "RemoveTags",
  "SetIpAddressType",
  "SetRulePriorities",
  "SetSecurityGroups",
  "SetSubnets",
] as const;
const ONCE = ["CreateListener", "CreateLoadBalancer", "CreateRule", "CreateTargetGroup"] as const;

type Marked = { readonly Marker?: string | undefined };
const follow = <Input extends Marked>(input: Input, Marker: string): Input => ({ ...input, Marker });
const next = ({ NextMarker }: { readonly NextMarker?: string | undefined }): string | undefined => NextMarker;

/** Elastic Load Balancing, version 2: each operation as a function, and its listings whole. */
export function elbv2Calls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  const calls = serviceCalls<Operations, Name>(call, "elbv2", { repeatable: REPEATABLE, once: ONCE });
  return {
    ...calls,
    allAccountLimits: (input: DescribeAccountLimitsInput, options?: CallOptions) =>
      pages({ list: calls.describeAccountLimits, items: (page) => page.Limits, next, follow }, input, options),
    allLoadBalancers: (input: DescribeLoadBalancersInput, options?: CallOptions) =>
      pages({ list: calls.describeLoadBalancers, items: (page) => page.LoadBalancers, next, follow }, input, options),
    allListeners: (input: DescribeListenersInput, options?: CallOptions) =>
      pages({ list: calls.describeListeners, items: (page) => page.Listeners, next, follow }, input, options),
    allListenerCertificates: (input: DescribeListenerCertificatesInput, options?: CallOptions) =>
      pages(
        { list: calls.describeListenerCertificates, items: (page) => page.Certificates, next, follow },
        input,
        options,
      ),
    allRules: (input: DescribeRulesInput, options?: CallOptions) =>
      pages({ list: calls.describeRules, items: (page) => page.Rules, next, follow }, input, options),
    allTargetGroups: (input: DescribeTargetGroupsInput, options?: CallOptions) =>
      pages({ list: calls.describeTargetGroups, items: (page) => page.TargetGroups, next, follow }, input, options),
  };
}

/** {@inheritDoc elbv2Calls} */
export type Elbv2Calls = ReturnType<typeof elbv2Calls>;
