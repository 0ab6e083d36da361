import type { SecretValue, VersionRecord } from "./records.ts";

export const CURRENT = "AWSCURRENT";
export const PREVIOUS = "AWSPREVIOUS";

/** Deprecated versions beyond it go, the oldest first. */
const MOST_KEPT = 100;

type Versions = readonly VersionRecord[];

/** The version that has a label. */
export function versionAt(versions: Versions, stage: string): VersionRecord | undefined {
  return versions.find(({ stages }) => stages.includes(stage));
}

/**
 * Moves a label to a version, from whichever has it. Where the label is the current one, the version that had it becomes the
 * previous one. Without a version the label is on none from then on.
 */
export function withStage(versions: Versions, stage: string, id: string | undefined): Versions {
  const before = versionAt(versions, stage);
  const moved = versions.map((version) => {
    const others = version.stages.filter((each) => each !== stage);
    return { ...version, stages: version.id === id ? [...others, stage] : others };
  });
  return stage === CURRENT && id !== undefined && before !== undefined && before.id !== id
    ? withStage(moved, PREVIOUS, before.id)
    : moved;
}

/** Adds a version and gives it labels. The first that a secret has is the current one, whatever was asked for. */
export function withVersion(
  versions: Versions,
  version: Pick<VersionRecord, "id" | "value" | "createdAt">,
  stages: readonly string[],
): Versions {
  const wanted = versionAt(versions, CURRENT) === undefined ? new Set([...stages, CURRENT]) : new Set(stages);
  const added = [...wanted].reduce<Versions>(
    (all, stage) => withStage(all, stage, version.id),
    [...versions, { ...version, stages: [] }],
  );
  return withoutOldest(added);
}

export function sameValue(one: SecretValue, other: SecretValue): boolean {
  return "text" in one ? "text" in other && one.text === other.text : "base64" in other && one.base64 === other.base64;
}

function withoutOldest(versions: Versions): Versions {
  let over = versions.length - MOST_KEPT;
  return over <= 0 ? versions : versions.filter(({ stages }) => stages.length > 0 || over-- <= 0);
}
