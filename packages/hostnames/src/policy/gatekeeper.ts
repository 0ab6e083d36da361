import type { JsonObject } from "@gatewright/kube";
import { DomainClaim, HostnameGrant } from "@gatewright/resources";
import { HOSTNAMES_REGO, OPERATOR_REGO } from "./rego.ts";
import type { PolicySettings } from "./policy-settings.ts";

const texts = { type: "array", items: { type: "string" } };
const WRITERS = { type: "object", properties: { users: texts, groups: texts } };

/**
 * The same as constraints of Gatekeeper. Its webhook must fail closed (`--set validatingWebhookFailurePolicy=Fail`), which it does not
 * unless told to; deletions and the status of claims it sees only where it is told to, otherwise they are RBAC's matter.
 */
export function gatekeeperPolicies({ edgeNamespace, scope, writers }: PolicySettings): readonly JsonObject[] {
  const who = { users: [...writers.users], groups: [...writers.groups] };
  const { group, version, kind } = HostnameGrant;
  const gatewayKinds = [
    {
      apiGroups: ["gateway.networking.k8s.io"],
      kinds: ["Gateway", "GRPCRoute", "HTTPRoute", "ListenerSet", "TLSRoute"],
    },
    { apiGroups: ["gateway.networking.x-k8s.io"], kinds: ["XListenerSet"] },
  ];
  return [
    {
      apiVersion: "syncset.gatekeeper.sh/v1alpha1",
      kind: "SyncSet",
      metadata: { name: "gatewright-hostname-grants" },
      spec: { gvks: [{ group, version, kind }] },
    },
    template(
      "GatewrightHostnames",
      { edgeNamespace: { type: "string" }, scope: { type: "string", enum: ["pool", "all"] }, writers: WRITERS },
      HOSTNAMES_REGO,
    ),
    template("GatewrightOperatorOnly", { writers: WRITERS }, OPERATOR_REGO),
    constraint("GatewrightHostnames", gatewayKinds, { edgeNamespace, scope, writers: who }),
    constraint("GatewrightOperatorOnly", [{ apiGroups: [group], kinds: [DomainClaim.kind, kind] }], { writers: who }),
  ];
}

function template(kind: string, properties: JsonObject, rego: string): JsonObject {
  return {
    apiVersion: "templates.gatekeeper.sh/v1",
    kind: "ConstraintTemplate",
    metadata: { name: kind.toLowerCase() },
    spec: {
      crd: { spec: { names: { kind }, validation: { openAPIV3Schema: { type: "object", properties } } } },
      targets: [{ target: "admission.k8s.gatekeeper.sh", rego }],
    },
  };
}

function constraint(kind: string, kinds: JsonObject[], parameters: JsonObject): JsonObject {
  return {
    apiVersion: "constraints.gatekeeper.sh/v1beta1",
    kind,
    metadata: { name: kind.toLowerCase() },
    spec: { enforcementAction: "deny", match: { kinds }, parameters },
  };
}
