import { definitionNameOfKind } from "@gatewright/kube";
import type { GroupVersionKind } from "@gatewright/kube";
import type { Resource } from "../resources/resource.ts";

/** The name of a kind's schema: the built-in definition's, or the reversed group with version and kind. */
export function schemaName({ group, version, kind }: GroupVersionKind): string {
  const builtin = definitionNameOfKind(group, version, kind);
  return builtin ?? `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/** The name of a resource's own schema in one of its versions. */
export function schemaNameOf(resource: Resource, version: string): string {
  return schemaName({ group: resource.group, version, kind: resource.kind });
}

/** A group in operation ids: `RbacAuthorization`, `Core`. */
export function groupIdentifier(group: string): string {
  if (group === "") return "Core";
  const words = group.replace(/\.k8s\.io$/, "").split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** A group version as a tag: `rbacAuthorization_v1`. */
export function groupTag(group: string, version: string): string {
  const identifier = groupIdentifier(group);
  return `${identifier.charAt(0).toLowerCase()}${identifier.slice(1)}_${version}`;
}
