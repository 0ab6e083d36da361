import { deepEqual, isObject } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { apps, core } from "@gatewright/kube/api";

type Template = Immutable<core.PodTemplateSpec>;

/** The label by which the pods of one ReplicaSet of a Deployment differ from those of the others. */
export const TEMPLATE_HASH = "pod-template-hash";

const LONGEST_NAME = 253;
/** What stands for the digits of a hash: no vowels, so that no words appear. */
const DIGITS = "456789bcdf";

/**
 * A short text that is another for another template. It looks as it does in Kubernetes but has other values, since those depend on
 * how Go prints its structs. `collisions` gives another one when that name was taken.
 */
export function templateHash(template: Template, collisions = 0): string {
  const text = JSON.stringify(template, sorted) + (collisions === 0 ? "" : String(collisions));
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return Array.from(String(hash), (digit) => DIGITS[Number(digit)]).join("");
}

/** The name of a ReplicaSet; a Deployment's name that is too long is cut. */
export function replicaSetName(deployment: string, hash: string): string {
  return `${deployment.slice(0, LONGEST_NAME - 1 - hash.length)}-${hash}`;
}

/** The template of a ReplicaSet, with the hash among its labels. */
export function hashedTemplate(template: Template, hash: string): Template {
  const labels = { ...template.metadata?.labels, [TEMPLATE_HASH]: hash };
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** Whether a ReplicaSet was made of this template. */
export function isOfTemplate({ spec }: Immutable<apps.ReplicaSet>, template: Template): boolean {
  return deepEqual(withoutHash(spec?.template ?? {}), withoutHash(template));
}

function withoutHash(template: Template): Json {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } } as unknown as Json;
}

function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
