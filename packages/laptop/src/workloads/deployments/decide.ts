import { deepEqual } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";
import { rescale } from "./rescale.ts";
import { currentAnnotations, desiredBefore, mostBefore, notedAnnotations, revisionOf } from "./revisions.ts";
import { isComplete } from "./progress.ts";
import { rolloutBounds } from "./rollout-bounds.ts";
import type { RolloutBounds } from "./rollout-bounds.ts";
import { grown, rollingStep } from "./rolling-update.ts";
import { byAge, sizeOf, unmade } from "./size.ts";
import type { Resize } from "./size.ts";
import { isOfTemplate } from "./template-hash.ts";

type Deployment = Immutable<apps.Deployment>;
type ReplicaSet = Immutable<apps.ReplicaSet>;
type Annotations = Readonly<Record<string, string>>;

/** A Deployment and the ReplicaSets that it controls. */
export interface Observation {
  readonly deployment: Deployment;
  /** The one that holds the Deployment's template: the oldest, should there be several. */
  readonly current: ReplicaSet | undefined;
  /** All others, older ones first. */
  readonly old: readonly ReplicaSet[];
}

/** One write to a ReplicaSet. */
export type Effect =
  | { readonly kind: "create"; readonly replicas: number; readonly annotations: Annotations }
  | {
      readonly kind: "update";
      readonly replicaSet: ReplicaSet;
      readonly replicas: number;
      readonly minReadySeconds: number;
      readonly annotations: Annotations;
    }
  | { readonly kind: "delete"; readonly replicaSet: ReplicaSet };

/** What to do next. `rollingOut`: whether this belongs to a rollout, whose progress is to be judged. */
export interface Decision {
  readonly effects: readonly Effect[];
  readonly rollingOut: boolean;
}

/** Tells the ReplicaSet of the Deployment's template from the others. */
export function observe(deployment: Deployment, replicaSets: readonly ReplicaSet[]): Observation {
  const aged = [...replicaSets].sort((a, b) => byAge(sizeOf(a), sizeOf(b)));
  const template = deployment.spec?.template ?? {};
  const current = aged.find((replicaSet) => isOfTemplate(replicaSet, template));
  return { deployment, current, old: aged.filter((replicaSet) => replicaSet !== current) };
}

/** Decides the next step of a Deployment. Pure: same observation, same answer. */
export function decide(seen: Observation): Decision {
  const { deployment, current, old } = seen;
  const bounds = rolloutBounds(deployment.spec);
  const isPaused = deployment.spec?.paused === true;
  if (deployment.metadata.deletionTimestamp !== undefined) return { effects: [], rollingOut: false };
  if (isPaused || wasRescaled(seen, bounds)) {
    const effects = resized(seen, bounds, rescaled(seen, bounds), true);
    return { effects: isPaused ? [...effects, ...forgotten(seen)] : effects, rollingOut: false };
  }
  const cleanup = isComplete(deployment, deployment.status) ? forgotten(seen) : [];
  const steps = deployment.spec?.strategy?.type === "Recreate" ? recreated(seen, bounds) : rolled(seen, bounds);
  if (steps !== "make") return { effects: [...resized(seen, bounds, steps, false), ...cleanup], rollingOut: true };
  const replicas = isRecreate(deployment) ? bounds.desired : grown(bounds, unmade(""), old.map(sizeOf));
  const annotations = notedAnnotations(currentAnnotations(deployment, current?.metadata.annotations, old), bounds);
  return { effects: [{ kind: "create", replicas, annotations }, ...cleanup], rollingOut: true };
}

/** Whether the wanted number has changed since ReplicaSets were last resized. */
function wasRescaled({ current, old }: Observation, { desired }: RolloutBounds): boolean {
  return [...old, ...(current === undefined ? [] : [current])].some((replicaSet) => {
    const before = desiredBefore(replicaSet);
    return (replicaSet.spec?.replicas ?? 1) > 0 && before !== undefined && before !== desired;
  });
}

function rescaled({ deployment, current, old }: Observation, bounds: RolloutBounds): readonly Resize[] {
  const noted = (replicaSet: ReplicaSet) => ({ ...sizeOf(replicaSet), mostBefore: mostBefore(replicaSet) });
  const size = current === undefined ? undefined : noted(current);
  return rescale({
    bounds,
    rolling: !isRecreate(deployment),
    current: size,
    saturated:
      current !== undefined &&
      size?.replicas === bounds.desired &&
      size.available === bounds.desired &&
      desiredBefore(current) === bounds.desired,
    old: old.map(noted),
    replicas: deployment.status?.replicas ?? 0,
  });
}

function rolled({ current, old }: Observation, bounds: RolloutBounds): readonly Resize[] | "make" {
  return current === undefined ? "make" : rollingStep(bounds, sizeOf(current), old.map(sizeOf));
}

/** All old pods go, and only when the last one is gone the new ones come. */
function recreated({ current, old }: Observation, { desired }: RolloutBounds): readonly Resize[] | "make" {
  const shrinking = old.filter(({ spec }) => (spec?.replicas ?? 1) > 0);
  if (shrinking.length > 0) return shrinking.map(({ metadata }) => ({ name: metadata.name ?? "", to: 0 }));
  if (old.some(mayHavePods)) return [];
  return current === undefined ? "make" : [{ name: current.metadata.name ?? "", to: desired }];
}

function mayHavePods({ metadata, status }: ReplicaSet): boolean {
  const isBehind = (status?.observedGeneration ?? 0) < (metadata.generation ?? 0);
  return isBehind || (status?.replicas ?? 0) > 0 || (status?.terminatingReplicas ?? 0) > 0;
}

/**
 * The writes that give ReplicaSets these sizes and the current one its annotations; none where all is so already. `noting`: numbers
 * that are noted on those in `resizes` are renewed too.
 */
function resized(
  { deployment, current, old }: Observation,
  bounds: RolloutBounds,
  resizes: readonly Resize[],
  noting: boolean,
): readonly Effect[] {
  const sizes = new Map(resizes.map(({ name, to }) => [name, to]));
  const minReady = deployment.spec?.minReadySeconds ?? 0;
  return [...(current === undefined ? [] : [current]), ...old].flatMap((replicaSet): readonly Effect[] => {
    const { annotations: before, name = "" } = replicaSet.metadata;
    const had = replicaSet.spec?.replicas ?? 1;
    const replicas = sizes.get(name) ?? had;
    const own = replicaSet === current ? currentAnnotations(deployment, before, old) : (before ?? {});
    const annotations = replicas !== had || (noting && sizes.has(name)) ? notedAnnotations(own, bounds) : own;
    const hadMinReady = replicaSet.spec?.minReadySeconds ?? 0;
    const minReadySeconds = replicaSet === current ? minReady : hadMinReady;
    if (replicas === had && minReadySeconds === hadMinReady && deepEqual(annotations, before ?? {})) return [];
    return [{ kind: "update", replicaSet, replicas, minReadySeconds, annotations }];
  });
}

/** Old ReplicaSets beyond the history that is kept, the lowest revisions first. Those with pods stay. */
function forgotten({ deployment, old }: Observation): readonly Effect[] {
  const limit = deployment.spec?.revisionHistoryLimit;
  if (limit === undefined || limit === NO_LIMIT) return [];
  const there = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return there
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, Math.max(there.length - limit, 0))
    .filter(({ metadata, spec, status }) => {
      const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
      return isSeen && (status?.replicas ?? 0) === 0 && (spec?.replicas ?? 1) === 0;
    })
    .map((replicaSet) => ({ kind: "delete", replicaSet }));
}

const NO_LIMIT = 2 ** 31 - 1;

function isRecreate({ spec }: Deployment): boolean {
  return spec?.strategy?.type === "Recreate";
}
