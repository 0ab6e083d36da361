import { nodeOf, textsOf } from "./policy-statements.ts";
import type { PolicyNode } from "./policy-statements.ts";

/** Somebody whom a policy names: `AWS` with an ARN or an account, `Service` with a name, and so on. */
export interface Principal {
  readonly kind: string;
  readonly name: string;
}

const KINDS: ReadonlySet<string> = new Set(["AWS", "Service", "Federated", "CanonicalUser"]);

/** Whom a statement names; undefined when that is not well-formed, an empty list when it names nobody. */
export function principalsOf(statement: PolicyNode): readonly Principal[] | undefined {
  const given = statement.get("Principal") ?? statement.get("NotPrincipal");
  if (given === undefined) return [];
  if (given === "*") return [{ kind: "AWS", name: "*" }];
  const kinds = nodeOf(given);
  if (kinds === undefined || kinds.size === 0) return undefined;
  const found: Principal[] = [];
  for (const [kind, value] of kinds) {
    const names = textsOf(value);
    if (!KINDS.has(kind) || names === undefined) return undefined;
    found.push(...names.map((name) => ({ kind, name })));
  }
  return found;
}

/** Whether somebody whom a policy names could be anybody at all, judged by the form of the name. */
export function isNamedWell({ kind, name }: Principal): boolean {
  switch (kind) {
    case "AWS":
      return (
        name === "*" ||
        /^\d{12}$/.test(name) ||
        /^A[A-Z0-9]{15,}$/.test(name) ||
        /^arn:aws[a-z-]*:(iam|sts)::\d{12}:(root|(user|role|assumed-role|federated-user)\/[^*]+)$/.test(name)
      );
    case "Service":
      return /^[a-z0-9.-]+\.amazonaws\.com(\.cn)?$/.test(name);
    default:
      return name !== "";
  }
}
