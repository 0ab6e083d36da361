import { matchesWildcard } from "../wildcard.ts";

/** What a service wants to do to a queue, and for whom. */
export interface ServiceRequest {
  /** `sns.amazonaws.com`. */
  readonly service: string;
  /** `sqs:SendMessage`. */
  readonly action: string;
  readonly resource: string;
  readonly sourceArn: string;
  readonly sourceAccount: string;
}

type Node = ReadonlyMap<string, unknown>;

/**
 * Whether a queue's policy lets a service in: some statement allows it and none denies it. Conditions are understood on the source's
 * ARN and account; a statement with any other does not apply.
 */
export function letsServiceIn(policy: string | undefined, request: ServiceRequest): boolean {
  if (policy === undefined) return false;
  const statements = listOf(nodeOf(JSON.parse(policy))?.get("Statement")).map(nodeOf);
  const effects = statements
    .filter((each) => each !== undefined && applies(each, request))
    .map((each) => each?.get("Effect"));
  return effects.includes("Allow") && !effects.includes("Deny");
}

function applies(statement: Node, request: ServiceRequest): boolean {
  const actions = listOf(statement.get("Action")).map((each) => String(each).toLowerCase());
  return (
    isMeant(statement.get("Principal"), request.service) &&
    actions.some((each) => matchesWildcard(each, request.action.toLowerCase())) &&
    listOf(statement.get("Resource")).some((each) => matchesWildcard(String(each), request.resource)) &&
    [...(nodeOf(statement.get("Condition")) ?? [])].every(([operator, keys]) => holds(operator, nodeOf(keys), request))
  );
}

function isMeant(principal: unknown, service: string): boolean {
  const kinds = nodeOf(principal);
  return (
    principal === "*" || listOf(kinds?.get("AWS")).includes("*") || listOf(kinds?.get("Service")).includes(service)
  );
}

function holds(operator: string, keys: Node | undefined, request: ServiceRequest): boolean {
  if (keys === undefined) return false;
  const exact = operator === "StringEquals";
  if (!exact && !["ArnEquals", "ArnLike", "StringLike"].includes(operator)) return false;
  return [...keys].every(([key, values]) => {
    const given = givenFor(key.toLowerCase(), request);
    return listOf(values).some(
      (each) => given !== undefined && (exact ? each === given : matchesWildcard(String(each), given)),
    );
  });
}

function givenFor(key: string, { sourceArn, sourceAccount }: ServiceRequest): string | undefined {
  return key === "aws:sourcearn" ? sourceArn : key === "aws:sourceaccount" ? sourceAccount : undefined;
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
