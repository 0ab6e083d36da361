import type { GroupResource, KubeObject, OwnerReference } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { FOREGROUND, ORPHAN } from "../resources/finalizers.ts";
import type { Resource } from "../resources/resource.ts";
import type { Entry } from "../store/store.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { followResources } from "./follow-resources.ts";
import { followTable } from "./follow-table.ts";
import type { Seen } from "./follow-table.ts";
import { OwnerGraph, ownerLinks } from "./owner-graph.ts";
import type { Dependent } from "./owner-graph.ts";
import { isDeletingWith, ownerStanding } from "./owner-standing.ts";
import type { OwnerStanding } from "./owner-standing.ts";
import { unlessGone } from "./unless-gone.ts";
import { WorkQueue } from "./work-queue.ts";

/** Deletions wait for the disk one by one; this many may wait together. */
const CONCURRENCY = 20;
/** How many deleted owners are remembered, for dependents whose owner's kind goes away together with the owner. */
const REMEMBERED_DELETIONS = 1_000;

const OWNED = Buffer.from('"ownerReferences"');
const DELETING = Buffer.from('"deletionTimestamp"');

/** An object of which only the place and identity are kept. */
interface Place {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * Deletes objects whose owners are all gone, and carries out foreground and orphaning deletions. Watches every resource
 * that can be listed, watched and deleted, custom ones included, except Events. Remembers only objects that have owners.
 */
export function startGarbageCollector(cluster: Cluster, deps: ControllerDeps): Controller {
  const collector = new GarbageCollector(cluster, deps);
  collector.start();
  return collector;
}

class GarbageCollector implements Controller {
  readonly #cluster: Cluster;
  readonly #graph = new OwnerGraph();
  /** Objects that are being deleted and wait for this collector: foreground or orphaning. */
  readonly #finishing = new Map<string, Place>();
  readonly #unresolved = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #queue: WorkQueue;
  #ends: (() => void)[] = [];

  constructor(cluster: Cluster, deps: ControllerDeps) {
    this.#cluster = cluster;
    this.#queue = new WorkQueue({
      clock: deps.clock,
      concurrency: CONCURRENCY,
      work: (uid) => this.#process(uid),
      failed: (uid, error) => deps.report(`garbage collection of the object with uid ${uid} failed`, error),
    });
  }

  start(): void {
    const { resources, store } = this.#cluster;
    this.#ends = [
      followResources(resources, isCollected, (resource) =>
        followTable(store.table(resource.table), (...change) => this.#see(resource, ...change)),
      ),
      resources.onChange(() => {
        for (const uid of this.#unresolved) this.#queue.add(uid);
        this.#unresolved.clear();
      }),
    ];
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  stop(): Promise<void> {
    for (const end of this.#ends) end();
    this.#ends = [];
    return this.#queue.stop();
  }

  #see(resource: Resource, ...[type, entry, previous]: Parameters<Seen>): void {
    if (type !== "DELETED" && !concernsOwners(entry) && !(previous && concernsOwners(previous))) return;
    const object = this.#cluster.store.table(resource.table).decode(entry);
    const place = placeOf(resource, object);
    if (type === "DELETED") this.#forget(place.uid);
    else this.#learn(place, object);
  }

  #learn(place: Place, object: KubeObject): void {
    const owners = ownerLinks(object.metadata.ownerReferences ?? []);
    const known = this.#graph.get(place.uid);
    if (owners.length > 0 || known) {
      for (const owner of this.#graph.set({ ...place, owners })) this.#wakeOwner(owner);
      if (owners.some((o) => !known?.owners.some((k) => k.uid === o.uid))) this.#queue.add(place.uid);
    }
    if (isDeletingWith(object, FOREGROUND) || isDeletingWith(object, ORPHAN)) {
      if (!this.#finishing.has(place.uid)) {
        for (const owner of owners) this.#wakeOwner(owner.uid);
        for (const dependent of this.#graph.dependentsOf(place.uid)) this.#queue.add(dependent.uid);
      }
      this.#finishing.set(place.uid, place);
      this.#queue.add(place.uid);
    } else {
      this.#finishing.delete(place.uid);
    }
  }

  #forget(uid: string): void {
    this.#finishing.delete(uid);
    this.#unresolved.delete(uid);
    for (const owner of this.#graph.remove(uid)) this.#wakeOwner(owner);
    const dependents = this.#graph.dependentsOf(uid);
    if (dependents.length > 0) this.#rememberDeleted(uid);
    for (const dependent of dependents) this.#queue.add(dependent.uid);
  }

  #rememberDeleted(uid: string): void {
    this.#deleted.add(uid);
    if (this.#deleted.size <= REMEMBERED_DELETIONS) return;
    for (const oldest of this.#deleted) {
      this.#deleted.delete(oldest);
      return;
    }
  }

  #wakeOwner(uid: string): void {
    if (this.#finishing.has(uid)) this.#queue.add(uid);
  }

  async #process(uid: string): Promise<void> {
    const finishing = this.#finishing.get(uid);
    if (finishing) return this.#finish(finishing);
    const dependent = this.#graph.get(uid);
    if (dependent) await this.#judge(dependent);
  }

  /** Brings an owner's foreground or orphaning deletion forward. */
  async #finish(owner: Place): Promise<void> {
    const live = this.#live(owner);
    if (!live) return;
    if (isDeletingWith(live, ORPHAN)) {
      const dependents = this.#graph.dependentsOf(owner.uid);
      await Promise.all(dependents.map((d) => this.#dropReferences(d, new Set([owner.uid]))));
      await this.#dropFinalizer(owner, ORPHAN);
    } else if (isDeletingWith(live, FOREGROUND)) {
      const blocking = this.#graph.blockersOf(owner.uid).filter((uid) => !this.#waitsFor(uid, owner.uid));
      if (blocking.length === 0) await this.#dropFinalizer(owner, FOREGROUND);
      else for (const uid of blocking) if (!this.#finishing.has(uid)) this.#queue.add(uid);
    }
  }

  /** Decides whether an object still has an owner that keeps it. */
  async #judge(dependent: Dependent): Promise<void> {
    const live = this.#live(dependent);
    if (!live || live.metadata.deletionTimestamp !== undefined) return;
    const standings = new Map<OwnerReference, OwnerStanding>();
    for (const reference of live.metadata.ownerReferences ?? []) {
      standings.set(reference, this.#standing(reference, dependent.namespace));
    }
    const found = new Set(standings.values());
    if (found.size === 0 || found.has("misplaced")) return;
    if (found.has("unresolvable")) {
      this.#unresolved.add(dependent.uid);
      return;
    }
    if (found.has("solid")) {
      const lost = [...standings].filter(([, standing]) => standing !== "solid").map(([reference]) => reference.uid);
      if (lost.length > 0) await this.#dropReferences(dependent, new Set(lost));
      return;
    }
    const inForeground = found.has("waiting") && this.#graph.hasDependents(dependent.uid);
    await this.#delete(dependent, live, inForeground);
  }

  #standing(reference: OwnerReference, namespace: string): OwnerStanding {
    return this.#deleted.has(reference.uid) ? "dangling" : ownerStanding(this.#cluster, reference, namespace);
  }

  /**
   * Whether an object that is itself deleted in the foreground waits, however indirectly, for `owner`. Both would wait
   * forever, so the owner does not.
   */
  #waitsFor(uid: string, owner: string): boolean {
    const seen = new Set<string>();
    const ahead = [uid];
    for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
      if (at === owner) return true;
      if (seen.has(at) || !this.#finishing.has(at)) continue;
      seen.add(at);
      ahead.push(...this.#graph.blockersOf(at));
    }
    return false;
  }

  async #delete({ resource, namespace, name, uid }: Dependent, live: KubeObject, inForeground: boolean): Promise<void> {
    const finalizers = live.metadata.finalizers ?? [];
    let propagationPolicy: "Background" | "Foreground" | "Orphan" = "Background";
    if (inForeground || finalizers.includes(FOREGROUND)) propagationPolicy = "Foreground";
    if (!inForeground && finalizers.includes(ORPHAN)) propagationPolicy = "Orphan";
    const { resourceVersion } = live.metadata;
    await unlessGone(
      this.#cluster.delete(resource, namespace, name, {
        propagationPolicy,
        uid,
        ...(resourceVersion !== undefined && { resourceVersion }),
      }),
    );
  }

  async #dropReferences({ resource, namespace, name, uid }: Place, owners: ReadonlySet<string>): Promise<void> {
    await this.#cluster.edit(resource, namespace, name, ({ metadata }) => {
      const references = metadata.ownerReferences ?? [];
      const kept = references.filter((r) => !owners.has(r.uid));
      if (metadata.uid !== uid || kept.length === references.length) return false;
      if (kept.length > 0) metadata.ownerReferences = kept;
      else delete metadata.ownerReferences;
      return true;
    });
  }

  async #dropFinalizer({ resource, namespace, name, uid }: Place, finalizer: string): Promise<void> {
    await this.#cluster.edit(resource, namespace, name, ({ metadata }) => {
      if (metadata.uid !== uid || !metadata.finalizers?.includes(finalizer)) return false;
      metadata.finalizers = metadata.finalizers.filter((f) => f !== finalizer);
      if (metadata.finalizers.length === 0) delete metadata.finalizers;
      return true;
    });
  }

  #live({ resource, namespace, name, uid }: Place): KubeObject | undefined {
    if (!this.#cluster.resources.get(resource)) return undefined;
    const object = this.#cluster.get(resource, namespace, name);
    return object?.metadata.uid === uid ? object : undefined;
  }
}

function isCollected({ resource, verbs }: Resource): boolean {
  return resource !== "events" && ["delete", "list", "watch"].every((verb) => verbs.includes(verb));
}

/** Whether the encoded object may have owners or be on its way out. Cheaper than to decode it; may say yes in vain. */
function concernsOwners(entry: Entry): boolean {
  return entry.bytes.includes(OWNED) || entry.bytes.includes(DELETING);
}

function placeOf(resource: GroupResource, object: KubeObject): Place {
  const { namespace = "", name = "", uid = "" } = object.metadata;
  return { resource: { group: resource.group, resource: resource.resource }, namespace, name, uid };
}
