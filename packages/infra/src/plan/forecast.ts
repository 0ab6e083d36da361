import type { Immutable, Json } from "@gatewright/kube";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import { compare, ignoredIn, wishOf } from "../engine/compare.ts";
import type { Difference } from "../engine/compare.ts";
import { compareTags, declaredTags, defaultTagsVersion, fieldTagPaths } from "../engine/compare-tags.ts";
import type { Given } from "../engine/given.ts";
import { knownId, memoryOf } from "../engine/memory.ts";
import { isOwn, OWNER_TAGS, ownerIn } from "../engine/owner-tags.ts";
import { howAdopted, mayAdopt } from "../engine/policies/ownership.ts";
import type { Session } from "../engine/session.ts";
import { wasInSync } from "../engine/was-in-sync.ts";
import { reportedAmong } from "./drift.ts";
import { isApproved, plannedChanges, planOf } from "./plan.ts";
import type { Plan, PlannedChange } from "./plan.ts";
import { policyWords } from "./policy-words.ts";

/** What would become of a resource. */
export type ForecastAction =
  | "Nothing"
  /** Nothing is done to it, as the spec wants: it may differ. */
  | "Leave"
  | "Create"
  | "Adopt"
  | "Change"
  /** Deleted and made anew. */
  | "Replace"
  /** It was there before and is not any more. */
  | "Recreate"
  | "Delete"
  /** The object goes, the resource stays. */
  | "Release"
  /** Something has to be done first, or it could not be found out. */
  | "Blocked";

/** What the operator would do about one object. */
export interface Forecast {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: ForecastAction;
  /** What AWS knows the resource by, if it is known. */
  readonly id: string | undefined;
  readonly changes: readonly (PlannedChange & { readonly replaces: boolean })[];
  /** Sentences for a person. */
  readonly notes: readonly string[];
  /** Set when it waits for a person's word: the value of the annotation that gives it. */
  readonly approval: { readonly hash: string; readonly given: boolean } | undefined;
}

/** What there is of a resource. */
export type Found = { readonly seen: unknown } | "absent" | "unnamed" | "ambiguous";

type Told = Omit<Forecast, "kind" | "namespace" | "name">;

/** What would happen to the resource of an object that is applied. `ownerLives`: the object that its tags name is there. Pure. */
export function forecastApply(
  kind: AnyKind,
  object: Immutable<Managed>,
  given: Given,
  session: Pick<Session, "account" | "region" | "defaultTags">,
  found: Found,
  ownerLives = false,
): Told {
  const { management, tags } = object.spec;
  const { status } = object;
  const memory = memoryOf(object);
  const id = knownId(memory) ?? kind.nameOf(object.spec);
  const told: Told = { action: "Nothing", id, changes: [], notes: [], approval: undefined };
  const blocked = (note: string): Told => ({ ...told, action: "Blocked", notes: [note] });
  const wantedTags = { ...session.defaultTags, ...tags };

  if (isPaused(object)) return { ...told, action: "Leave", notes: ["It is paused: nothing is done to it."] };
  const elsewhere = whereElse(object, session);
  if (elsewhere !== undefined) return blocked(`${elsewhere} Nothing is moved.`);

  if (typeof found !== "object") {
    if (management?.mode === "Observe") return blocked("There is no such resource to observe.");
    if (found === "unnamed" && management?.adopt?.byTags !== undefined && status?.resource === undefined)
      return blocked("It would wait: no resource has the tags that management.adopt.byTags names.");
    const wish = wishOf(kind, object, given);
    const wanted = [...wish.wanted].map(([path, want]) => created(kind, path, want));
    const tagged = Object.entries(wantedTags).filter(
      ([key]) => !OWNER_TAGS.has(key) && kind.fieldTags?.includes(key) !== true,
    );
    const all = [...wanted, ...tagged.map(([key, want]) => created(kind, `tags.${key}`, want))];
    const changes = marked(all);
    if (status?.resource === undefined) return { ...told, action: "Create", changes };
    // What the status has before AWS has made anything is what was decided.
    if (status.pending !== undefined) return { ...told, action: "Create", changes, notes: [begun(object)] };
    const plan = planOf("Recreate", object, []);
    const waits = kind.holdsData || management?.drift?.mode === "Report";
    const notes = ["It was there before, and is not in AWS any more."];
    return { ...told, action: "Recreate", changes, notes, approval: waits ? approvalOf(object, plan) : undefined };
  }

  const { seen } = found;
  const ignore = ignoredIn(kind, object);
  const { differences, ...wish } = compare(kind, object, given, seen, ignore);
  const versions = { ...wish.versions, ...defaultTagsVersion(object, session) };
  const have = kind.tagsOf(seen);
  const tagged = tagDifferences(wantedTags, have, status?.resource?.fields ?? [], [...ignore, ...fieldTagPaths(kind)]);
  const all = [...differences, ...tagged];
  const state = kind.stateOf(seen);
  const notes = state.is === "ready" ? [] : [`It is ${state.is}: ${state.message}`];
  const known = { ...told, id: kind.idIn(seen), changes: marked(all), notes };

  if (management?.mode === "Observe") {
    const action = all.length === 0 ? "Nothing" : "Leave";
    return { ...known, action, notes: [...notes, "It is only observed: differences are told and left as they are."] };
  }
  if (!isOwn(have, object)) {
    const owner = ownerIn(have);
    const whose = owner === undefined ? "and was not made by this object" : `and belongs to ${owner}`;
    const exists = `${known.id} exists already ${whose}.`;
    if (mayAdopt(object, memory, owner) && !ownerLives) return { ...known, action: "Adopt", notes: [...notes, exists] };
    const how = howAdopted(object, memory, owner, ownerLives);
    return { ...known, action: "Blocked", notes: [`${exists} It is taken over only ${how}.`] };
  }
  if (all.length === 0) return known;
  const standing = { object, memory, versions, wasInSync: wasInSync(object) };
  const reported = new Set(reportedAmong(standing, all));
  const only = "Drift is only reported: management.drift.mode is Report.";
  if (reported.size === all.length) return { ...known, action: "Leave", notes: [...notes, only] };
  const replacing = differences.filter(({ change }) => change === "replace");
  if (replacing.some((difference) => !reported.has(difference))) {
    const plan = planOf("Replace", object, replacing, versions);
    return { ...known, action: "Replace", approval: approvalOf(object, plan) };
  }
  if (reported.size === 0) return { ...known, action: "Change" };
  const left = [...reported].map(({ path }) => path).sort();
  const changes = marked(all.filter((difference) => !reported.has(difference)));
  return { ...known, action: "Change", changes, notes: [...notes, `${only} ${left.join(", ")} stays as it is.`] };
}

function begun({ status }: Immutable<Managed>): string {
  const { message } = status?.conditions?.find(({ type }) => type === "Ready") ?? {};
  return `It has begun already.${message === undefined ? "" : ` The operator says: ${message}`}`;
}

/** Policies by which the resource stays when the object goes. */
const STAYS: ReadonlySet<string> = new Set(["Retain", "Orphan", "Stop"]);

/**
 * What would happen to the resource of an object that is deleted, where that is known without a look at AWS, and whether there is a way
 * to it or not. Pure.
 */
export function forecastRelease(kind: AnyKind, object: Immutable<Managed>): Told | undefined {
  const { spec, status } = object;
  const id = knownId(status ?? {}) ?? kind.nameOf(spec);
  const release = (note: string): Told => ({
    action: "Release",
    id,
    changes: [],
    notes: [note, ...heldUp(object)],
    approval: undefined,
  });
  if (spec.management?.mode === "Observe" || status?.resource?.ownership === "Observed")
    return release("It was only observed: it stays in AWS as it is.");
  if (spec.deletionPolicy === "Retain") return release(policyText(kind, spec.deletionPolicy));
  if (status?.resource === undefined && status?.pending === undefined)
    return release("Nothing was made in AWS for it yet.");
  return undefined;
}

/** What would happen to the resource of an object that is deleted. Pure. */
export function forecastDelete(
  kind: AnyKind,
  object: Immutable<Managed>,
  session: Pick<Session, "account" | "region">,
  found: Found,
): Told {
  const known = forecastRelease(kind, object);
  if (known !== undefined) return known;
  const { deletionPolicy: policy } = object.spec;
  const id = knownId(object.status ?? {}) ?? kind.nameOf(object.spec);
  const told: Told = { action: "Release", id, changes: [], notes: [], approval: undefined };
  const elsewhere = whereElse(object, session);
  if (elsewhere !== undefined)
    return { ...told, action: "Blocked", notes: [`${elsewhere} The deletion waits until it leads there again.`] };
  if (typeof found !== "object") return { ...told, notes: ["There is no such resource in AWS.", ...heldUp(object)] };
  const owner = ownerIn(kind.tagsOf(found.seen));
  if (!isOwn(kind.tagsOf(found.seen), object)) {
    const whose = owner === undefined ? "was not made by this object" : `belongs to ${owner}`;
    return { ...told, notes: [`It stays in AWS: it ${whose}.`, ...heldUp(object)] };
  }
  const action = STAYS.has(policy) ? "Release" : "Delete";
  return { ...told, action, notes: [policyText(kind, policy), ...heldUp(object)] };
}

function policyText(kind: AnyKind, policy: string): string {
  return `deletionPolicy ${policy}: ${policyWords(kind.resource, policy) ?? (STAYS.has(policy) ? "it stays" : "it goes")}.`;
}

function heldUp(object: Immutable<Managed>): readonly string[] {
  return isPaused(object) ? ["It is paused: the deletion waits until it is not."] : [];
}

/** Says that the provider leads elsewhere than the resource is. */
function whereElse(
  { status }: Immutable<Managed>,
  { account, region }: Pick<Session, "account" | "region">,
): string | undefined {
  if (status?.resource === undefined && status?.pending === undefined) return undefined;
  const { accountID = account, region: place = region } = status;
  if (accountID === account && place === region) return undefined;
  return `It is in account ${accountID}, region ${place}; its provider leads to account ${account}, region ${region}.`;
}

function isPaused({ spec, metadata }: Immutable<Managed>): boolean {
  return (
    spec.management?.paused === true || metadata.annotations?.["aws-infra-operator.runner.codes/paused"] === "true"
  );
}

function approvalOf(object: Immutable<Managed>, plan: Plan): NonNullable<Forecast["approval"]> {
  return { hash: plan.hash, given: isApproved(object, plan) };
}

function created(kind: AnyKind, path: string, want: Json): Difference {
  const secret = kind.fields.some((field) => field.path === path && field.secret === true);
  return { path, change: "in-place", want, have: undefined, secret };
}

/** Tags that say whose a resource is are left aside: they are nobody's wish. */
function tagDifferences(
  wanted: Readonly<Record<string, string>>,
  have: Readonly<Record<string, string>>,
  declared: readonly string[],
  ignore: readonly string[],
): readonly Difference[] {
  const change = compareTags(wanted, have, [...declared, ...declaredTags(wanted)], ignore);
  const difference = (key: string, want: string | undefined): readonly Difference[] =>
    OWNER_TAGS.has(key)
      ? []
      : [
          {
            path: `tags.${key}`,
            change: "in-place",
            want,
            have: Object.hasOwn(have, key) ? have[key] : undefined,
            secret: false,
          },
        ];
  return [
    ...Object.entries(change?.set ?? {}).flatMap(([key, value]) => difference(key, value)),
    ...(change?.remove ?? []).flatMap((key) => difference(key, undefined)),
  ];
}

function marked(differences: readonly Difference[]): Forecast["changes"] {
  const replacing = new Set(differences.flatMap(({ path, change }) => (change === "replace" ? [path] : [])));
  return plannedChanges(differences).map((change) => ({ ...change, replaces: replacing.has(change.field) }));
}
