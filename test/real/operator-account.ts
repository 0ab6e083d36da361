import { readFileSync } from "node:fs";
import type { KubeObject } from "@gatewright/kube";
import { core, rbac } from "@gatewright/kube/api";
import { createTransport } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { parseAllDocuments } from "yaml";
import type { RealKube } from "./kube.ts";

const OPERATOR = "gatewright";
const root = new URL("../../", import.meta.url);

/** The objects in a file of the repository. */
export function manifests(path: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(new URL(path, root), "utf8")).map((document) => document.toJS() as KubeObject);
}

/** Gives the operator exactly the generated roles, as a platform team does, and a way to the server as nobody else. */
export async function operatorTransport(admin: Client, kube: RealKube): Promise<ReturnType<typeof createTransport>> {
  return createTransport({
    server: kube.url,
    ca: { text: kube.ca },
    token: { text: await operatorToken(admin) },
    namespace: OPERATOR,
    origin: "test",
  });
}

/** The same, as the token of its account, for an operator in a process of its own. */
export async function operatorToken(admin: Client): Promise<string> {
  const account = { namespace: OPERATOR, name: "gatewright" };
  await admin.for(core.Namespace).apply({ metadata: { name: OPERATOR } });
  await admin.for(core.ServiceAccount).apply({ metadata: account });
  for (const role of manifests("config/rbac/gatewright.yaml")) {
    const { namespace } = role.metadata;
    const subjects = [{ kind: "ServiceAccount", ...account }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: role.kind ?? "", name: "gatewright" };
    if (namespace === undefined) {
      await admin.for(rbac.ClusterRole).apply(role as never);
      await admin.for(rbac.ClusterRoleBinding).apply({ metadata: { name: "gatewright" }, subjects, roleRef });
    } else {
      await admin.for(core.Namespace).apply({ metadata: { name: namespace } });
      await admin.for(rbac.Role).apply(role as never);
      await admin.for(rbac.RoleBinding).apply({ metadata: { namespace, name: "gatewright" }, subjects, roleRef });
    }
  }
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const accounts = admin.for(core.ServiceAccount).subresource<{ readonly status: { readonly token: string } }>("token");
  return (await accounts.create(account, request)).status.token;
}
