import { isDNS1123Label, isDNS1123Subdomain } from "@gatewright/kube";

const PREFIX = "system:serviceaccount:";

/** The user name of a service account. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${PREFIX}${namespace}:${name}`;
}

/** The groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** The service account behind a user name, or undefined when the name is none of a service account. */
export function parseServiceAccountUsername(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const [namespace = "", name = "", ...more] = username.slice(PREFIX.length).split(":");
  if (more.length > 0 || isDNS1123Label(namespace).length > 0 || isDNS1123Subdomain(name).length > 0) return undefined;
  return { namespace, name };
}
