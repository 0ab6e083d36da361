import type { Immutable } from "@gatewright/kube";
import { isAtWork } from "../../engine/at-work.ts";
import type { AnyKind, Managed } from "../../engine/aws-kind.ts";
import { compare, wishOf } from "../../engine/compare.ts";
import type { Comparison, Difference } from "../../engine/compare.ts";
import type { Given } from "../../engine/given.ts";
import type { KindStage } from "./kind-stage.ts";

/** What became of an object: it, with the status that remembers, and the resource as it was last read. */
export interface Lived {
  readonly object: Immutable<Managed>;
  readonly id: string;
  readonly seen: unknown;
  /** How often it was created or changed. */
  readonly writes: number;
}

const MOST_WRITES = 8;
const MOST_LOOKS = 2_000;
const POLL_MS = 1_000;
const NOTHING: readonly string[] = [];

/**
 * Brings a resource to what its object says, as the engine would and with nothing of its care: creates it when it is absent,
 * changes it until nothing differs, and gives the object with the status that remembers what was declared.
 */
export async function settle(
  stage: KindStage,
  kind: AnyKind,
  object: Immutable<Managed>,
  given: Given,
): Promise<Lived> {
  const { ground, passing } = stage;
  const wish = wishOf(kind, object, given);
  const declared = new Set([...wish.declared, ...(object.status?.resource?.fields ?? [])]);
  let current = object;
  let id = object.status?.resource?.id ?? kind.nameOf(object.spec);
  let writes = 0;
  for (let look = 0; look < (stage.mostLooks ?? MOST_LOOKS); look++) {
    const seen = id === undefined ? "absent" : await passing(readOrWork(kind, ground, id, declared));
    if (seen === "at work") {
      await stage.pass(POLL_MS);
      continue;
    }
    if (seen === "absent") {
      if (writes === 0) {
        const token = `token-of-${object.metadata.uid}`;
        const creation = { object, given, wanted: wish.wanted, tags: tagsWanted(object), token };
        id = await passing(kind.create(ground, creation));
        current = written(current, id, wish);
        writes++;
      } else await stage.pass(POLL_MS);
      continue;
    }
    const state = kind.stateOf(seen);
    if (state.is === "failed" || state.is === "going" || state.is === "ended")
      throw new Error(`${id} is ${state.is}: ${state.message}`);
    if (state.is === "busy" && state.changeable !== true) {
      await stage.pass(state.pollMs);
      continue;
    }
    const comparison = compare(kind, current, given, seen, NOTHING);
    const tags = tagsMissing(kind, object, seen);
    if (comparison.differences.length === 0 && tags === undefined) {
      if (state.is === "ready") {
        const found = kind.idIn(seen);
        return { object: remembering(object, found, comparison), id: found, seen, writes };
      }
      await stage.pass(state.pollMs);
      continue;
    }
    if (writes > MOST_WRITES) throw new Error(`${id} never gets to be as wanted: ${told(comparison.differences)}`);
    writes++;
    if (tags !== undefined) await passing(kind.tag(ground, seen, tags));
    if (comparison.differences.length > 0) {
      const stuck = comparison.differences.filter(({ change }) => change !== "in-place");
      if (stuck.length > 0) throw new Error(`${id} would have to be another: ${told(stuck)}`);
      const fields = new Map(comparison.differences.map(({ path, want }) => [path, want] as const));
      const obstacle = await passing(kind.change(ground, seen, { object, given, fields, wanted: comparison.wanted }));
      current = written(current, kind.idIn(seen), wish);
      if (obstacle === "partly") writes = Math.max(1, writes - 1);
      else if (obstacle?.reason === "NotNow") {
        writes--;
        await stage.pass(POLL_MS);
      } else if (obstacle !== undefined) throw new Error(`${id}: ${obstacle.reason}: ${obstacle.message}`);
    }
    if (kind.settleMs !== undefined) await stage.pass(kind.settleMs);
  }
  throw new Error(`${id} never gets ready`);
}

/** What is there; or that AWS works on it and tells no more. */
async function readOrWork(
  kind: AnyKind,
  ground: KindStage["ground"],
  id: string,
  declared: ReadonlySet<string>,
): Promise<unknown> {
  try {
    return await kind.read(ground, id, declared);
  } catch (error) {
    if (isAtWork(error)) return "at work";
    throw error;
  }
}

/** Remembers which versions were written of what AWS never tells. */
function written(
  object: Immutable<Managed>,
  id: string,
  { versions }: Pick<Comparison, "versions">,
): Immutable<Managed> {
  const { fields = [] } = object.status?.resource ?? {};
  return { ...object, status: { ...object.status, resource: { id, ownership: "Created", fields, versions } } };
}

function told(differences: readonly Difference[]): string {
  return differences
    .map(({ path, want, have }) => `${path}: want ${JSON.stringify(want)}, have ${JSON.stringify(have)}`)
    .join("; ");
}

function tagsWanted({ spec, metadata }: Immutable<Managed>): Readonly<Record<string, string>> {
  return { ...spec.tags, "managed-by": "gatewright", "gatewright.dev/uid": metadata.uid ?? "" };
}

function tagsMissing(kind: AnyKind, object: Immutable<Managed>, seen: unknown) {
  const want = tagsWanted(object);
  const have = new Map(Object.entries(kind.tagsOf(seen)));
  const set = Object.fromEntries(Object.entries(want).filter(([key, value]) => have.get(key) !== value));
  // Kinds write the tag Name by a field of their own.
  const remove = [...have.keys()].filter((key) => !Object.hasOwn(want, key) && key !== "Name");
  return Object.keys(set).length + remove.length > 0 ? { set, remove } : undefined;
}

function remembering(object: Immutable<Managed>, id: string, comparison: Comparison): Immutable<Managed> {
  const resource = {
    id,
    ownership: "Created",
    fields: [...comparison.declared],
    versions: { ...comparison.versions },
  } as const;
  return { ...object, status: { ...object.status, resource } };
}
