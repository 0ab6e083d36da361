import { quoted } from "@gatewright/gateway/rows";
import type { APIRouteSpec } from "@gatewright/resources";
import { RBACPerRouteSchema, RBAC_Action } from "@gatewright/gateway-wire/xds";
import type { PrincipalSchema, ValueMatcherSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { packed } from "../packed.ts";
import type { Init } from "../packed.ts";
import { headerRegex } from "../match/path-match.ts";
import type { RouteDraft } from "../route-draft.ts";
import { CLAIMS } from "./authentication.ts";
import { skippedPath } from "./skip-paths.ts";

type AuthorizationSpec = NonNullable<APIRouteSpec["authorization"]>;
type RbacPolicy = NonNullable<NonNullable<AuthorizationSpec["rbac"]>["policies"]>[number];
type PrincipalInit = Init<typeof PrincipalSchema>;

const ANYBODY: PrincipalInit = { identifier: { case: "any", value: true } };

/** Who is asked about: a policy's own callers, and that no policy before it has decided. */
interface Judged {
  readonly allows: boolean;
  readonly applies: PrincipalInit;
}

/**
 * Roles decide. Policies are asked one after the other until one applies; Envoy knows only who may pass: those of a policy that allows
 * and of none before it that denies.
 */
export function authorization(spec: AuthorizationSpec, rolesClaim: string, draft: RouteDraft): void {
  if (!spec.enabled) return;
  for (const way of ["abac", "external"] as const)
    if (spec[way]?.enabled === true) return draft.close(`authorization.${way}`, "only roles decide");
  if (draft.isClosed) return;
  const judged = inOrder(spec.rbac?.policies ?? []).map((policy): Judged | undefined => {
    const applies = appliesTo(policy, rolesClaim, spec.rbac?.roleHierarchy ?? {});
    return applies && { allows: policy.effect !== "deny", applies };
  });
  if (judged.some((one) => one === undefined))
    return draft.close("authorization.rbac.policies", "a resource with a regular expression is not understood");
  const passing: PrincipalInit[] = (spec.skipPaths ?? []).map((path) => headerPrincipal(":path", skippedPath(path)));
  const before: PrincipalInit[] = [];
  for (const one of judged) {
    if (one === undefined) continue;
    if (one.allows) passing.push(all([one.applies, ...before.map(not)]));
    else before.push(one.applies);
  }
  if (spec.defaultPolicy === "allow")
    passing.push(all([ANYBODY, ...judged.flatMap((one) => (one ? [not(one.applies)] : []))]));
  const policies = { route: { permissions: [{ rule: { case: "any", value: true } } as const], principals: passing } };
  const rules = { action: RBAC_Action.ALLOW, policies: passing.length === 0 ? {} : policies };
  draft.filters.set(FILTERS.authorization, packed(RBACPerRouteSchema, { rbac: { rules } }));
}

/** The higher priority first, and of equal ones those that deny. */
function inOrder(policies: readonly RbacPolicy[]): RbacPolicy[] {
  const denies = ({ effect }: RbacPolicy): number => (effect === "deny" ? 0 : 1);
  return policies.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0) || denies(a) - denies(b));
}

function appliesTo(
  policy: RbacPolicy,
  claim: string,
  hierarchy: Readonly<Record<string, readonly string[]>>,
): PrincipalInit | undefined {
  const conditions: PrincipalInit[] = [];
  const roles = policy.roles ?? [];
  if (roles.length > 0) conditions.push(any(withRoles(roles, hierarchy).map((role) => rolePrincipal(claim, role))));
  const resources = policy.resources ?? [];
  if (resources.some((resource) => resource.startsWith("~"))) return undefined;
  if (resources.length > 0 && !resources.includes("*"))
    conditions.push(headerPrincipal(":path", `(?:${resources.map(resourcePattern).join("|")})(?:\\?.*)?`));
  const actions = policy.actions ?? [];
  if (actions.length > 0 && !actions.includes("*"))
    conditions.push(
      any([
        headerPrincipal(":method", `(?i:${actions.map(quoted).join("|")})`),
        headerPrincipal(":path", `/[^/?]+/(?i:${actions.map(quoted).join("|")})`),
      ]),
    );
  return conditions.length === 0 ? ANYBODY : all(conditions);
}

/** All roles that bring one of these with them. */
function withRoles(roles: readonly string[], hierarchy: Readonly<Record<string, readonly string[]>>): string[] {
  const found = new Set(roles);
  for (const role of found)
    for (const [above, below] of Object.entries(hierarchy)) if (below.includes(role)) found.add(above);
  return [...found];
}

/** Somebody with a role; `*` for everybody with a token. The claim is a list, or a text with blanks between. */
function rolePrincipal(claim: string, role: string): PrincipalInit {
  const path = role === "*" ? [CLAIMS] : [CLAIMS, ...claim.split(".")];
  const text = (regex: string) =>
    ({ case: "stringMatch", value: { matchPattern: { case: "safeRegex", value: { regex } } } }) as const;
  const value: Init<typeof ValueMatcherSchema> =
    role === "*"
      ? { matchPattern: { case: "presentMatch", value: true } }
      : {
          matchPattern: {
            case: "orMatch",
            value: {
              valueMatchers: [
                {
                  matchPattern: {
                    case: "listMatch",
                    value: { matchPattern: { case: "oneOf", value: { matchPattern: text(quoted(role)) } } },
                  },
                },
                { matchPattern: text(`(?:.* )?${quoted(role)}(?: .*)?`) },
              ],
            },
          },
        };
  const segments = path.map((key) => ({ segment: { case: "key", value: key } as const }));
  return { identifier: { case: "metadata", value: { filter: FILTERS.jwt, path: segments, value } } };
}

/** `/orders`, `/orders/*`; within a pattern `*` is a part of one element. */
function resourcePattern(resource: string): string {
  const parts = resource.split(/(\*+)/u).filter((part) => part !== "");
  return parts
    .map((part, at) => {
      if (!part.startsWith("*")) return quoted(part);
      return part.length > 1 || at === parts.length - 1 ? "[^?]*" : "[^/?]*";
    })
    .join("");
}

function headerPrincipal(name: string, regex: string): PrincipalInit {
  return { identifier: { case: "header", value: headerRegex(name, regex) } };
}

function all(ids: readonly PrincipalInit[]): PrincipalInit {
  return ids.length === 1 ? ids[0]! : { identifier: { case: "andIds", value: { ids: [...ids] } } };
}

function any(ids: readonly PrincipalInit[]): PrincipalInit {
  return ids.length === 1 ? ids[0]! : { identifier: { case: "orIds", value: { ids: [...ids] } } };
}

function not(id: PrincipalInit): PrincipalInit {
  return { identifier: { case: "notId", value: id } };
}
