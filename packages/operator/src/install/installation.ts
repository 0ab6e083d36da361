import { admissionPolicies, DEFAULT_POLICY_SETTINGS } from "@gatewright/hostnames";
import type { ApiObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { webhookManifest } from "@gatewright/routing";
import type { InstallSettings } from "./install-settings.ts";
import { kindsOfPart } from "./kinds-of-part.ts";
import { bindingsOf, operatorRoles, rolesIn } from "./rbac.ts";

/** What is applied to a cluster, in the order in which each finds what it needs. */
export const SECTIONS = ["namespaces", "crds", "rbac", "policy", "webhook", "classes"] as const;

export type Section = (typeof SECTIONS)[number];

/** What requests for hostnames name unless they say otherwise. */
const GATEWAY_CLASS = "aws-alb";

/** The objects that a cluster needs before the operator runs there, for the parts chosen. Pure. */
export function installation(settings: InstallSettings): Readonly<Record<Section, readonly ApiObject[]>> {
  const { parts, namespace, account, edgeNamespace, gatewayNamespaces, ingressClass } = settings;
  const runs = (part: InstallSettings["parts"][number]): boolean => parts.includes(part);
  const roles = operatorRoles(settings);
  const namespaces = new Set([
    namespace,
    ...(runs("hostnames") ? [edgeNamespace] : []),
    ...(runs("routing") ? gatewayNamespaces : []),
  ]);
  return {
    namespaces: Array.from(namespaces, (name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    crds: parts.flatMap((part) => kindsOfPart(part).map((kind) => crdOf(kind) as ApiObject)),
    rbac: [
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: account } },
      ...rolesIn(roles),
      ...bindingsOf(roles, settings),
    ],
    policy: runs("hostnames") ? policiesOf(settings) : [],
    webhook: runs("routing") ? webhookOf(settings) : [],
    classes: [
      ...(runs("hostnames") ? [gatewayClass()] : []),
      ...(runs("routing") && ingressClass !== undefined ? [ingressClassOf(ingressClass)] : []),
    ],
  };
}

function policiesOf({ namespace, account, edgeNamespace, policyScope: scope }: InstallSettings): readonly ApiObject[] {
  const writers = { ...DEFAULT_POLICY_SETTINGS.writers, users: [`system:serviceaccount:${namespace}:${account}`] };
  const { policies, bindings } = admissionPolicies({ edgeNamespace, scope, writers });
  return [...policies, ...bindings];
}

function webhookOf(settings: InstallSettings): readonly ApiObject[] {
  const { namespace, service, webhookConfiguration: name, ingressClass } = settings;
  if (name === undefined) return [];
  const ingresses = ingressClass === undefined ? undefined : { className: ingressClass, isDefault: false };
  const endpoint = { service: { namespace, name: service } };
  return [webhookManifest({ name, endpoint, labels: { "avapigw.io/webhook-config": "true" } }, ingresses)];
}

function gatewayClass(): ApiObject {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GatewayClass",
    metadata: { name: GATEWAY_CLASS },
    spec: { controllerName: "gateway.k8s.aws/alb" },
  } as ApiObject;
}

function ingressClassOf(name: string): ApiObject {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    metadata: { name },
    spec: { controller: "avapigw.io/ingress-controller" },
  } as ApiObject;
}
