import type { Random } from "@gatewright/ports";
import type { NodeSubresources } from "../nodes/node-subresources.ts";
import type { ActionSubresource, Resource } from "../resources/resource.ts";
import type { MatchConditionErrors } from "./admission-rule-validation.ts";
import { configMaps } from "./config-map.ts";
import { controllerRevisions } from "./controller-revision.ts";
import { cronJobs } from "./cron-job.ts";
import { daemonSets } from "./daemon-set.ts";
import { deployments } from "./deployment.ts";
import { endpointSlices } from "./endpoint-slice.ts";
import { endpoints } from "./endpoints.ts";
import { events } from "./event.ts";
import { horizontalPodAutoscalers } from "./horizontal-pod-autoscaler.ts";
import { ingressClasses } from "./ingress-class.ts";
import { ingresses } from "./ingress.ts";
import { jobs } from "./job.ts";
import { leases } from "./lease.ts";
import { limitRanges } from "./limit-range.ts";
import { namespaces } from "./namespace.ts";
import { networkPolicies } from "./network-policy.ts";
import { nodes } from "./node.ts";
import { persistentVolumeClaims } from "./persistent-volume-claim.ts";
import { persistentVolumes } from "./persistent-volume.ts";
import { podDisruptionBudgets } from "./pod-disruption-budget.ts";
import { podTemplates } from "./pod-template.ts";
import { pods } from "./pod.ts";
import { priorityClasses } from "./priority-class.ts";
import { roleBindings, roles } from "./rbac.ts";
import type { RbacGuard } from "./rbac.ts";
import { replicaSets } from "./replica-set.ts";
import { replicationControllers } from "./replication-controller.ts";
import { resourceQuotas } from "./resource-quota.ts";
import { secrets } from "./secret.ts";
import { serviceAccounts } from "./service-account.ts";
import { defaultServiceRange, ServiceAllocator } from "./service-allocator.ts";
import type { ServiceRange } from "./service-allocator.ts";
import { services } from "./service.ts";
import { statefulSets } from "./stateful-set.ts";
import { storageClasses } from "./storage-class.ts";
import { validatingAdmissionPolicyBindings } from "./validating-admission-policy-binding.ts";
import { validatingAdmissionPolicies } from "./validating-admission-policy.ts";
import type { PolicyExpressionErrors } from "./validating-admission-policy.ts";
import { webhookConfigurations } from "./webhook-configuration.ts";

/** What the built-in kinds need from other rooms. What is left out is not checked, or not served. */
export interface BuiltinDeps {
  /** For cluster IPs and node ports. */
  readonly random: Random;
  /** Where Services get their addresses from; 10.0.0.0/16 and ports 30000-32767 by default. */
  readonly serviceRange?: ServiceRange;
  /** `serviceaccounts/token`: answers TokenRequests. */
  readonly token?: ActionSubresource;
  /** `pods/log`, `services/proxy` and their like, where something runs pods. */
  readonly nodes?: NodeSubresources;
  /** Whether the writer of a role or a binding may grant what it grants. */
  readonly rbacGuard?: RbacGuard;
  /** Errors of the expressions of a ValidatingAdmissionPolicy. */
  readonly policyExpressions?: PolicyExpressionErrors;
  /** Errors of the expressions of match conditions of webhooks. */
  readonly matchConditions?: MatchConditionErrors;
}

export type { ServiceRange } from "./service-allocator.ts";

/** All built-in kinds but CustomResourceDefinition and the reviews, in the order in which discovery tells them. */
export function builtinResources(deps: BuiltinDeps): Resource[] {
  const allocator = new ServiceAllocator(deps.random, deps.serviceRange ?? defaultServiceRange);
  return [
    configMaps(),
    endpoints(),
    events(""),
    limitRanges(deps.random),
    namespaces(),
    nodes(),
    persistentVolumeClaims(),
    persistentVolumes(),
    pods(deps.nodes?.pods),
    podTemplates(),
    replicationControllers(),
    resourceQuotas(),
    secrets(),
    serviceAccounts(deps.token),
    services(allocator, deps.nodes?.services),
    controllerRevisions(),
    daemonSets(),
    deployments(),
    replicaSets(),
    statefulSets(),
    events("events.k8s.io"),
    horizontalPodAutoscalers(),
    cronJobs(),
    jobs(),
    ingressClasses(),
    ingresses(),
    networkPolicies(),
    podDisruptionBudgets(),
    roleBindings("ClusterRoleBinding", deps.rbacGuard),
    roles("ClusterRole", deps.rbacGuard),
    roleBindings("RoleBinding", deps.rbacGuard),
    roles("Role", deps.rbacGuard),
    storageClasses(),
    webhookConfigurations("MutatingWebhookConfiguration", deps.matchConditions),
    validatingAdmissionPolicies(deps.policyExpressions),
    validatingAdmissionPolicyBindings(),
    webhookConfigurations("ValidatingWebhookConfiguration", deps.matchConditions),
    priorityClasses(),
    leases(),
    endpointSlices(),
  ];
}
