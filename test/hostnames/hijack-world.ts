import { admissionregistration, core, rbac } from "@gatewright/kube/api";
import { DEFAULT_POLICY_SETTINGS, admissionPolicies } from "@gatewright/hostnames";
import type { PolicySettings } from "@gatewright/hostnames";
import type { ApiObject, Resource } from "@gatewright/kube";
import { HostnameGrant } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";

/** Who acts in the stories. Tenants have every right that RBAC can give: what stops them is admission. */
export interface Actors {
  readonly admin: Client;
  readonly operator: Client;
  readonly tenant: Client;
}

/** Our kinds do not have it: upstream's manifests, or a test, bring it. */
export const TLSRoute: Resource<ApiObject> = {
  group: "gateway.networking.k8s.io",
  version: "v1",
  kind: "TLSRoute",
  plural: "tlsroutes",
  namespaced: true,
};

const { group, kind, plural, version } = TLSRoute;
/** Its definition, where upstream's is not there: it takes anything. */
export const TLS_ROUTES = {
  metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, a test" } },
  spec: {
    group,
    names: { kind, plural },
    scope: "Namespaced" as const,
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

type AnyObject = ApiObject & { spec?: object };

/** A kind whose objects are written as manifests are, without what the server fills in. */
export const anyKind = (
  resource: Pick<Resource, "group" | "version" | "kind" | "plural" | "namespaced">,
): Resource<AnyObject> => resource;

const TENANTS = "hijack-tenants";

/** As many hostnames as a grant can have. */
export const WIDE: readonly string[] = Array.from({ length: 10_000 }, (_, index) => `host-${index}.wide.example.com`);

/** Names of this run: real clusters are shared. */
export const POLICY_SETTINGS: PolicySettings = { ...DEFAULT_POLICY_SETTINGS, edgeNamespace: "hijack-edge" };

/** The views of an admin's client. */
export function actorsOf(admin: Client): Actors {
  const [operator = ""] = POLICY_SETTINGS.writers.users;
  return {
    admin,
    operator: admin.with({ impersonate: { user: operator, groups: ["system:serviceaccounts", TENANTS] } }),
    tenant: admin.with({ impersonate: { user: "mallory", groups: ["system:authenticated", TENANTS] } }),
  };
}

/** Puts policies in force, with a team that has hostnames and one that has none. CRDs are there before. */
export async function setStage({ admin, operator }: Actors, scope: PolicySettings["scope"] = "pool"): Promise<void> {
  const { policies, bindings } = admissionPolicies({ ...POLICY_SETTINGS, scope });
  await admin.for(rbac.ClusterRoleBinding).create({
    metadata: { name: TENANTS },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: TENANTS }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
  });
  const granted = { "gateway.opendi.com/hostnames": "granted" };
  for (const [name, labels] of [
    [POLICY_SETTINGS.edgeNamespace, {}],
    ["hijack-shop", granted],
    ["hijack-none", {}],
    ["hijack-forged", granted],
    ["hijack-wide", granted],
  ] as const) {
    await admin.for(core.Namespace).create({ metadata: { name, labels } });
  }
  await operator.for(HostnameGrant).create({
    metadata: { name: "hostnames", namespace: "hijack-shop" },
    spec: { namespace: "hijack-shop", hostnames: ["shop.example.com", "*.apps.example.com"] },
  });
  await operator.for(HostnameGrant).create({
    metadata: { name: "hostnames", namespace: "hijack-wide" },
    spec: { namespace: "hijack-wide", hostnames: WIDE },
  });
  for (const policy of policies) await admin.for(admissionregistration.ValidatingAdmissionPolicy).create(policy);
  for (const binding of bindings) {
    await admin.for(admissionregistration.ValidatingAdmissionPolicyBinding).create(binding);
  }
}

/** Leaves a shared cluster as it was. */
export async function clearStage({ admin }: Actors): Promise<void> {
  const { policies, bindings } = admissionPolicies(POLICY_SETTINGS);
  const names = (objects: readonly ApiObject[]) => objects.map(({ metadata: { name = "" } }) => ({ name }));
  for (const ref of names(bindings))
    await admin.for(admissionregistration.ValidatingAdmissionPolicyBinding).delete(ref);
  for (const ref of names(policies)) await admin.for(admissionregistration.ValidatingAdmissionPolicy).delete(ref);
  for (const name of [POLICY_SETTINGS.edgeNamespace, "hijack-shop", "hijack-none", "hijack-forged", "hijack-wide"]) {
    await admin.for(core.Namespace).delete({ name });
  }
  await admin.for(rbac.ClusterRoleBinding).delete({ name: TENANTS });
}
