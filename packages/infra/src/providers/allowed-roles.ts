/** Lets namespaces use identities of the operator. */
export interface RoleRule {
  /** Names, in which `*` stands for anything: `team-*`. */
  readonly namespaces: readonly string[];
  /** ARNs, in which `*` stands for anything: `arn:aws:iam::*:role/team-shop-*`. */
  readonly roles?: readonly string[];
  /** Whether they may act as the operator itself. Default: false. */
  readonly ownIdentity?: boolean;
}

/** Whether a namespace may use a role of the operator, or its own identity. Without rules everybody may. */
export function mayUse(
  rules: readonly RoleRule[] | undefined,
  namespace: string,
  identity: { readonly role: string } | "own",
): boolean {
  if (rules === undefined) return true;
  return rules.some(
    ({ namespaces, roles = [], ownIdentity = false }) =>
      namespaces.some((pattern) => matches(pattern, namespace)) &&
      (identity === "own" ? ownIdentity : roles.some((pattern) => matches(pattern, identity.role))),
  );
}

/** In time that grows with the text alone: each part is looked for once, as early as it can be. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts.shift() ?? "";
  const last = parts.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
