import { policyStatements, textsOf } from "../policies/policy-statements.ts";
import type { PolicyNode } from "../policies/policy-statements.ts";
import { isNamedWell, principalsOf } from "../policies/principals.ts";
import { invalidValue, malformedPolicy } from "./refusals.ts";

const RESOURCE = /^(\*|arn:[^:]*:[^:]+:[^:]*:[^:]*:.+)$/s;

/** Refuses what is no policy on what somebody may do. */
export function checkPermissions(text: string): void {
  for (const statement of statementsOf(text)) {
    if (statement.has("Principal") || statement.has("NotPrincipal")) {
      throw malformedPolicy("Policy document should not specify a principal.");
    }
    if (!statement.has("Resource") && !statement.has("NotResource")) {
      throw malformedPolicy("Policy statement must contain resources.");
    }
    const resources = textsOf(statement.get("Resource") ?? statement.get("NotResource"));
    if (resources === undefined) throw malformedPolicy("Syntax errors in policy.");
    const wrong = resources.find((resource) => !RESOURCE.test(resource));
    if (wrong !== undefined) throw malformedPolicy(`Resource ${wrong} must be in ARN format or "*".`);
  }
}

/**
 * Refuses what is no policy on who may take on a role, and gives it as IAM keeps it: an account that is named by its number alone is
 * told of by its ARN from then on. `isThere` says whether a role of the account exists: one cannot trust those that do not.
 */
export function checkedTrust(text: string, isThere: (roleArn: string) => boolean): string {
  let numbers = false;
  for (const statement of statementsOf(text)) {
    if (statement.has("Resource") || statement.has("NotResource"))
      throw malformedPolicy("Has prohibited field Resource");
    const actions = textsOf(statement.get("Action") ?? statement.get("NotAction")) ?? [];
    if (!actions.every((action) => /^sts:/i.test(action))) {
      throw malformedPolicy("AssumeRole policy may only specify STS AssumeRole actions.");
    }
    const principals = principalsOf(statement);
    if (principals === undefined) throw malformedPolicy("Syntax errors in policy.");
    if (principals.length === 0) throw malformedPolicy("Missing required field Principal");
    const wrong = principals.find((each) => !isNamedWell(each) || (isRole(each.name) && !isThere(each.name)));
    if (wrong !== undefined) throw malformedPolicy(`Invalid principal in policy: "${wrong.kind}":"${wrong.name}"`);
    numbers ||= principals.some(({ name }) => isNumber(name));
  }
  return numbers ? withArns(text) : text;
}

/** How many characters of a document count: all but white space. */
export function policySize(text: string): number {
  return text.replaceAll(/\s/g, "").length;
}

/** Documents are told so that they fit into an address, whatever is in them. */
export function encoded(document: string): string {
  return encodeURIComponent(document).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function statementsOf(text: string): readonly PolicyNode[] {
  // Control characters other than white space, and letters beyond Latin, are not for policies.
  if (!/^[\t\n\r\x20-\xff]+$/.test(text)) {
    throw invalidValue(
      "The specified value for policyDocument is invalid. It must contain only printable ASCII characters.",
    );
  }
  const statements = policyStatements(text);
  if (typeof statements === "string") throw malformedPolicy(statements);
  return statements;
}

function withArns(text: string): string {
  const named = (name: unknown): unknown => (isNumber(name) ? `arn:aws:iam::${name}:root` : name);
  return JSON.stringify(JSON.parse(text), (key, value: unknown) =>
    key !== "AWS" ? value : Array.isArray(value) ? value.map(named) : named(value),
  );
}

function isNumber(name: unknown): name is string {
  return typeof name === "string" && /^\d{12}$/.test(name);
}

function isRole(name: string): boolean {
  return /^arn:aws[a-z-]*:iam::\d{12}:role\//.test(name);
}
