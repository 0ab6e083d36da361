import type { Deliverable, DeliverableKey } from "../../model/deliverable.ts";
import { deliverableKey } from "../../model/deliverable.ts";
import type { Resource } from "../resource.ts";
import type { ResourceSet } from "../resource-set.ts";
import { dialledCluster, dialledTraits, mentionsOf } from "./destinations.ts";
import type { BackendTraits, Destination } from "./destinations.ts";
import { dialledResources, translatedBackend } from "./translated-backend.ts";
import type { TranslatedBackend } from "./translated-backend.ts";

/** Backends by what routes call them, and the addresses that no object describes while routes lead there. */
export class BackendBook {
  readonly #backends = new Map<DeliverableKey, TranslatedBackend>();
  /** By the only host of each; in the order of their names, whoever came first. */
  readonly #byAddress = new Map<string, DeliverableKey[]>();
  /** Destinations of routes, with how many lead there. */
  readonly #used = new Map<string, { readonly destination: Destination; count: number }>();
  readonly #written = new Map<string, { readonly cluster: Resource; readonly endpoints: Resource | undefined }>();

  *all(): Generator<Deliverable> {
    for (const { deliverable } of this.#backends.values()) yield deliverable;
  }

  translated(): Iterable<TranslatedBackend> {
    return this.#backends.values();
  }

  /** A backend is there, or is another. `touched` gets what routes may call it or called it. */
  set(deliverable: Deliverable, touched: Set<string>): void {
    this.delete(deliverable, touched);
    const key = deliverableKey(deliverable);
    const made = translatedBackend(deliverable);
    this.#backends.set(key, made);
    const address = this.#addressOf(made);
    if (address !== undefined) {
      this.#byAddress.set(address, [...(this.#byAddress.get(address) ?? []), key].toSorted());
      touched.add(address);
    }
    touched.add(key);
  }

  delete(deliverable: Deliverable, touched: Set<string>): void {
    const key = deliverableKey(deliverable);
    const held = this.#backends.get(key);
    if (held === undefined) return;
    this.#backends.delete(key);
    touched.add(key);
    const address = this.#addressOf(held);
    if (address === undefined) return;
    touched.add(address);
    const others = (this.#byAddress.get(address) ?? []).filter((other) => other !== key);
    if (others.length === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, others);
  }

  /** A route leads there from now on. */
  use(destination: Destination): void {
    const key = JSON.stringify(destination);
    const held = this.#used.get(key);
    if (held === undefined) this.#used.set(key, { destination, count: 1 });
    else held.count++;
  }

  leave(destination: Destination): void {
    const key = JSON.stringify(destination);
    const held = this.#used.get(key);
    if (held === undefined) return;
    held.count--;
    if (held.count === 0) this.#used.delete(key);
  }

  traits(destination: Destination): BackendTraits {
    return this.#find(destination)?.traits ?? dialledTraits(dialledCluster(destination));
  }

  /** What routes to these destinations have to know, as one text. */
  signature(destinations: readonly Destination[]): string {
    return destinations
      .map((destination) => this.#find(destination)?.signature ?? dialledCluster(destination))
      .join("\n");
  }

  /** Makes clusters and endpoints what they are now. Endpoints go out again with their cluster: Envoy waits for them. */
  write(resources: ResourceSet, generation: number): void {
    const wanted = new Map<string, { readonly cluster: Resource; readonly endpoints: Resource | undefined }>();
    for (const made of this.#backends.values()) wanted.set(made.cluster.name, made);
    for (const { destination } of this.#used.values()) {
      if (this.#find(destination) !== undefined) continue;
      const name = dialledCluster(destination);
      wanted.set(name, this.#written.get(name) ?? dialledResources(name, destination));
    }
    for (const [name, made] of wanted) {
      const before = this.#written.get(name);
      if (before === made) continue;
      const isNews = resources.of("cluster").set(made.cluster, generation);
      if (made.endpoints !== undefined) resources.of("endpoints").set(made.endpoints, generation, isNews);
      else resources.of("endpoints").remove(name, generation);
      this.#written.set(name, made);
    }
    for (const name of this.#written.keys()) {
      if (wanted.has(name)) continue;
      resources.of("cluster").remove(name, generation);
      resources.of("endpoints").remove(name, generation);
      this.#written.delete(name);
    }
  }

  #find(destination: Destination): TranslatedBackend | undefined {
    const [name, address] = mentionsOf(destination);
    const [first] = this.#byAddress.get(address) ?? [];
    return this.#backends.get(name) ?? (first === undefined ? undefined : this.#backends.get(first));
  }

  #addressOf({ deliverable: { kind, namespace }, address }: TranslatedBackend): string | undefined {
    return address === undefined ? undefined : `${kind} ${namespace} ${address}`;
  }
}
