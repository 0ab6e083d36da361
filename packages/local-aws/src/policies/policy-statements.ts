/** A JSON object of a policy. Not an ordinary one: its names are the user's. */
export type PolicyNode = ReadonlyMap<string, unknown>;

const FIELDS: ReadonlySet<string> = new Set(["Version", "Id", "Statement"]);
const STATEMENT_FIELDS: ReadonlySet<string> = new Set(
  "Sid Effect Principal NotPrincipal Action NotAction Resource NotResource Condition".split(" "),
);
const VERSIONS: readonly unknown[] = ["2012-10-17", "2008-10-17"];

/**
 * The statements of a policy document, or in a few words why it is none. What every policy has to be is checked here, whoever it is
 * attached to: JSON, known fields, an effect, and actions, each no more than once.
 */
export function policyStatements(text: string): readonly PolicyNode[] | string {
  const document = nodeOf(parsed(text));
  if (document === undefined) return "This policy contains invalid Json";
  for (const name of document.keys()) if (!FIELDS.has(name)) return "Syntax errors in policy.";
  const version = document.get("Version");
  if (version !== undefined && !VERSIONS.includes(version)) return "Syntax errors in policy.";
  const given = document.get("Statement");
  const statements = listOf(given).map(nodeOf);
  if (given === undefined || statements.length === 0) return "Syntax errors in policy.";
  const sound: PolicyNode[] = [];
  const ids = new Set<unknown>();
  for (const statement of statements) {
    if (statement === undefined) return "Syntax errors in policy.";
    const problem = statementProblem(statement);
    if (problem !== undefined) return problem;
    const id = statement.get("Sid");
    if (id !== undefined && id !== "" && ids.has(id)) return "Statement IDs (SID) in a single policy must be unique.";
    ids.add(id);
    sound.push(statement);
  }
  return sound;
}

/** What a field holds, as a list of texts; undefined when it is absent or holds something else. */
export function textsOf(value: unknown): readonly string[] | undefined {
  const all = value === undefined ? [] : listOf(value);
  return all.length > 0 && all.every((one) => typeof one === "string") ? all : undefined;
}

/** A JSON object as a map; undefined for anything else. */
export function nodeOf(value: unknown): PolicyNode | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map<string, unknown>(Object.entries(value))
    : undefined;
}

function statementProblem(statement: PolicyNode): string | undefined {
  for (const name of statement.keys()) if (!STATEMENT_FIELDS.has(name)) return "Syntax errors in policy.";
  const effect = statement.get("Effect");
  if (effect !== "Allow" && effect !== "Deny") return "Syntax errors in policy.";
  const id = statement.get("Sid");
  if (id !== undefined && typeof id !== "string") return "Syntax errors in policy.";
  for (const name of ["Principal", "Action", "Resource"]) {
    if (statement.has(name) && statement.has(`Not${name}`)) return "Syntax errors in policy.";
  }
  if (!statement.has("Action") && !statement.has("NotAction")) return "Policy statement must contain actions.";
  const actions = textsOf(statement.get("Action") ?? statement.get("NotAction"));
  if (actions === undefined) return "Syntax errors in policy.";
  if (actions.some((action) => action !== "*" && !/^[a-z0-9-]+:[a-z0-9*?]+$/i.test(action))) {
    return actions.every((action) => action.includes(":"))
      ? "Vendor or action is not valid"
      : "Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.";
  }
  return conditionProblem(statement.get("Condition"));
}

function conditionProblem(condition: unknown): string | undefined {
  if (condition === undefined) return undefined;
  const operators = nodeOf(condition);
  const sound =
    operators !== undefined &&
    [...operators].every(([operator, keys]) => /^[A-Za-z:]+$/.test(operator) && nodeOf(keys) !== undefined);
  return sound ? undefined : "Syntax errors in policy.";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is told as what is no object.
    return undefined;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
