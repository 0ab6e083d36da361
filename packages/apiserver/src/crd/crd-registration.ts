import { deepEqual } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { struct, structs, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { customResource } from "./custom-resource.ts";
import type { CustomResourceDeps } from "./custom-resource.ts";
import { conditionStatus } from "./crd-view.ts";

interface Registered {
  crd: KubeObject;
  readonly resource: Resource;
  readonly storedAsDefined: boolean;
}

/** Keeps the registry of resources in step with the definitions that are established. */
export class CrdRegistration {
  readonly #cluster: Cluster;
  readonly #deps: Omit<CustomResourceDeps, "storedAsDefined" | "terminating">;
  readonly #registered = new Map<string, Registered>();

  constructor(cluster: Cluster, deps: Omit<CustomResourceDeps, "storedAsDefined" | "terminating">) {
    this.#cluster = cluster;
    this.#deps = deps;
  }

  /** Serves the definition as it is now, or not at all while it is not established. Built-in kinds are never replaced. */
  apply(name: string, crd: KubeObject): void {
    if (conditionStatus(crd, "Established") !== "True") return;
    const known = this.#registered.get(name);
    if (known && known.crd.metadata.uid === crd.metadata.uid && servesTheSame(known.crd, crd)) {
      known.crd = crd;
      return;
    }
    const spec = struct(crd, "spec");
    const gr = { group: text(spec, "group"), resource: text(struct(spec, "names"), "plural") };
    if (this.#cluster.resources.get(gr)?.custom === false) return;
    const storedAsDefined = this.#storedAsDefined(name, crd, known);
    const terminating = (): boolean =>
      conditionStatus(this.#registered.get(name)?.crd ?? crd, "Terminating") === "True";
    const resource = customResource(crd, { ...this.#deps, storedAsDefined, terminating });
    this.#registered.set(name, { crd, resource, storedAsDefined });
    this.#cluster.resources.set(resource);
  }

  remove(name: string): void {
    const known = this.#registered.get(name);
    if (known) this.#cluster.resources.remove(known.resource);
    this.#registered.delete(name);
  }

  /** The resource of a definition, where it is served. */
  resource(name: string): Resource | undefined {
    return this.#registered.get(name)?.resource;
  }

  /** Whether all stored objects were written under the schema that the storage version has now. */
  #storedAsDefined(name: string, crd: KubeObject, known: Registered | undefined): boolean {
    if (this.#cluster.store.table(name).snapshot().size === 0) return true;
    if (known && known.crd.metadata.uid === crd.metadata.uid) {
      return known.storedAsDefined && deepEqual(storageOf(known.crd), storageOf(crd));
    }
    return crd.metadata.generation === 1;
  }
}

function storageOf(crd: KubeObject): JsonObject | undefined {
  const version = structs(struct(crd, "spec"), "versions").find((v) => v["storage"] === true);
  return version && { name: text(version, "name"), schema: version["schema"] ?? null };
}

function servesTheSame(a: KubeObject, b: KubeObject): boolean {
  const status = (crd: KubeObject): JsonObject => struct(crd, "status") ?? {};
  return (
    deepEqual(a["spec"], b["spec"]) &&
    deepEqual(status(a)["acceptedNames"], status(b)["acceptedNames"]) &&
    deepEqual(status(a)["storedVersions"], status(b)["storedVersions"])
  );
}
