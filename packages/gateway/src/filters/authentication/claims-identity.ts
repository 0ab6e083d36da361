import { getOwn, getPath, isObject, setOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Identity } from "../../pipeline/call.ts";
import type { ClaimMapping } from "./authentication-spec.ts";

/**
 * Who a token's claims say it is. Names of claims are users' data and never properties of ours. Unless mapped otherwise, `roles`,
 * `groups` and `permissions` are read from the claims of these names, scopes from `scope` or `scp`.
 */
export function claimsIdentity(method: "jwt" | "oidc", claims: JsonObject, mapping: ClaimMapping = {}): Identity {
  const subject = getOwn(claims, "sub");
  const map = new Map<string, unknown>(Object.entries(claims));
  for (const name of ["email", "name"] as const) {
    const path = mapping[name];
    const value = path === undefined || path === "" ? undefined : claimAt(claims, path);
    if (typeof value === "string") map.set(name, value);
  }
  return {
    method,
    subject: typeof subject === "string" ? subject : "",
    roles: texts(claimAt(claims, mapping.roles || "roles")),
    groups: texts(claimAt(claims, mapping.groups || "groups")),
    permissions: texts(claimAt(claims, mapping.permissions || "permissions")),
    scopes: texts(
      mapping.scopes ? claimAt(claims, mapping.scopes) : (getOwn(claims, "scope") ?? getOwn(claims, "scp")),
    ),
    claims: map,
  };
}

/** The claim of this very name (`https://example.com/roles`), or else what the path with dots leads to (`realm_access.roles`). */
function claimAt(claims: JsonObject, path: string): Json | undefined {
  return getOwn(claims, path) ?? getPath(claims, ...path.split("."));
}

/** A list of texts, or one text with blanks between. What else there is in it is left out. */
function texts(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return value.split(" ").filter((part) => part !== "");
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** A copy of what a library gave as claims that is JSON and nothing else. */
export function plainClaims(payload: Readonly<Record<string, unknown>>): JsonObject {
  const copy: JsonObject = {};
  for (const [name, value] of Object.entries(payload)) if (isJson(value)) setOwn(copy, name, value);
  return copy;
}

function isJson(value: unknown): value is Json {
  return (
    value === null || ["string", "number", "boolean"].includes(typeof value) || Array.isArray(value) || isObject(value)
  );
}
