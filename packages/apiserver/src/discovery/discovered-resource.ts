import { createHash } from "node:crypto";
import { formatGroupResource } from "@gatewright/kube";
import type { GroupVersionKind } from "@gatewright/kube";
import type { ResourceRegistry } from "../resources/registry.ts";
import type { Resource, Subresource } from "../resources/resource.ts";

/** A resource in one version as discovery shows it, before either format. */
export interface DiscoveredResource {
  readonly resource: Resource;
  readonly version: string;
  readonly verbs: readonly string[];
  /** Absent for kinds that are not stored. */
  readonly storageVersionHash: string | undefined;
  readonly subresources: readonly DiscoveredSubresource[];
}

export interface DiscoveredSubresource {
  readonly name: string;
  /** Set where the body is of another kind than the resource. */
  readonly kind: GroupVersionKind | undefined;
  readonly verbs: readonly string[];
}

/** The resources of a group version: built-in ones by name, custom ones in the order of the registry. */
export function discoverResources(registry: ResourceRegistry, group: string, version: string): DiscoveredResource[] {
  const found: DiscoveredResource[] = [];
  for (const resource of registry.all()) {
    const served = resource.group === group ? resource.versions.find((v) => v.version === version) : undefined;
    if (!served) continue;
    found.push({
      resource,
      version,
      verbs: resource.custom
        ? CUSTOM_VERBS.filter((verb) => resource.verbs.includes(verb))
        : [...resource.verbs].sort(),
      storageVersionHash: resource.review ? undefined : storageVersionHash(registry, resource),
      subresources: discoverSubresources(resource, served.subresources),
    });
  }
  return found.sort((a, b) => {
    if (a.resource.custom || b.resource.custom) return Number(a.resource.custom) - Number(b.resource.custom);
    return a.resource.resource < b.resource.resource ? -1 : 1;
  });
}

/** The real server lists the verbs of custom resources in this order, and sorts those of built-in ones. */
const CUSTOM_VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

function discoverSubresources(
  resource: Resource,
  subresources: ReadonlyMap<string, Subresource>,
): DiscoveredSubresource[] {
  const names = [...subresources].flatMap(([name, part]) => (isTold(part) ? [name] : [])).sort();
  if (resource.custom) names.reverse(); // status before scale
  return names.map((name) => {
    const subresource = subresources.get(name)!;
    return { name, kind: bodyKind(resource, subresource), verbs: verbsOf(name, subresource) };
  });
}

function isTold(subresource: Subresource): boolean {
  return subresource.type !== "connect" || subresource.verbs.length > 0;
}

function bodyKind(resource: Resource, subresource: Subresource): GroupVersionKind | undefined {
  if (subresource.type === "scale") return { group: "autoscaling", version: "v1", kind: "Scale" };
  if (subresource.type === "object") return undefined;
  const { kind } = subresource;
  return kind.group === resource.group && kind.kind === resource.kind ? undefined : kind;
}

function verbsOf(name: string, subresource: Subresource): readonly string[] {
  if (subresource.type === "connect") return subresource.verbs;
  if (subresource.type === "action") return ["create"];
  return name === "finalize" ? ["update"] : ["get", "patch", "update"];
}

/** Resources that the real server keeps in a version that is no longer served: their hash is of that version. */
const HASHED_VERSIONS: ReadonlyMap<string, string> = new Map([
  ["customresourcedefinitions.apiextensions.k8s.io", "v1beta1"],
]);

/** Tells clients when the stored form of a kind changes. Kinds that share a table share it. */
function storageVersionHash(registry: ResourceRegistry, resource: Resource): string {
  let stored = resource;
  for (const other of registry.all()) {
    if (other.table === resource.table) {
      stored = other;
      break;
    }
  }
  const version = HASHED_VERSIONS.get(formatGroupResource(stored)) ?? stored.storageVersion;
  const text = `${stored.group}/${version}/${stored.kind}`;
  return createHash("sha256").update(text).digest().subarray(0, 8).toString("base64");
}
