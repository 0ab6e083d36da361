import type { ApiObject, PolicyRule } from "@gatewright/kube";
import { authorization, core } from "@gatewright/kube/api";
import { isNotFound } from "@gatewright/runtime";
import { installation } from "../install/installation.ts";
import type { InstallSettings } from "../install/install-settings.ts";
import { operatorRoles, rolesIn } from "../install/rbac.ts";
import type { ClusterView } from "./cluster-view.ts";
import { fail, ok, warn } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** One thing that somebody may do or not. */
interface Right {
  readonly verb: string;
  readonly group: string;
  /** With its subresource. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Reviews at once. */
const WIDTH = 8;
/** Rights that are told by name; of more only their number. */
const MOST_TOLD = 5;

/** Plural names of what is applied at an installation. */
const PLURALS: ReadonlyMap<string, string> = new Map([
  ["CustomResourceDefinition", "customresourcedefinitions"],
  ["ClusterRole", "clusterroles"],
  ["ClusterRoleBinding", "clusterrolebindings"],
  ["Role", "roles"],
  ["RoleBinding", "rolebindings"],
  ["Namespace", "namespaces"],
  ["ServiceAccount", "serviceaccounts"],
  ["ValidatingAdmissionPolicy", "validatingadmissionpolicies"],
  ["ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"],
  ["ValidatingWebhookConfiguration", "validatingwebhookconfigurations"],
  ["GatewayClass", "gatewayclasses"],
  ["IngressClass", "ingressclasses"],
]);

/** Whether who asks may apply what `gatewright manifests` prints. */
export async function installersRights(cluster: ClusterView, settings: InstallSettings): Promise<readonly Finding[]> {
  const check = "your rights";
  const rights = new Map(
    Object.values(installation(settings))
      .flat()
      .flatMap(toApply)
      .map((right) => [told(right), right]),
  );
  const refused = await refusedOf([...rights.values()], (right) => mayI(cluster, right));
  if (refused.length > 0)
    return [fail(check, `you may not ${list(refused)}`, "Have somebody install it who may: a cluster administrator.")];
  const group = "rbac.authorization.k8s.io";
  const escalates = await mayI(cluster, { verb: "escalate", group, resource: "clusterroles" });
  return [
    escalates
      ? ok(check, "you may apply all that is needed")
      : warn(
          check,
          "you may apply all that is needed, but not give rights that you do not have",
          "Unless you have all rights of the operator yourself, the API server refuses its roles.",
        ),
  ];
}

function toApply({ apiVersion, kind, metadata: { namespace } }: ApiObject): readonly Right[] {
  const [group = "", version] = apiVersion.split("/");
  const resource = PLURALS.get(kind) ?? `${kind.toLowerCase()}s`;
  return ["create", "patch"].map((verb) => ({
    verb,
    group: version === undefined ? "" : group,
    resource,
    ...(namespace !== undefined && { namespace }),
  }));
}

/** Whether the operator's service account has all rights that the parts declare. */
export async function operatorsRights(cluster: ClusterView, settings: InstallSettings): Promise<readonly Finding[]> {
  const check = "the operator's rights";
  const { namespace, account } = settings;
  const user = `system:serviceaccount:${namespace}:${account}`;
  const remedy = `gatewright manifests --only rbac --parts ${settings.parts.join(",")} | kubectl apply --server-side -f -`;
  try {
    await cluster.client.for(core.ServiceAccount).get({ namespace, name: account }, { signal: cluster.signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return [warn(check, `there is no service account ${namespace}/${account} yet`, remedy)];
  }
  const rights = rolesIn(operatorRoles(settings)).flatMap(({ metadata, rules = [] }) =>
    (rules as readonly PolicyRule[]).flatMap((rule) => rightsOf(rule, metadata.namespace)),
  );
  const groups = ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"];
  const refused = await refusedOf(rights, (right) => may(cluster, { user, groups }, right));
  return [
    refused.length === 0
      ? ok(check, `${user} has all ${rights.length}`)
      : fail(check, `${user} may not ${list(refused)}`, remedy),
  ];
}

function rightsOf(rule: PolicyRule, namespace: string | undefined): readonly Right[] {
  const { apiGroups = [], resources = [], verbs, resourceNames = [undefined] } = rule;
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      resourceNames.flatMap((name) =>
        verbs.map((verb) => ({
          verb,
          group,
          resource,
          ...(namespace !== undefined && { namespace }),
          ...(name !== undefined && { name }),
        })),
      ),
    ),
  );
}

async function mayI(cluster: ClusterView, right: Right): Promise<boolean> {
  const { status } = await cluster.client
    .for(authorization.SelfSubjectAccessReview)
    .create({ metadata: {}, spec: { resourceAttributes: attributesOf(right) } }, { signal: cluster.signal });
  return status?.allowed === true;
}

async function may(
  cluster: ClusterView,
  who: { readonly user: string; readonly groups: readonly string[] },
  right: Right,
): Promise<boolean> {
  const { status } = await cluster.client
    .for(authorization.SubjectAccessReview)
    .create({ metadata: {}, spec: { ...who, resourceAttributes: attributesOf(right) } }, { signal: cluster.signal });
  return status?.allowed === true;
}

function attributesOf({ verb, group, resource: path, namespace, name }: Right): authorization.ResourceAttributes {
  const [resource, subresource] = path.split("/", 2);
  return {
    verb,
    group,
    ...(resource !== undefined && { resource }),
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

/** A few at a time: it is an API server that is asked, not a mailbox. */
async function refusedOf(rights: readonly Right[], ask: (right: Right) => Promise<boolean>): Promise<readonly Right[]> {
  const refused: Right[] = [];
  const left = rights.values();
  const worker = async (): Promise<void> => {
    for (const right of left) if (!(await ask(right))) refused.push(right);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
  return refused;
}

function list(rights: readonly Right[]): string {
  const words = rights.slice(0, MOST_TOLD).map(told);
  return rights.length > MOST_TOLD ? `${words.join(", ")} and ${rights.length - MOST_TOLD} more` : words.join(", ");
}

function told({ verb, group, resource, namespace, name }: Right): string {
  const kind = group === "" ? resource : `${resource}.${group}`;
  return `${verb} ${kind}${name === undefined ? "" : ` ${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
