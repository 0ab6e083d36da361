import type { KindStage } from "./kind-stage.ts";

/** Another AWS that laws are tried on, instead of the stage that each brings along. */
export interface OtherAws {
  readonly open: () => Promise<KindStage>;
  /** By kind, then by field or `*` for walks through many: what it is known not to do, with the reason. It must still fail there. */
  readonly gaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By kind: what it tells of new resources otherwise than AWS does. */
  readonly normal: Readonly<Record<string, (state: unknown) => unknown>>;
}

let chosen: OtherAws | undefined;
const tried = new Set<string>();

/** Laws that are registered from now on are tried there. Once in a process, before they are loaded. */
export function tryLawsOn(other: OtherAws): void {
  chosen = other;
}

/** The one that was chosen, and what it is known for with this kind. */
export function otherAwsFor(kind: string): {
  readonly open?: OtherAws["open"];
  readonly gaps: Readonly<Record<string, string>>;
  readonly normal: (state: unknown) => unknown;
} {
  tried.add(kind);
  const gaps = chosen?.gaps[kind] ?? {};
  const normal = chosen?.normal[kind] ?? ((state: unknown) => state);
  return chosen === undefined ? { gaps, normal } : { open: chosen.open, gaps, normal };
}

/** Kinds whose laws were registered so far. */
export function kindsTried(): ReadonlySet<string> {
  return tried;
}
