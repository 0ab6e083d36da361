import { hash } from "node:crypto";
import { deepEqual, getOwn } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { ManagedStatus } from "@gatewright/resources";
import type { AnyKind, AwsKind, Managed } from "./aws-kind.ts";
import type { Field, FieldChange } from "./field.ts";
import type { Given } from "./given.ts";

/** A field that is not in AWS as the spec says. */
export interface Difference {
  readonly path: string;
  readonly change: FieldChange;
  /** Undefined: it is to be taken away. */
  readonly want: Json | undefined;
  /** Undefined: it is not set, or AWS never tells. */
  readonly have: Json | undefined;
  readonly secret: boolean;
}

/** A spec beside what AWS has. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Paths of all fields that the spec declares. */
  readonly declared: readonly string[];
  /** By path: versions of what AWS never tells, of secrets that Secrets hold, and with drift `Report` of what references lead to. */
  readonly versions: Readonly<Record<string, string>>;
  /** What all declared fields want, by path. */
  readonly wanted: ReadonlyMap<string, Json>;
}

/** What was written so lately that a read may not tell it yet, by path. */
export type Settling = ReadonlyMap<string, Json | undefined>;

const NONE: Settling = new Map();

/** Whether something is made for the object and was not yet found as its spec says. */
export function isBeingMade({ status }: Immutable<Managed>): boolean {
  return status?.resource?.ownership === "Created" && status.lastSyncTime === undefined;
}

/**
 * Fields and tags that are left to others. A creation does not end with the call that makes a resource: what can be written is left to
 * nobody until it was once as the spec says.
 */
export function ignoredIn(kind: Pick<AnyKind, "fields">, object: Immutable<Managed>): readonly string[] {
  const { ignoreFields = [] } = object.spec.management?.drift ?? {};
  if (!isBeingMade(object)) return ignoreFields;
  const fixed = new Set(kind.fields.flatMap(({ path, change }) => (change === "in-place" ? [] : [path])));
  return ignoreFields.filter((path) => fixed.has(path));
}

/**
 * Compares the declared fields, and those that were declared when the resource was last written, with what was read. Pure. Fields
 * that are ignored (see `ignoredIn`) are not compared.
 */
export function compare<T extends Managed, Seen>(
  kind: Pick<AwsKind<T, Seen>, "fields">,
  object: Immutable<T>,
  given: Given,
  seen: Seen,
  ignore: Iterable<string>,
  settling: Settling = NONE,
): Comparison {
  const wish = wishOf(kind, object, given);
  const before = new Set(object.status?.resource?.fields);
  const ignored = new Set(ignore);
  const differences: Difference[] = [];
  for (const field of kind.fields) {
    if (field.change === "at-creation" || ignored.has(field.path)) continue;
    const want = wish.wanted.get(field.path);
    const target = want ?? (before.has(field.path) && field.change === "in-place" ? field.unset : undefined);
    if (target === undefined) continue;
    const have = settling.has(field.path) ? settling.get(field.path) : field.have?.(seen);
    if (field.have === undefined ? isWritten(field.path, object.status, wish) : isSame(field, target, have, seen))
      continue;
    const { path, change } = field;
    differences.push({ path, change, want: target ?? undefined, have, secret: field.secret === true });
  }
  return { ...wish, differences };
}

/** What a spec wants, whatever there is. */
export function wishOf<T extends Managed, Seen>(
  kind: Pick<AwsKind<T, Seen>, "fields">,
  object: Immutable<T>,
  given: Given,
): Omit<Comparison, "differences"> {
  // The spec of what is frozen is a frozen spec, which the compiler does not see for a T that is not known yet.
  const spec = object.spec as Immutable<T["spec"]>;
  const wanted = new Map<string, Json>();
  const reports = object.spec.management?.drift?.mode === "Report";
  const versions: [string, string][] = [];
  for (const field of kind.fields) {
    const asked = new Set<string>();
    const want = field.want(spec, noting(given, asked));
    if (want === undefined) continue;
    wanted.set(field.path, want);
    // Where drift is only reported, what others did has to be told from what a reference leads to now. No digest of a secret is kept.
    const named =
      field.secret === true ? versionOf(given, asked) : reports && asked.size > 0 ? digest(want) : undefined;
    const version = field.version?.(spec, given) ?? named;
    if (version !== undefined) versions.push([field.path, version]);
  }
  return { wanted, declared: [...wanted.keys()], versions: Object.fromEntries(versions) };
}

/** The same, and `asked` has the paths of all references that were followed. */
function noting(given: Given, asked: Set<string>): Given {
  return {
    value: (path) => (asked.add(path), given.value(path)),
    version: (path) => (asked.add(path), given.version(path)),
  };
}

/** Another one when one of the Secrets that were asked for holds another value. */
function versionOf(given: Given, asked: ReadonlySet<string>): string | undefined {
  const versions = [...asked].flatMap((path) => given.version(path) ?? []);
  return versions.length === 0 ? undefined : digest(versions);
}

function digest(value: Json): string {
  return hash("sha256", JSON.stringify(value)).slice(0, 32);
}

/** Of what AWS never tells: whether this version of it was written. */
function isWritten(
  path: string,
  status: Immutable<ManagedStatus> | undefined,
  { versions }: Pick<Comparison, "versions">,
): boolean {
  const version = getOwn(versions, path);
  return version === undefined || getOwn(status?.resource?.versions ?? {}, path) === version;
}

function isSame<Spec, Seen>({ same }: Field<Spec, Seen>, want: Json, have: Json | undefined, seen: Seen): boolean {
  if (want === null) return have === undefined || have === null;
  return same === undefined ? have !== undefined && deepEqual(want, have) : same(want, have, seen);
}
