import type { Mutant } from "./mutants.ts";

const APPLICATIONS = "packages/applications/src";

/** Bugs of the controller of Applications. */
export const APPLICATION_MUTANTS: readonly Mutant[] = [
  {
    name: "application-errors-swallowed",
    about: "an effect that failed is taken for done",
    file: `${APPLICATIONS}/controller.ts`,
    find: `    if (obstacle === undefined) throw error;`,
    replace: `    if (obstacle === undefined) return done();`,
    scenario: "applications",
  },
  {
    name: "job-succeeded-for-good",
    about: "what has run to completion once never runs again, whatever its spec",
    file: `${APPLICATIONS}/status/job-state.ts`,
    find: `status?.phase === "Succeeded" && status.observedGeneration === metadata.generation;`,
    replace: `status?.phase === "Succeeded" && metadata !== undefined;`,
    scenario: "applications",
  },
  {
    name: "job-never-replaced",
    about: "a Job of an older spec counts as one of the newest",
    file: `${APPLICATIONS}/children/job.ts`,
    find: `  return known.metadata.annotations?.[GENERATION] === generationOf(app);`,
    replace: `  return known.metadata.annotations?.[GENERATION] !== undefined && app !== undefined;`,
    scenario: "applications",
  },
  {
    name: "job-from-an-old-cache",
    about: "a Job is made, and children are removed, by a spec that only an old cache shows",
    file: `${APPLICATIONS}/effects.ts`,
    find: `live?.metadata.generation !== generation)`,
    replace: `generation === undefined)`,
    scenario: "applications",
  },
  {
    name: "rolling-defaults-unowned",
    about:
      "the bounds of rolling updates are left to the server and stay when the strategy changes, which the server refuses",
    file: `${APPLICATIONS}/children/deployment.ts`,
    find: `const ROLLING = { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } } as const;`,
    replace: `const ROLLING = { type: "RollingUpdate" } as const;`,
    scenario: "applications",
  },
  {
    name: "application-shared-memory",
    about: "what was applied for Applications is remembered beyond the life of a process",
    file: `${APPLICATIONS}/controller.ts`,
    find: `  const children = ownedBy(Application);\n`,
    replace: `  const children = ((globalThis as any).sharedChildren ??= ownedBy(Application));\n`,
    scenario: "applications",
  },
];
