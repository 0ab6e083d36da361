import type { PolicyRule } from "@gatewright/kube";
import type { ApiServer } from "../api-server.ts";
import { binding, role } from "../auth/testing/auth-fixture.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

/** Gives a user these rights in a namespace, and no others. */
export async function grantIn(
  server: ApiServer,
  namespace: string,
  user: string,
  rules: readonly PolicyRule[],
): Promise<void> {
  const at = `${RBAC}/namespaces/${namespace}`;
  const [made, bound] = [role(namespace, user, [...rules]), binding(namespace, user, `Role/${user}`, `User/${user}`)];
  for (const [path, object] of [
    [`${at}/roles`, made],
    [`${at}/rolebindings`, bound],
  ] as const) {
    const { status } = await server.transport()({
      method: "POST",
      path,
      headers: JSON_BODY,
      body: JSON.stringify(object),
    });
    if (status !== 201) throw new Error(`${path}: ${status}`);
  }
}

const JSON_BODY = { "content-type": "application/json" };

interface Asked {
  readonly status: number;
  /** Of a Status that is an error. */
  readonly message: string | undefined;
}

/** What a user gets for a request. */
export async function ask(
  server: ApiServer,
  username: string,
  method: string,
  path: string,
  body?: object,
  type = "application/json",
): Promise<Asked> {
  const answer = await server.transport({ username, groups: [] })({
    method,
    path,
    headers: { "content-type": type },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status < 400) return { status: answer.status, message: undefined };
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return {
    status: answer.status,
    message: (JSON.parse(Buffer.concat(chunks).toString()) as { message: string }).message,
  };
}
