import type { Immutable } from "@gatewright/kube";
import { AWSProvider } from "@gatewright/resources";
import { isTrue } from "@gatewright/runtime";
import { providerOf } from "../providers/provider-ref.ts";
import type { Answers } from "./answers.ts";
import type { AnyKind, Managed } from "./aws-kind.ts";
import type { Page } from "./book.ts";
import { wishOf } from "./compare.ts";
import { declaredTags, defaultTagsVersion, wantedTags } from "./compare-tags.ts";
import { dueAfter, intervalOf } from "./intervals.ts";
import { knownId, memoryOf } from "./memory.ts";
import type { Memory } from "./memory.ts";
import type { GivenAnswer, Observation } from "./observation.ts";
import { viewOf } from "./resource-view.ts";
import type { Wish } from "./resource-view.ts";
import { rivalOf } from "./rival.ts";
import type { Cached, ManagedWorld } from "./world.ts";

/** For how long AWS may not know of what was just made, where the kind does not say. */
const LAG_MS = 30_000;
/**
 * For how long AWS must have denied a resource before its object is let go, at the least. While an object is there, what was denied
 * too long turns up at the next look; afterwards nobody looks.
 */
const FAREWELL_MS = 120_000;

/** What a run has found out so far. */
export interface Run {
  /** When it began, in the turns of the book. */
  readonly turn: number;
  /** Whether all was as the spec says when it began: what it writes meanwhile says otherwise. */
  readonly wasInSync: boolean;
  readonly given: GivenAnswer;
  readonly answers: Answers;
}

const NO_WISH: Wish = { declared: [], versions: {}, wanted: new Map() };

/** Gathers all that a decision about an object needs: from the cache and from what is known of resources. Makes no call. */
export function observe(
  world: ManagedWorld,
  cached: Cached,
  stored: Immutable<Managed>,
  memory: Memory,
  { turn, wasInSync, given, answers }: Run,
): Observation {
  const { kind, book, clock, cluster } = world;
  const object = withMemory(stored, memory);
  const deleting = stored.metadata.deletionTimestamp !== undefined;
  const session = world.sessionFor(cached, object);
  const provider = cached(AWSProvider).get(providerOf(object));
  const here = "session" in session ? session.session : undefined;
  const wish = "given" in given ? wishOf(kind, object, given.given) : NO_WISH;
  const name = kind.nameOf(object.spec);
  const id = knownId(memory) ?? name;
  const page = book.page(object);
  const now = clock.monotonic();
  const lagMs = kind.lagMs ?? LAG_MS;
  const doubtMs = deleting ? Math.max(lagMs, FAREWELL_MS) : lagMs;
  const look = lookAgain(kind, object, page, now);
  const sight = {
    world,
    cached,
    object,
    given,
    wish,
    session: here,
    id,
    page,
    turn,
    lagMs,
    doubtMs,
    inTime: now < look,
  };
  const resource = viewOf(sight);
  const differences = resource.is === "present" ? (resource.comparison?.differences ?? []) : [];
  const clearAt = id === undefined ? Math.max(page.openedAt, page.wroteAt ?? 0) : page.createdAt;
  return {
    object,
    memory,
    now: clock.now(),
    holdsData: kind.holdsData,
    canFind: kind.findTagged !== undefined,
    session,
    providerGone: provider === undefined,
    providerUnchecked: provider !== undefined && wasReady(provider) && world.isUnopened(provider),
    given,
    declared:
      here === undefined ? wish.declared : [...wish.declared, ...declaredTags(wantedTags(cluster, object, here))],
    versions: here === undefined ? wish.versions : { ...wish.versions, ...defaultTagsVersion(object, here) },
    name,
    wasInSync,
    rival:
      here === undefined || deleting || name === undefined ? undefined : rivalOf(world, cached, object, name, here),
    resource,
    creationUnclearMs: clearAt === undefined ? 0 : Math.max(0, clearAt + doubtMs - now),
    untried: isUntried(page, stored, memory),
    removed: page.removedAt !== undefined,
    lookAgainMs: Math.max(1, look - now),
    loops: book.loops(
      object,
      differences.filter(({ change }) => change === "in-place").map(({ path }) => path),
    ),
    paced: book.paced(object, differences),
    users: deleting ? world.references.usersOf(cached, object) : [],
    answers,
  };
}

function wasReady({ metadata, status }: Immutable<AWSProvider>): boolean {
  return isTrue(status?.conditions, "Ready", metadata.generation);
}

/** Whether nothing can have come of the intent: it is not even written, or was by this process and not tried since. */
function isUntried({ intended }: Page, { status }: Immutable<Managed>, { pending }: Memory): boolean {
  return pending !== undefined && (pending.token === intended || pending.token !== status?.pending?.token);
}

/** The object as if the memory were written already. */
function withMemory(stored: Immutable<Managed>, memory: Memory): Immutable<Managed> {
  const remembered = new Set(Object.keys(memoryOf(stored)));
  const rest = Object.entries(stored.status ?? {}).filter(([key]) => !remembered.has(key));
  return { ...stored, status: { conditions: [], ...Object.fromEntries(rest), ...memory } };
}

/** When the reading has to be made anew: drift's interval is over, or what was written must have come through. */
function lookAgain(kind: AnyKind, object: Immutable<Managed>, page: Page, now: number): number {
  const begunAt = page.reading?.begunAt ?? now;
  const together = kind.readMany !== undefined;
  const due = dueAfter(begunAt, intervalOf(kind, object), object.metadata.uid ?? "", together);
  if (kind.settleMs === undefined) return due;
  const settled = (page.wroteAt ?? page.openedAt) + kind.settleMs;
  return begunAt < settled ? Math.min(due, settled) : due;
}
