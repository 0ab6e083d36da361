import { readFileSync } from "node:fs";
import type { ProviderSettings, RoleRule } from "@gatewright/infra";
import { BodySyntaxError, isObject, parseYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { UsageError } from "../usage-error.ts";
import type { OperatorValues } from "./operator-options.ts";

/** What flags say of AWS resources. Reads the file of roles. */
export function infraOptions(values: OperatorValues): ProviderSettings {
  const file = values.optional("allowed-roles-file");
  return {
    checkMs: values.duration("provider-check-interval"),
    allowedRoles: file === undefined ? undefined : rolesIn(file),
    trustedEndpoints: values.list("trusted-endpoints"),
    tenantEndpoints: values.truth("tenant-endpoints"),
    loopbackEndpoints: values.truth("loopback-endpoints"),
    sessionTags: values.truth("session-tags"),
  };
}

function rolesIn(file: string): readonly RoleRule[] {
  const wrong = (why: string): UsageError => new UsageError(`--allowed-roles-file: ${file}: ${why}`);
  let value: Json;
  try {
    ({ value } = parseYaml(readFileSync(file)));
  } catch (error) {
    // What it cannot be read as decides what namespaces may do: it is never taken for no rules.
    if (error instanceof BodySyntaxError || (error instanceof Error && "code" in error)) throw wrong(error.message);
    throw error;
  }
  if (!Array.isArray(value)) throw wrong("needs a list of rules");
  return value.map((rule, index) => ruleOf(rule, (why) => wrong(`rule ${index + 1}: ${why}`)));
}

const FIELDS = ["namespaces", "roles", "ownIdentity"];

function ruleOf(rule: Json, wrong: (why: string) => UsageError): RoleRule {
  if (!isObject(rule)) throw wrong("needs namespaces, and roles or ownIdentity");
  const unknown = Object.keys(rule).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw wrong(`has ${JSON.stringify(unknown)}; known are ${FIELDS.join(", ")}`);
  const { namespaces, roles = [], ownIdentity = false } = rule;
  if (!isTexts(namespaces) || namespaces.length === 0) throw wrong("namespaces needs a list of names");
  if (!isTexts(roles)) throw wrong("roles needs a list of ARNs");
  if (typeof ownIdentity !== "boolean") throw wrong("ownIdentity is true or false");
  return { namespaces, roles, ownIdentity };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
