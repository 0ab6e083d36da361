import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";
import type { RolloutBounds } from "./rollout-bounds.ts";

type Annotations = Readonly<Record<string, string>>;

/** Which template of a Deployment a ReplicaSet holds, counted from 1; and on the Deployment, which it has now. */
export const REVISION = "deployment.kubernetes.io/revision";
const HISTORY = "deployment.kubernetes.io/revision-history";
const DESIRED = "deployment.kubernetes.io/desired-replicas";
const MOST = "deployment.kubernetes.io/max-replicas";
/** What belongs to the Deployment, or to the ReplicaSet, alone. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  "deprecated.deployment.rollback.to",
  REVISION,
  HISTORY,
  DESIRED,
  MOST,
]);
const LONGEST_HISTORY = 2000;

/** The revision of a ReplicaSet; 0 when none is written on it. */
export function revisionOf({ metadata }: Immutable<apps.ReplicaSet>): number {
  return natural(metadata.annotations?.[REVISION]) ?? 0;
}

/** How many pods the Deployment wanted when this ReplicaSet was last resized. */
export function desiredBefore({ metadata }: Immutable<apps.ReplicaSet>): number | undefined {
  return natural(metadata.annotations?.[DESIRED]);
}

/** How many pods it could have had then. */
export function mostBefore({ metadata }: Immutable<apps.ReplicaSet>): number | undefined {
  const noted = natural(metadata.annotations?.[MOST]);
  return noted === 0 ? undefined : noted;
}

/**
 * The annotations of the ReplicaSet that holds the Deployment's template: those of the Deployment, and a revision above all others.
 * One that returns, by a rollback, remembers which it was.
 */
export function currentAnnotations(
  deployment: Immutable<apps.Deployment>,
  before: Annotations | undefined,
  old: readonly Immutable<apps.ReplicaSet>[],
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key));
  const kept: Annotations = { ...before, ...Object.fromEntries(copied) };
  const revision = 1 + Math.max(0, ...old.map(revisionOf));
  const was = kept[REVISION];
  const wasNumber = was === undefined ? 0 : natural(was);
  if (wasNumber === undefined || wasNumber >= revision) return kept;
  const raised = { ...kept, [REVISION]: String(revision) };
  return was === undefined ? raised : { ...raised, [HISTORY]: lengthened(kept[HISTORY], was) };
}

/** With the Deployment's numbers noted. */
export function notedAnnotations(before: Annotations | undefined, { desired, maxSurge }: RolloutBounds): Annotations {
  return { ...before, [DESIRED]: String(desired), [MOST]: String(desired + maxSurge) };
}

/** The oldest revisions are forgotten when the list gets too long. */
function lengthened(history: string | undefined, revision: string): string {
  const revisions = history === undefined || history === "" ? [revision] : [...history.split(","), revision];
  while (revisions.length > 1 && revisions.join(",").length > LONGEST_HISTORY) revisions.shift();
  return revisions.join(",");
}

function natural(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
