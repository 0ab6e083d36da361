import { iamPolicy } from "@gatewright/hostnames";
import { kindPolicy } from "@gatewright/infra";
import type { InstallSettings } from "./install-settings.ts";

interface Statement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** A policy in AWS's own form. */
export interface OperatorIam {
  readonly Version: "2012-10-17";
  readonly Statement: readonly Statement[];
}

type IamSettings = Pick<InstallSettings, "parts" | "cluster" | "partition" | "zones" | "roles" | "called">;

/** What IAM lets a managed policy have, not counting white space. */
export const MOST_IAM_CHARACTERS = 6_144;

/**
 * What the operator's role in AWS needs for the parts that run, as one policy: rights under the same condition are one statement, and
 * so are the same rights under values of one condition. A part that does not call AWS adds nothing.
 */
export function operatorIam(settings: IamSettings): OperatorIam {
  return { Version: "2012-10-17", Statement: joined(needed(merged(statementsOf(settings)))) };
}

/** How much of {@link MOST_IAM_CHARACTERS} a policy takes. */
export function iamCharacters(policy: OperatorIam): number {
  return JSON.stringify(policy).length;
}

function statementsOf({ parts, cluster, partition, zones, roles, called }: IamSettings): readonly Statement[] {
  const hostnames = iamPolicy({ cluster, partition, ...(zones.length > 0 && { zones }) }).Statement;
  const kinds = [...called.values()].flatMap((operations) => kindPolicy(operations, cluster).Statement);
  const assuming: Statement = {
    Sid: "AssumeRoles",
    Effect: "Allow",
    Action: ["sts:AssumeRole", "sts:TagSession"],
    Resource: roles,
  };
  return [
    ...(parts.includes("hostnames") ? hostnames : []),
    ...(parts.includes("infra") ? kinds.map((each) => ({ ...each, Resource: [each.Resource] })) : []),
    ...(parts.includes("infra") && roles.length > 0 ? [assuming] : []),
  ];
}

function merged(statements: readonly Statement[]): readonly Statement[] {
  const found = new Map<string, Statement>();
  const sids = new Set<string>();
  for (const statement of statements) {
    const { Resource, Condition } = statement;
    const key = JSON.stringify([Resource, Condition]);
    const before = found.get(key);
    const Action = [...new Set([...(before?.Action ?? []), ...statement.Action])].toSorted();
    if (before !== undefined) found.set(key, { ...before, Action });
    else found.set(key, { ...statement, Sid: free(statement.Sid, sids), Action });
  }
  return [...found.values()];
}

/** Without what is allowed on everything and at any time besides. */
function needed(statements: readonly Statement[]): readonly Statement[] {
  const isFree = ({ Resource, Condition }: Statement): boolean => Resource.includes("*") && Condition === undefined;
  const free = new Set(statements.filter(isFree).flatMap(({ Action }) => Action));
  return statements.flatMap((statement) => {
    if (isFree(statement)) return [statement];
    const Action = statement.Action.filter((action) => !free.has(action));
    return Action.length === 0 ? [] : [{ ...statement, Action }];
  });
}

/** What is allowed under one value of a condition and under another is allowed under both: the values are a list. */
function joined(statements: readonly Statement[]): readonly Statement[] {
  const found = new Map<string, Statement>();
  for (const statement of statements) {
    const { Action, Resource, Condition } = statement;
    const [condition, ...more] = Object.entries(Condition?.["StringEquals"] ?? {});
    if (condition === undefined || more.length > 0 || Object.keys(Condition ?? {}).length > 1) {
      found.set(JSON.stringify(statement), statement);
      continue;
    }
    const [name, value] = condition;
    const key = JSON.stringify([Action, Resource, name]);
    const before = found.get(key);
    const values = [...new Set([before?.Condition?.["StringEquals"]?.[name] ?? [], value].flat())].toSorted();
    found.set(key, before === undefined ? statement : { ...before, Condition: { StringEquals: { [name]: values } } });
  }
  return [...found.values()];
}

/** Names of statements are there once in a policy. */
function free(sid: string, taken: Set<string>): string {
  const stem = sid.replace(/\d+$/u, "");
  let name = stem;
  for (let count = 2; taken.has(name); count++) name = `${stem}${count}`;
  taken.add(name);
  return name;
}
