import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { BucketRecord } from "./records.ts";

const LARGEST_BYTES = 20 * 1024;
const VERSIONS: readonly unknown[] = ["2012-10-17", "2008-10-17"];

/** Conditions that narrow who is meant, when their values are fixed. */
const NARROWING = new Set(
  [
    "aws:PrincipalOrgID",
    "aws:PrincipalAccount",
    "aws:PrincipalArn",
    "aws:SourceAccount",
    "aws:SourceArn",
    "aws:SourceIp",
    "aws:SourceOrgID",
    "aws:SourceVpc",
    "aws:SourceVpce",
    "aws:SourceOwner",
    "aws:userid",
    "s3:DataAccessPointAccount",
    "s3:DataAccessPointArn",
  ].map((name) => name.toLowerCase()),
);

/** What a policy says that S3 acts on. */
export interface BucketPolicy {
  /** Whether it lets anybody in. */
  readonly isPublic: boolean;
}

type Node = ReadonlyMap<string, unknown>;

/** Reads a policy and refuses what S3 refuses. Policies are kept and judged, not enforced. */
export function bucketPolicy(text: string, bucket: BucketRecord): BucketPolicy {
  if (Buffer.byteLength(text) > LARGEST_BYTES) throw malformed("Policy exceeds the maximum allowed document size.");
  const document = nodeOf(parsed(text));
  if (document === undefined) throw malformed("Policies must be valid JSON and the first byte must be '{'");
  for (const name of document.keys()) {
    if (!["Version", "Id", "Statement"].includes(name)) throw malformed(`Unknown field ${name}`);
  }
  const version = document.get("Version");
  if (version !== undefined && !VERSIONS.includes(version))
    throw malformed("The policy must contain a valid version string");
  const statements = document.get("Statement");
  if (statements === undefined) throw malformed("Missing required field Statement");
  const all = listOf(statements).map(nodeOf);
  if (all.length === 0) throw malformed("Could not parse the policy: Statement is empty!");
  return { isPublic: all.map((statement) => statementIsPublic(statement, bucket)).includes(true) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is told as what is no object.
    return undefined;
  }
}

function statementIsPublic(statement: Node | undefined, bucket: BucketRecord): boolean {
  if (statement === undefined) throw malformed("Statement must be an object");
  const effect = statement.get("Effect");
  if (effect === undefined) throw malformed("Missing required field Effect");
  if (effect !== "Allow" && effect !== "Deny") throw malformed(`Invalid effect: ${String(effect)}`);
  checkActions(statement);
  checkResources(statement, bucket);
  const anybody = principalsOf(statement).includes("*");
  return effect === "Allow" && (anybody || statement.has("NotPrincipal")) && !isNarrowed(statement.get("Condition"));
}

function principalsOf(statement: Node): readonly string[] {
  const principal = statement.get("Principal") ?? statement.get("NotPrincipal");
  if (principal === undefined) throw malformed("Missing required field Principal");
  if (principal === "*") return ["*"];
  const kinds = nodeOf(principal);
  if (kinds === undefined || kinds.size === 0) throw malformed("Invalid policy syntax.");
  return [...kinds].flatMap(([kind, value]) => {
    if (!["AWS", "Service", "Federated", "CanonicalUser"].includes(kind))
      throw malformed("Invalid principal in policy");
    return listOf(value).map((one) => {
      if (typeof one !== "string" || (kind === "AWS" && !isAwsPrincipal(one))) {
        throw malformed("Invalid principal in policy");
      }
      return kind === "AWS" ? one : "";
    });
  });
}

function isAwsPrincipal(text: string): boolean {
  return (
    text === "*" ||
    /^\d{12}$/.test(text) ||
    /^A[A-Z0-9]{15,}$/.test(text) ||
    /^arn:aws[a-z-]*:(iam|sts)::\d{12}:(root|(user|role|assumed-role|federated-user)\/.+)$/.test(text) ||
    /^arn:aws:iam::cloudfront:user\/.+$/.test(text)
  );
}

function checkActions(statement: Node): void {
  const actions = statement.get("Action") ?? statement.get("NotAction");
  if (actions === undefined) throw malformed("Missing required field Action");
  const all = listOf(actions);
  if (
    all.length === 0 ||
    all.some((one) => typeof one !== "string" || !/^(\*|s3:[A-Za-z*?]+|s3-[a-z-]+:.+)$/i.test(one))
  ) {
    throw malformed("Policy has invalid action");
  }
}

function checkResources(statement: Node, { region, name }: BucketRecord): void {
  const resources = statement.get("Resource") ?? statement.get("NotResource");
  if (resources === undefined) throw malformed("Missing required field Resource");
  const arn = `arn:${partitionOf(region)}:s3:::${name}`;
  const all = listOf(resources);
  if (all.length === 0 || all.some((one) => typeof one !== "string" || (one !== arn && !one.startsWith(`${arn}/`)))) {
    throw malformed("Policy has invalid resource");
  }
}

function isNarrowed(condition: unknown): boolean {
  for (const [operator, keys] of nodeOf(condition) ?? []) {
    if (/not/i.test(operator) || /^null$/i.test(operator)) continue;
    for (const [key, values] of nodeOf(keys) ?? []) {
      if (NARROWING.has(key.toLowerCase()) && listOf(values).every((value) => isFixed(key, String(value)))) return true;
    }
  }
  return false;
}

function isFixed(key: string, value: string): boolean {
  if (key.toLowerCase() === "aws:sourceip") return !/\/[0-7]$/.test(value);
  // The account is the fifth part of an ARN: a star after it still means one account.
  return key.toLowerCase().endsWith("arn")
    ? !value.split(":").slice(0, 5).join(":").includes("*")
    : !/[*?]/.test(value);
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function malformed(message: string): AwsError {
  return new AwsError("MalformedPolicy", message);
}
