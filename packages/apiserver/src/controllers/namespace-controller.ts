import { getPath, isObject } from "@gatewright/kube";
import type { GroupResource, JsonObject, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import { FOREGROUND, KUBERNETES, ORPHAN } from "../resources/finalizers.ts";
import type { Resource } from "../resources/resource.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { followTable } from "./follow-table.ts";
import { namespaceConditions } from "./namespace-conditions.ts";
import type { Removal } from "./namespace-conditions.ts";
import { unlessGone } from "./unless-gone.ts";
import { WorkQueue } from "./work-queue.ts";

const NAMESPACES: GroupResource = { group: "", resource: "namespaces" };
/** How long counts in the conditions may lag behind while objects leave one by one. */
const RECOUNT_MS = 100;

/**
 * Empties namespaces that are being deleted (pods first, everything else once they are gone) and then lets them go.
 * What it waits for, it tells in the namespace's conditions.
 */
export function startNamespaceController(cluster: Cluster, deps: ControllerDeps): Controller {
  const waits = new Map<string, () => void>();
  const queue = new WorkQueue({
    clock: deps.clock,
    work: sync,
    failed: (name, error) => deps.report(`removal of namespace ${name} failed`, error),
  });
  const table = cluster.store.table(cluster.resources.get(NAMESPACES)?.table ?? NAMESPACES.resource);
  const end = followTable(table, (type, entry) => {
    if (type === "DELETED") endWait(entry.key);
    else if (isTerminating(table.decode(entry))) queue.add(entry.key);
  });

  function endWait(name: string): void {
    waits.get(name)?.();
    waits.delete(name);
  }

  async function sync(name: string): Promise<void> {
    endWait(name);
    const namespace = cluster.get(NAMESPACES, "", name);
    if (!namespace || !isTerminating(namespace)) return;
    const left = await removeContent(cluster, name);
    await tell(namespace, left.removal);
    if (left.removal.failures.length > 0) throw new Error(left.removal.failures.join(", "));
    if (left.tables.size > 0) waits.set(name, awaitRemoval(name, left.tables));
    else await finalize(name);
  }

  async function tell(namespace: KubeObject, removal: Removal): Promise<void> {
    const { name = "", uid } = namespace.metadata;
    await cluster.edit(
      NAMESPACES,
      "",
      name,
      (object) => {
        const status = isObject(object.status) ? object.status : {};
        const before = Array.isArray(status.conditions) ? status.conditions.filter((c) => isObject(c)) : [];
        const conditions = namespaceConditions(before, removal, deps.clock.now());
        if (object.metadata.uid !== uid || !conditions) return false;
        object.status = { ...status, conditions };
        return true;
      },
      "status",
    );
  }

  /** Wakes the removal when an object leaves: at once after the last one, a little later after others. */
  function awaitRemoval(name: string, tables: ReadonlyMap<string, number>): () => void {
    let remaining = [...tables.values()].reduce((sum, count) => sum + count, 0);
    const ends = [...tables.keys()].map((tableName) =>
      cluster.store.table(tableName).watch(cluster.store.revision, (change) => {
        if (!change.entry.key.startsWith(`${name}/`)) return;
        if (change.type === "ADDED") remaining++;
        else if (change.type === "DELETED") remaining--;
        else return;
        if (remaining <= 0) queue.add(name);
        else queue.addAfter(name, RECOUNT_MS);
      }),
    );
    return () => {
      for (const stop of ends) if (stop !== "expired") stop();
    };
  }

  async function finalize(name: string): Promise<void> {
    const change = (object: KubeObject): boolean => {
      const finalizers = getPath(object, "spec", "finalizers");
      if (!isTerminating(object) || !Array.isArray(finalizers)) return false;
      object.spec = { ...(object.spec as JsonObject), finalizers: finalizers.filter((f) => f !== KUBERNETES) };
      return true;
    };
    await unlessGone(cluster.edit(NAMESPACES, "", name, change, "finalize"));
  }

  return {
    idle: () => queue.idle(),
    stop() {
      end();
      for (const name of waits.keys()) endWait(name);
      return queue.stop();
    },
  };
}

function isTerminating(namespace: KubeObject): boolean {
  if (namespace.metadata.deletionTimestamp === undefined) return false;
  const finalizers = getPath(namespace, "spec", "finalizers");
  return Array.isArray(finalizers) && finalizers.includes(KUBERNETES);
}

interface Left {
  readonly removal: Removal;
  /** Tables that still hold something, and how much. */
  readonly tables: ReadonlyMap<string, number>;
}

/** Deletes everything in the namespace and counts what is still there afterwards. */
async function removeContent(cluster: Cluster, namespace: string): Promise<Left> {
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const tables = new Map<string, number>();
  const failures: string[] = [];
  for (const resource of inRemovalOrder(cluster.resources.all())) {
    const isPods = resource.group === "" && resource.resource === "pods";
    const objects = [...cluster.list(resource, namespace)];
    const outcomes = await Promise.allSettled(objects.map((object) => remove(cluster, resource, object)));
    const failed = outcomes.find((o) => o.status === "rejected");
    if (failed)
      failures.push(
        isPods ? `failed to delete pods for namespace: ${namespace}, err: ${text(failed.reason)}` : text(failed.reason),
      );
    let count = 0;
    for (const object of cluster.list(resource, namespace)) {
      count++;
      for (const name of object.metadata.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
    }
    if (count === 0) continue;
    remaining.set(`${resource.resource}.${resource.group}`, count);
    tables.set(resource.table, count);
    if (isPods) break;
  }
  return { removal: { remaining, finalizers, failures }, tables };
}

/** Resources whose objects live in namespaces, one for each table, pods first. */
function inRemovalOrder(resources: Iterable<Resource>): Resource[] {
  const byTable = new Map<string, Resource>();
  for (const resource of resources) {
    if (resource.namespaced && resource.verbs.includes("delete") && !byTable.has(resource.table)) {
      byTable.set(resource.table, resource);
    }
  }
  return [...byTable.values()].sort((a, b) => Number(b.table === "pods") - Number(a.table === "pods"));
}

/** Background deletion also ends a foreground or orphaning one that is under way: nothing here may wait for its owner. */
async function remove(cluster: Cluster, resource: Resource, { metadata }: KubeObject): Promise<void> {
  const held = metadata.finalizers?.some((f) => f === ORPHAN || f === FOREGROUND);
  if (metadata.deletionTimestamp !== undefined && !held) return;
  const { namespace = "", name = "" } = metadata;
  await unlessGone(cluster.delete(resource, namespace, name, { propagationPolicy: "Background" }));
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
