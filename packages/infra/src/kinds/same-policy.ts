import { isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/**
 * Whether two policy documents say the same. AWS gives policies back in its own spelling: lists of one as a text, lists in another
 * order, an account as the ARN of its root, numbers and booleans as texts, the version that holds where none is named. What is no JSON
 * is only the same as itself.
 */
export function samePolicy(want: string, have: string): boolean {
  if (want === have) return true;
  const [ours, theirs] = [parsed(want), parsed(have)];
  return ours !== undefined && theirs !== undefined && canonicalPolicy(ours) === canonicalPolicy(theirs);
}

/** The version of the language in which a document is read that names none. */
const FIRST_VERSION = "2008-10-17";

/** The document in one spelling for all that mean the same. */
function canonicalPolicy(document: JsonObject): string {
  const statements = listOf(document["Statement"] ?? []).map((statement) =>
    isObject(statement) ? spelled(named(statement), canonicalMember) : JSON.stringify(statement),
  );
  const rest = { Version: FIRST_VERSION, ...document, Statement: null };
  return spelled(rest, (_, value) => JSON.stringify(value)) + statements.toSorted().join();
}

/** An empty name is none. */
function named({ Sid: name, ...statement }: JsonObject): JsonObject {
  return name === undefined || name === "" ? statement : { ...statement, Sid: name };
}

function canonicalMember(key: string, value: Json): string {
  switch (key) {
    case "Principal":
    case "NotPrincipal":
      // To everybody is the same by either spelling.
      return spelled(isObject(value) ? value : { AWS: value }, (_, members) => textsOf(members, principal));
    case "Condition":
      return isObject(value)
        ? spelled(value, (_, keys) =>
            isObject(keys) ? spelled(keys, (__, values) => textsOf(values)) : JSON.stringify(keys),
          )
        : JSON.stringify(value);
    case "Sid":
    case "Effect":
      return JSON.stringify(value);
    default:
      return textsOf(value);
  }
}

/** Members in the order of their names. */
function spelled(object: JsonObject, member: (key: string, value: Json) => string): string {
  const members = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}:${member(key, value)}`);
  return `{${members.toSorted().join()}}`;
}

function textsOf(value: Json, as: (text: string) => string = (text) => text): string {
  const texts = listOf(value).map((one) => as(typeof one === "string" ? one : JSON.stringify(one)));
  return JSON.stringify([...new Set(texts)].toSorted());
}

function principal(text: string): string {
  const account = /^arn:aws[a-z-]*:iam::(\d{12}):root$/.exec(text)?.[1];
  return account ?? text;
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // What is no JSON has no meaning that could be compared.
    return undefined;
  }
}
