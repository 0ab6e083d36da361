import type { ApiObject, Immutable } from "@gatewright/kube";
import type { meta } from "@gatewright/kube/api";
import { controllerOf } from "@gatewright/runtime";

/**
 * How selectors and the objects that they match find each other without looking at all there are: a selector is filed under one of
 * its labels (or under its namespace alone, when it has only expressions), an object under all of its labels and its namespace.
 */
export function selectorAnchor(namespace: string, { matchLabels }: Immutable<meta.LabelSelector>): string {
  let anchor = namespace;
  // The last one: a pod-template-hash comes last and has the fewest objects.
  for (const [key, value] of Object.entries(matchLabels ?? {})) anchor = labelAnchor(namespace, key, value);
  return anchor;
}

/** Under what an object is filed, so that every selector that may match it finds it under its {@link selectorAnchor}. */
export function labelAnchors({ metadata: { namespace = "", labels } }: Immutable<ApiObject>): readonly string[] {
  return [namespace, ...Object.entries(labels ?? {}).map(([key, value]) => labelAnchor(namespace, key, value))];
}

/** Names of the indexes that an informer has for its objects' controllers. */
export const BY_CONTROLLER = "workloads/controller";
export const BY_ORPHAN = "workloads/orphan";
export const BY_SELECTOR = "workloads/selector";

/** By the uid of the owner that controls it. */
export function byController(object: Immutable<ApiObject>): readonly string[] {
  const owner = controllerOf(object);
  return owner === undefined ? [] : [owner.uid];
}

/** Those that nobody controls, by what selectors look for. */
export function byOrphan(object: Immutable<ApiObject>): readonly string[] {
  return controllerOf(object) === undefined ? labelAnchors(object) : [];
}

function labelAnchor(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`;
}
