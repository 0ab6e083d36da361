import { hash } from "node:crypto";
import { getOwn, isObject } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import type { Difference } from "../engine/compare.ts";

/** A field as it is and as it would be. Texts, so that anything can be shown. */
export interface PlannedChange {
  readonly field: string;
  /** Missing: it is not set. */
  readonly have?: string;
  /** Missing: it would be taken away. */
  readonly want?: string;
}

/** What waits for a person's word. */
export interface Plan {
  readonly action: "Replace" | "Recreate";
  readonly changes: readonly PlannedChange[];
  /** Names this very plan: the same for the same, and for no other object, resource or change. */
  readonly hash: string;
}

/** The annotation that approves a plan: its value is the plan's hash. */
export const APPROVE = "aws-infra-operator.runner.codes/approve";

const SECRET = "(secret)";
const LONGEST = 1_000;
const HASH_LENGTH = 32;

/**
 * The plan of an action on an object's resource. Its hash is bound to the object, to the resource, to how often it was made anew, and
 * to everything that would be other: also to what is not shown, by the version of a secret. It does not depend on the order of keys or
 * differences, nor on the object's generation.
 */
export function planOf(
  action: Plan["action"],
  object: Immutable<Managed>,
  differences: readonly Difference[],
  versions: Readonly<Record<string, string>> = {},
): Plan {
  const { metadata, status } = object;
  const resource = status?.resource?.id ?? "";
  const fields = differences.map(({ path, want, have, secret }) =>
    JSON.stringify(inOrder([path, secret ? (getOwn(versions, path) ?? "") : [told(want), told(have)]])),
  );
  const bound = [action, metadata.uid ?? "", resource, status?.replacements ?? 0, fields.sort()];
  return { action, changes: plannedChanges(differences), hash: digest(bound) };
}

/** Differences in words, sorted by field. Values of secrets are not shown, long ones are cut off. */
export function plannedChanges(differences: readonly Difference[]): readonly PlannedChange[] {
  return differences
    .map(({ path, have, want, secret }) => ({
      field: path,
      ...(have !== undefined && { have: secret ? SECRET : shown(have) }),
      ...(want !== undefined && { want: secret ? SECRET : shown(want) }),
    }))
    .sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

/**
 * Names what is wanted of a field, all of it. A secret is named by its version: a digest of the value could be guessed. Undefined: it
 * has none.
 */
export function nameOfWant(
  { path, want, secret }: Pick<Difference, "path" | "want" | "secret">,
  versions: Readonly<Record<string, string>>,
): string | undefined {
  const wanted = secret ? getOwn(versions, path) : told(want);
  return wanted === undefined ? undefined : digest([path, wanted]);
}

/** Whether a person approved this very plan. */
export function isApproved({ metadata }: Immutable<Managed>, plan: Pick<Plan, "hash">): boolean {
  return metadata.annotations?.[APPROVE] === plan.hash;
}

function digest(value: Json): string {
  return hash("sha256", JSON.stringify(inOrder(value)), "hex").slice(0, HASH_LENGTH);
}

function shown(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A value that is null is not the same as none. */
function told(value: Json | undefined): Json {
  return value === undefined ? [] : [value];
}

/** The same with the keys of every object in order. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  // Pairs, not an object: a key of a user's is never the name of a property here.
  return keys.map((key) => [key, inOrder(value[key] ?? null)]);
}
