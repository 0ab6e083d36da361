import { StatusError, deepEqual } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, ObjectRef, Resource } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { sleep, systemClock } from "@gatewright/ports";
import { allResources } from "@gatewright/resources";
import type { Condition } from "@gatewright/runtime";
import type { Cluster } from "../routing/cluster.ts";
import type { Operator } from "../routing/operator.ts";
import type { Manifest } from "./routing-case.ts";
import type { SetTime } from "./set-time.ts";

/** How old objects are that do not say it. */
const USUAL_AGE = "2026-02-01T00:00:00Z";
const RESOURCES: ReadonlyMap<string, Resource> = new Map(
  allResources.filter(({ group }) => group === "avapigw.io").map((resource) => [resource.kind, resource]),
);
const LOOKS = 10_000;
const BETWEEN_LOOKS_MS = 1;

type Told = Immutable<ApiObject & { readonly status?: { readonly conditions?: readonly Condition[] } }>;

/** The objects of the table that are stored in a cluster. */
export class StoredObjects {
  /** Those of the last set that are not stored, and what was said to who wrote them. */
  readonly refused = new Map<string, string>();
  readonly #cluster: Cluster;
  readonly #operator: Operator;
  readonly #time: SetTime;
  readonly #stored = new Map<string, Manifest>();
  readonly #namespaces = new Set(["default"]);

  constructor(cluster: Cluster, operator: Operator, time: SetTime) {
    this.#cluster = cluster;
    this.#operator = operator;
    this.#time = time;
  }

  /** Writes what differs, oldest first, so that these are all there is. Done when each says that it serves, or why it does not. */
  async become(objects: readonly Manifest[], signal: AbortSignal): Promise<void> {
    this.refused.clear();
    const wanted = new Map(objects.map((object) => [keyOf(object), object]));
    await this.#remove(wanted, signal);
    for (const object of [...wanted.values()].toSorted((a, b) => Date.parse(ageOf(a)) - Date.parse(ageOf(b))))
      await this.#write(object, signal);
    if (this.refused.size > 0) {
      // Perhaps for the sake of what others were before they were written.
      await this.#settled(signal);
      const again = [...this.refused.keys()];
      this.refused.clear();
      for (const key of again) await this.#write(wanted.get(key) as Manifest, signal);
    }
    await this.#settled(signal);
  }

  async #remove(wanted: ReadonlyMap<string, Manifest>, signal: AbortSignal): Promise<void> {
    const gone: string[] = [];
    for (const [key, object] of this.#stored) {
      const next = wanted.get(key);
      if (next !== undefined && ageOf(next) === ageOf(object)) continue;
      await this.#cluster.client.for(resourceOf(object)).delete(refOf(object), { signal });
      this.#stored.delete(key);
      gone.push(key);
    }
    // Before the operator has seen it, admission would hold others to it.
    await this.#until(
      "they are gone",
      () => gone.every((key) => this.#operator.catalogue.get(key) === undefined),
      signal,
    );
  }

  async #write(object: Manifest, signal: AbortSignal): Promise<void> {
    const key = keyOf(object);
    const before = this.#stored.get(key);
    if (before !== undefined && deepEqual(before.spec as Json, object.spec as Json)) return;
    const objects = this.#cluster.client.for(resourceOf(object));
    const ref = refOf(object);
    await this.#namespace(ref.namespace, signal);
    this.#time.set(Date.parse(ageOf(object)));
    const body = { metadata: ref, spec: object.spec };
    try {
      if (before === undefined) await objects.create(body, { signal });
      else await objects.patch(ref, { json: [{ op: "replace", path: "/spec", value: object.spec }] }, { signal });
      this.#stored.set(key, object);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      this.refused.set(key, error.message);
    }
  }

  /** Everything that is stored has been told of, and all of it is with the gateway. */
  async #settled(signal: AbortSignal): Promise<void> {
    const { catalogue, connections } = this.#operator;
    const told = async (): Promise<boolean> => {
      for (const object of this.#stored.values()) {
        const found = await this.#cluster.client.for(resourceOf(object)).get(refOf(object), { signal });
        if (!isTold(found)) return false;
      }
      const all = connections.all();
      return all.length === 1 && all.every(({ acknowledged }) => acknowledged === catalogue.revision);
    };
    await this.#until("every object is told of", told, signal);
  }

  async #namespace(name: string, signal: AbortSignal): Promise<void> {
    if (this.#namespaces.has(name)) return;
    await this.#cluster.client.for(core.Namespace).apply({ metadata: { name } }, { signal });
    this.#namespaces.add(name);
  }

  async #until(what: string, holds: () => boolean | Promise<boolean>, signal: AbortSignal): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      if (await holds()) return;
      await sleep(systemClock, BETWEEN_LOOKS_MS, signal);
    }
    throw new Error(`it never came true that ${what}`);
  }
}

/** Whether its status says of this generation that it serves, or why it does not. */
function isTold({ metadata, status }: Told): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.observedGeneration === metadata.generation && ready?.reason !== "Pending";
}

function ageOf({ metadata }: Manifest): string {
  return metadata.creationTimestamp ?? USUAL_AGE;
}

function refOf({ metadata }: Manifest): ObjectRef & { readonly namespace: string } {
  return { namespace: metadata.namespace ?? "default", name: metadata.name };
}

function keyOf(object: Manifest): string {
  const { namespace, name } = refOf(object);
  return `${object.kind} ${namespace}/${name}`;
}

function resourceOf({ kind }: Manifest): Resource {
  const resource = RESOURCES.get(kind);
  if (resource === undefined) throw new Error(`there is no kind ${kind}`);
  return resource;
}
