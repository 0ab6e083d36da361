import type { Immutable } from "@gatewright/kube";
import { isApproved, planOf } from "../plan/plan.ts";
import type { Managed } from "./aws-kind.ts";
import type { Page, Reading } from "./book.ts";
import { compare, ignoredIn, isBeingMade } from "./compare.ts";
import type { Comparison, Difference } from "./compare.ts";
import { compareTags, fieldTagPaths, wantedTags } from "./compare-tags.ts";
import type { GivenAnswer, PlanView, ResourceView } from "./observation.ts";
import { isOwn, OWNER_TAGS, ownerIn, ownerOf } from "./owner-tags.ts";
import { reconcileNow } from "./reconcile-now.ts";
import type { Session } from "./session.ts";
import type { Cached, ManagedWorld } from "./world.ts";

/** What a spec wants, whatever there is. */
export type Wish = Omit<Comparison, "differences">;

/** From where a resource is looked at. */
export interface Sight {
  readonly world: ManagedWorld;
  readonly cached: Cached;
  readonly object: Immutable<Managed>;
  readonly given: GivenAnswer;
  readonly wish: Wish;
  readonly session: Session | undefined;
  readonly id: string | undefined;
  readonly page: Page;
  /** When the run began, in the turns of the book. */
  readonly turn: number;
  readonly lagMs: number;
  /** For how long AWS must have denied it until that is believed. */
  readonly doubtMs: number;
  /** The reading is not older than it may be. */
  readonly inTime: boolean;
}

/** The resource by what was last read of it. */
export function viewOf(sight: Sight): ResourceView {
  const { world, object, wish, id, page, turn, lagMs, doubtMs } = sight;
  if (id === undefined) return { is: "unnamed" };
  const { reading } = page;
  if (sight.session === undefined || reading === undefined || !isValid(sight, reading, sight.session)) {
    return { is: "unknown", id };
  }
  const fresh = reading.turn > turn;
  const believedInMs = Math.max(0, (page.missedSince ?? reading.begunAt) + doubtMs - reading.begunAt);
  if (reading.seen === undefined) {
    const recreation = planView("Recreate", object, wish.versions, []);
    return { is: "absent", id, fresh, believedInMs, recreation, why: reading.why };
  }
  const { kind, book, cluster } = world;
  const seen = reading.seen.value;
  const ignored = ignoredIn(kind, object);
  const settleMs = kind.settleMs ?? 0;
  const once = writtenOnce(sight);
  const settleMsOf = (path: string): number =>
    Math.max(
      kind.fields.find((field) => field.path === path)?.settleMs ?? settleMs,
      once.has(path) ? sinceMade(sight) : 0,
    );
  const comparison =
    "given" in sight.given
      ? compare(kind, object, sight.given.given, seen, ignored, book.settling(object, settleMsOf))
      : undefined;
  const have = book.settledTags(object, kind.tagsOf(seen), Math.max(settleMs, lagMs));
  const own = isOwn(have, object);
  const wanted = wantedTags(cluster, object, sight.session);
  const replaced = (comparison?.differences ?? []).filter(({ change }) => change === "replace");
  return {
    is: "present",
    id: kind.idIn(seen),
    fresh,
    state: kind.stateOf(seen),
    own,
    owner: ownerIn(have),
    ownerLives: !own && isThere(sight, ownerOf(have)),
    believedInMs: own || object.status?.resource === undefined ? 0 : believedInMs,
    comparison,
    tags: compareTags(wanted, have, object.status?.resource?.fields ?? [], [
      ...(own ? ignored : []),
      ...fieldTagPaths(kind),
    ]),
    ownerTags: Object.keys(have).filter((key) => OWNER_TAGS.has(key)),
    replacement: replaced.length === 0 ? undefined : planView("Replace", object, wish.versions, replaced),
  };
}

/**
 * Fields that are left to others as soon as they were written: they count as written whatever a read says, so that what AWS keeps in
 * another form, or others change at once, does not hold up the end of the creation.
 */
function writtenOnce({ object }: Sight): ReadonlySet<string> {
  return new Set(isBeingMade(object) ? object.spec.management?.drift?.ignoreFields : []);
}

/** For how long at most: where the answer of the creation was lost, what was written before it is not told from what was after. */
const NEW_MS = 3_600_000;

function sinceMade({ world: { clock }, page: { createdAt } }: Sight): number {
  return createdAt === undefined ? NEW_MS : Math.min(NEW_MS, clock.monotonic() - createdAt + 1);
}

/** Whether an object that a resource's tags name is there. */
function isThere({ world: { kind }, cached }: Sight, owner: ReturnType<typeof ownerOf>): boolean {
  return owner !== undefined && cached(kind.resource).get(owner.ref)?.metadata.uid === owner.uid;
}

function planView(
  action: "Replace" | "Recreate",
  object: Immutable<Managed>,
  versions: Readonly<Record<string, string>>,
  differences: readonly Difference[],
): PlanView {
  const plan = planOf(action, object, differences, versions);
  return { hash: plan.hash, changes: plan.changes, approved: isApproved(object, plan) };
}

/** Whether what was read can be gone by. What is not as it should be is only believed in the run that read it. */
function isValid({ world, object, wish, id, turn, inTime }: Sight, reading: Reading, session: Session): boolean {
  if (reading.session !== session.key || reading.id !== id) return false;
  const needed = [
    ...wish.declared,
    ...(object.status?.resource?.fields ?? []).filter((path) => !path.startsWith("tags.")),
  ];
  if (!needed.every((path) => reading.declared?.has(path) ?? true)) return false;
  if (reading.turn > turn) return true;
  const asked = reconcileNow(object);
  if (!inTime || (asked !== undefined && asked !== object.status?.reconciledNow)) return false;
  if (reading.seen === undefined) return false;
  if (object.spec.management?.mode === "Observe") return true;
  const { kind } = world;
  return isOwn(kind.tagsOf(reading.seen.value), object) && kind.stateOf(reading.seen.value).is === "ready";
}
