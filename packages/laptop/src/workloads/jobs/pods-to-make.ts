import type { Immutable } from "@gatewright/kube";
import { batch } from "@gatewright/kube/api";
import type { core } from "@gatewright/kube/api";
import { podFromTemplate } from "../pods/pod-from-template.ts";
import type { Wanted } from "../pods/pod-maker.ts";
import { LONGEST_PREFIX } from "../../steady-name.ts";
import { COMPLETION_INDEX, TRACKING } from "./job-pod.ts";

type Job = Immutable<batch.Job>;
type Template = Immutable<core.PodTemplateSpec>;
type Container = Immutable<core.Container>;

const INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

/** The pods that a Job wants, each held by the finalizer until it is counted. */
export function podsToMake(job: Job, indexes: readonly (number | undefined)[]): readonly Wanted[] {
  const { name: owner = "", uid = "" } = job.metadata;
  const template = held(job.spec?.template ?? {});
  return indexes.map((index) => {
    const prefix = index === undefined ? `${owner}-` : indexedPrefix(owner, index);
    const own = index === undefined ? template : indexed(template, owner, index);
    return {
      prefix,
      series: index === undefined ? uid : `${uid}/${index}`,
      build: (name) => podFromTemplate(job, batch.Job, { template: own, prefix, name }),
    };
  });
}

function held(template: Template): Template {
  const finalizers = (template.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== TRACKING);
  return { ...template, metadata: { ...template.metadata, finalizers: [...finalizers, TRACKING] } };
}

/** Tells its index to a pod in every way in which it may ask. */
function indexed(template: Template, job: string, index: number): Template {
  const { metadata, spec } = template;
  const told = { [COMPLETION_INDEX]: String(index) };
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, ...told },
      annotations: { ...metadata?.annotations, ...told },
    },
    ...(spec !== undefined && {
      spec: {
        ...spec,
        hostname: `${job}-${index}`,
        containers: spec.containers.map(withIndex),
        ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(withIndex) }),
      },
    }),
  };
}

function withIndex(container: Container): Container {
  if (container.env?.some(({ name }) => name === INDEX_VARIABLE) === true) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` } };
  return { ...container, env: [...(container.env ?? []), { name: INDEX_VARIABLE, valueFrom }] };
}

/** A long name is cut before the index, not after. */
function indexedPrefix(job: string, index: number): string {
  const end = `-${index}-`;
  return job.slice(0, LONGEST_PREFIX - end.length) + end;
}
