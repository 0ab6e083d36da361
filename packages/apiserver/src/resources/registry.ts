import type { GroupResource, GroupVersionKind } from "@gatewright/kube";
import { compareVersions, formatGroupResource } from "@gatewright/kube";
import type { Resource, ServedVersion } from "./resource.ts";

/** The resources that are served now. Reading is cheap; listeners hear of every change. */
export class ResourceRegistry {
  readonly #byName = new Map<string, Resource>();
  readonly #listeners = new Set<() => void>();
  #version = 0;

  /** Rises with every change: what derived documents (discovery, OpenAPI) are cached by. */
  get version(): number {
    return this.#version;
  }

  get(gr: GroupResource): Resource | undefined {
    return this.#byName.get(formatGroupResource(gr));
  }

  /** The resource and version behind a URL, or undefined where nothing is served. */
  served(group: string, version: string, resource: string): { resource: Resource; version: ServedVersion } | undefined {
    const found = this.get({ group, resource });
    const served = found?.versions.find((v) => v.version === version);
    return found && served ? { resource: found, version: served } : undefined;
  }

  byKind(gvk: GroupVersionKind): Resource | undefined {
    for (const r of this.#byName.values()) {
      if (r.group === gvk.group && r.kind === gvk.kind && r.versions.some((v) => v.version === gvk.version)) return r;
    }
    return undefined;
  }

  /** All resources, in the order in which they were first set: built-in kinds before custom ones. */
  all(): IterableIterator<Resource> {
    return this.#byName.values();
  }

  /** Groups in discovery order, each with its versions, preferred first. */
  groups(): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const r of this.#byName.values()) {
      const versions = groups.get(r.group) ?? [];
      for (const { version } of r.versions) if (!versions.includes(version)) versions.push(version);
      groups.set(r.group, versions);
    }
    for (const versions of groups.values()) versions.sort(compareVersions);
    return groups;
  }

  set(resource: Resource): void {
    this.#byName.set(formatGroupResource(resource), resource);
    this.#changed();
  }

  remove(gr: GroupResource): void {
    if (this.#byName.delete(formatGroupResource(gr))) this.#changed();
  }

  /** Calls `listener` after each change; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}
