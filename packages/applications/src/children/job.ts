import type { Immutable } from "@gatewright/kube";
import type { batch } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf } from "./names.ts";
import { podTemplate } from "./pod-template.ts";

/** Says on a Job which generation of its Application it runs. */
const GENERATION = "cloudnative.elide.dev/generation";

/**
 * The Job that runs an Application to completion: as many pods as it has replicas, each of which must succeed. A pod that failed
 * stays, so that it can be told why.
 */
export function job(app: Immutable<Application>): Applied<batch.Job> {
  const { replicas } = app.spec;
  const { metadata, spec } = podTemplate(app);
  return {
    metadata: { name: homeOf(app).name, labels: labelsOf(app), annotations: { [GENERATION]: generationOf(app) } },
    spec: {
      parallelism: replicas,
      completions: replicas,
      template: { metadata, spec: { ...spec, restartPolicy: "Never" } },
    },
  };
}

/**
 * Whether a Job is of the spec as it is now. Judged by generation and not by what would be applied: a new version of this program
 * that makes Jobs a little differently must not run everything again.
 */
export function isCurrent(known: Immutable<batch.Job>, app: Immutable<Application>): boolean {
  return known.metadata.annotations?.[GENERATION] === generationOf(app);
}

function generationOf({ metadata }: Immutable<Application>): string {
  return String(metadata.generation ?? 0);
}
