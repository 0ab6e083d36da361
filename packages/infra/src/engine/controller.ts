import { keyOf, refOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import { aborted } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { AWSProvider } from "@gatewright/resources";
import {
  after,
  annotationsChanged,
  anyOf,
  createConfirmed,
  done,
  generationChanged,
  isConflict,
  OutdatedObjectError,
  watching,
  withFinalizer,
} from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext, Source } from "@gatewright/runtime";
import { createOutputs } from "../outputs/create-outputs.ts";
import { byProvider, BY_PROVIDER, providerOf } from "../providers/provider-ref.ts";
import { sessionFor } from "../providers/session-for.ts";
import type { Sessions } from "../providers/sessions.ts";
import { createReferences } from "../references/create-references.ts";
import type { AnyKind, Managed } from "./aws-kind.ts";
import { createBook } from "./book.ts";
import { Crowd } from "./crowd.ts";
import { decide } from "./decide.ts";
import { decideRelease } from "./decide-release.ts";
import { waitTogether } from "./intervals.ts";
import { createReads } from "./reads.ts";
import { nameIndex, namesakes } from "./rival.ts";
import type { KindMetrics } from "./resource-metrics.ts";
import { runManaged } from "./run.ts";
import type { RunEnd, RunParts } from "./run.ts";
import { tellEffect, tellEnd } from "./telling.ts";
import type { Cached, ManagedWorld } from "./world.ts";

/** How soon is looked again when the cache is behind. */
const CATCH_UP_MS = 1_000;
/** When an object of a provider whose AWS does not answer is tried again that found too many others at it. */
const CROWDED_MS = 10_000;

export interface ManagedDependencies {
  /** All kinds of the room: what references may lead to. */
  readonly kinds: readonly AnyKind[];
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly cluster: string;
  readonly metrics: KindMetrics;
}

/**
 * Looks after the objects of a kind: each has its one resource in AWS, as its spec says, until it goes as its policy says. Every
 * creation is in the status before it is tried, and nothing is done by a version of an object that is not the server's newest.
 */
export function managedResource(kind: AnyKind, deps: ManagedDependencies): ControllerDefinition<Managed> {
  const { sessions, clock, cluster, metrics } = deps;
  const book = createBook(clock);
  const references = createReferences(deps.kinds, kind);
  const outputs = createOutputs(kind.resource, kind.secretOutputs);
  const confirmed = createConfirmed(kind.resource);
  const world: ManagedWorld = {
    kind,
    cluster,
    clock,
    book,
    reads: createReads(kind, book, clock),
    references,
    outputs,
    sessionFor: (cached, object) => sessionFor(cached, sessions, object),
    isUnopened: (provider) => sessions.of(provider) === undefined,
  };
  const crowd = new Crowd(clock);
  /** Uids by key: of an object that is gone only its name is told. */
  const uids = new Map<string, string>();
  let known: Cached | undefined;
  const forget = (key: string): void => {
    const uid = uids.get(key);
    if (uid === undefined) return;
    uids.delete(key);
    book.forget(uid);
    confirmed.forget(key);
    metrics.stands(key, undefined);
  };
  const usersOf = (provider: string): readonly ObjectRef[] =>
    known?.(kind.resource).byIndex(BY_PROVIDER, provider).map(refTo) ?? [];

  const run = async (
    context: ReconcileContext<Managed>,
    object: Immutable<Managed>,
    decider: RunParts["decide"],
  ): Promise<RunEnd> => {
    const performed: RunParts["performed"] = (effect, seen, answers) => {
      tellEffect(context.events, effect, seen, answers);
      if (effect.type === "change" && effect.drifted && answers.changed === true) metrics.drifted();
    };
    const end = await runManaged({ world, confirmed, decide: decider, performed }, context, object);
    tellEnd(context.events, object, end);
    if (end.fact !== undefined) metrics.stands(context.key, end.fact.reason.reason);
    return end;
  };

  return {
    name: `aws-${kind.resource.plural}`,
    for: kind.resource,
    // Statuses are this controller's own: what it wrote it has seen.
    when: anyOf(generationChanged, annotationsChanged),
    indexes: { ...references.indexes, ...outputs.indexes, ...nameIndex(kind), [BY_PROVIDER]: byProvider },
    watches: [
      ...references.watches,
      ...outputs.watches,
      watching(AWSProvider, { map: (provider) => usersOf(keyOf(provider)) }),
      // One that goes, or takes another name, lets those in that wait for it.
      watching(kind.resource, {
        when: generationChanged,
        map: (object) => (known === undefined ? [] : namesakes(kind, known, object).map(refTo)),
      }),
    ],
    sources: [termOf(sessions, usersOf, () => (book.clear(), confirmed.clear(), metrics.clear(), crowd.clear()))],
    access: [
      ...outputs.access,
      { resource: kind.resource, verbs: ["get", "patch"] },
      { resource: kind.resource, verbs: ["update"], subresource: "status" },
      { resource: kind.resource, verbs: ["update"], subresource: "finalizers" },
    ],
    concurrency: 16,
    async reconcile(context) {
      const { object, key } = context;
      const again = (ms: number): Outcome =>
        after(kind.readMany === undefined ? ms : waitTogether(clock.monotonic(), ms));
      known = context.cached;
      const uid = object?.metadata.uid;
      if (uid !== uids.get(key)) forget(key);
      if (uid !== undefined) uids.set(key, uid);
      const leave = object === undefined ? () => {} : crowd.enter(keyOf(providerOf(object)));
      if (leave === undefined) return after(CROWDED_MS);
      try {
        return await withFinalizer(context, {
          resource: kind.resource,
          finalizer: kind.finalizer,
          async reconcile(held) {
            if (held !== object) confirmed.wrote(held);
            return again((await run(context, held, decide)).afterMs);
          },
          async cleanup(held) {
            const end = await run(context, held, decideRelease);
            return end.gone !== undefined ? done() : again(end.afterMs);
          },
        });
      } catch (error) {
        confirmed.forget(key);
        return caughtUp(error);
      } finally {
        leave();
      }
    },
  };
}

/** Somebody else wrote the object meanwhile, or the cache is behind: decided anew, by what is there then. */
function caughtUp(error: unknown): Outcome {
  if (error instanceof OutdatedObjectError || isConflict(error)) return after(CATCH_UP_MS);
  throw error;
}

/** What sessions tell wakes the objects that use them. Nothing is kept of a term in which somebody else led. */
function termOf(sessions: Sessions, usersOf: (provider: string) => readonly ObjectRef[], clear: () => void): Source {
  return async (enqueue, signal) => {
    clear();
    const stop = sessions.onChange((provider) => usersOf(keyOf(provider)).forEach(enqueue));
    await aborted(signal);
    stop();
    clear();
  };
}

function refTo(object: Immutable<Managed>): ObjectRef {
  return refOf(keyOf(object));
}
