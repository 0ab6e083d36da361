import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { CacheReader } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";
import type { KnownKind } from "./known-kind.ts";
import { BY_REFERENCE, targetOf } from "./reference-index.ts";

/** Cached reads of kinds. */
export type Cached = <T extends ApiObject>(resource: Resource<T>) => CacheReader<T>;

interface Known {
  readonly kind: KnownKind;
  readonly object: Immutable<Managed>;
}

/**
 * Objects that refer to this one, as `Kind name`: while there are any it is not deleted in AWS, so that what was made last goes
 * first. Those that are being deleted too count, unless they wait for this one themselves: objects that refer to each other in a
 * circle hold up nobody.
 */
export function usersOf(
  cached: Cached,
  kinds: readonly KnownKind[],
  kind: KnownKind,
  object: Immutable<Managed>,
): readonly string[] {
  const self: Known = { kind, object };
  const direct = referrersOf(cached, kinds, self).filter(({ object: user }) => !isSame(user, object));
  if (direct.length === 0) return [];
  return direct
    .filter((user) => user.object.metadata.deletionTimestamp === undefined || !reaches(cached, kinds, self, user))
    .map((user) => `${user.kind.resource.kind} ${user.object.metadata.name ?? ""}`)
    .sort();
}

function referrersOf(cached: Cached, kinds: readonly KnownKind[], { kind, object }: Known): readonly Known[] {
  const target = targetOf(kind.resource.kind, object.metadata.namespace, object.metadata.name);
  return kinds.flatMap((other) =>
    // Every kind of the room has objects of this form.
    cached(other.resource as Resource<Managed>)
      .byIndex(BY_REFERENCE, target)
      .map((user) => ({ kind: other, object: user })),
  );
}

/** Whether `from` is among those who refer to `to`, directly or through others. */
function reaches(cached: Cached, kinds: readonly KnownKind[], from: Known, to: Known): boolean {
  const seen = new Set<string>();
  const open: Known[] = [to];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const user of referrersOf(cached, kinds, next)) {
      if (isSame(user.object, from.object)) return true;
      const id = user.object.metadata.uid ?? "";
      if (!seen.has(id)) open.push(user);
      seen.add(id);
    }
  }
  return false;
}

function isSame(a: Immutable<Managed>, b: Immutable<Managed>): boolean {
  return a.metadata.uid === b.metadata.uid;
}
