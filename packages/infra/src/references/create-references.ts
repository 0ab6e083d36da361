import { deepEqual, getOwn } from "@gatewright/kube";
import type { Immutable, Json, JsonObject, ObjectRef, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { watching } from "@gatewright/runtime";
import type { IndexFunction, ReconcileContext, Watch } from "@gatewright/runtime";
import type { Managed } from "../engine/aws-kind.ts";
import { gatherGiven } from "./gather-given.ts";
import type { Gathered } from "./gather-given.ts";
import { referencesOf } from "./known-kind.ts";
import type { KnownKind } from "./known-kind.ts";
import { cachedReader } from "./reference-reader.ts";
import { BY_REFERENCE, referenceIndex, targetOf } from "./reference-index.ts";
import { createSecretVersions } from "./secret-versions.ts";
import { usersOf } from "./users-of.ts";
import type { Cached } from "./users-of.ts";

/** What a controller of a kind needs to follow references. */
export interface References {
  /** For the controller's own kind. */
  readonly indexes: Readonly<Record<string, IndexFunction<Managed>>>;
  /**
   * Wakes an object when what it refers to changes (a Secret's content, another object's outputs), and when somebody who refers to
   * it goes. Secrets are kept as metadata alone.
   */
  readonly watches: readonly Watch[];
  /** May be called as often as wanted: a Secret is read once in a run for each of its versions. */
  gather(
    context: Pick<ReconcileContext<Managed>, "cached" | "client" | "signal">,
    object: Immutable<Managed>,
  ): Promise<Gathered>;
  /** Who holds up the deletion of an object. */
  usersOf(cached: Cached, object: Immutable<Managed>): readonly string[];
}

/** The references of a kind among all kinds of the room. Make one for each controller. */
export function createReferences(kinds: readonly KnownKind[], kind: KnownKind): References {
  const versions = createSecretVersions();
  /** Known since the first run: before that nothing was read that could change. */
  let known: Cached | undefined;
  const own = kind.resource as Resource<Managed>;
  const referringTo = (target: string): readonly ObjectRef[] =>
    known?.(own).byIndex(BY_REFERENCE, target).map(refOfObject) ?? [];
  const secrets = watching(core.Secret, {
    scope: { metadataOnly: true },
    map: ({ metadata: { namespace, name } }) => referringTo(targetOf("Secret", namespace, name)),
  });
  const others = kinds.map((other) =>
    // Every kind of the room has objects of this form.
    watching(other.resource as Resource<Managed>, {
      indexes: referenceIndex(other),
      when: (object, previous) => matters(other, object, previous),
      map: (object) => [
        ...referringTo(targetOf(other.resource.kind, object.metadata.namespace, object.metadata.name)),
        ...referredIn(other, object, kind.resource.kind),
      ],
    }),
  );
  return {
    indexes: referenceIndex(kind),
    watches: [secrets, ...others],
    gather(context, object) {
      known = context.cached;
      return gatherGiven(cachedReader(context), versions, kinds, kind, object);
    },
    usersOf: (cached, object) => usersOf(cached, kinds, kind, object),
  };
}

/** Whether a change of an object can concern those who refer to it, or those whom it refers to. */
function matters(
  kind: KnownKind,
  object: Immutable<Managed> | undefined,
  previous: Immutable<Managed> | undefined,
): boolean {
  if (object === undefined || previous === undefined) return true;
  const facets = (one: Immutable<Managed>): Json => [
    one.metadata.uid ?? "",
    one.metadata.deletionTimestamp ?? "",
    referencesOf(kind, one).map((reference) => ({ ...reference })),
    Object.values(kind.outputsInStatus ?? {}).map(
      (field) => getOwn((one.status ?? {}) as unknown as JsonObject, field) ?? null,
    ),
  ];
  return !deepEqual(facets(object), facets(previous));
}

/** Objects of a kind that an object refers to. */
function referredIn(kind: KnownKind, object: Immutable<Managed>, to: string): readonly ObjectRef[] {
  const { namespace = "" } = object.metadata;
  return referencesOf(kind, object).flatMap((reference) =>
    reference.to === "output" && reference.kind === to ? [{ namespace, name: reference.name }] : [],
  );
}

function refOfObject({ metadata: { namespace = "", name = "" } }: Immutable<Managed>): ObjectRef {
  return { namespace, name };
}
