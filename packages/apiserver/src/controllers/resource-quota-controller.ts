import { deepEqual, formatQuantity, getPath, isObject, setOwn } from "@gatewright/kube";
import type { GroupResource, JsonObject } from "@gatewright/kube";
import { hardLimits, namespaceUsage } from "../admission/quota/namespace-usage.ts";
import type { ResourceAmounts } from "../admission/pod-resources.ts";
import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { followResources } from "./follow-resources.ts";
import { followTable } from "./follow-table.ts";
import { unlessGone } from "./unless-gone.ts";
import { WorkQueue } from "./work-queue.ts";

const QUOTAS: GroupResource = { group: "", resource: "resourcequotas" };

/** Keeps the status of ResourceQuotas true: what is allowed, and what is used. */
export function startResourceQuotaController(cluster: Cluster, deps: ControllerDeps): Controller {
  const namesByNamespace = new Map<string, Set<string>>();
  const queue = new WorkQueue({
    clock: deps.clock,
    work: sync,
    failed: (key, error) => deps.report(`the status of resource quota ${key} could not be updated`, error),
  });
  const table = cluster.store.table(cluster.resources.get(QUOTAS)?.table ?? QUOTAS.resource);
  const endQuotas = followTable(table, (type, entry) => {
    const [namespace = "", name = ""] = entry.key.split("/");
    const names = namesByNamespace.get(namespace) ?? new Set();
    if (type === "DELETED") names.delete(name);
    else names.add(name);
    if (names.size > 0) namesByNamespace.set(namespace, names);
    else namesByNamespace.delete(namespace);
    if (type !== "DELETED") queue.add(entry.key);
  });
  const endObjects = followResources(
    cluster.resources,
    (resource) => resource.namespaced,
    (resource) =>
      followTable(cluster.store.table(resource.table), (_type, { key }) => {
        if (namesByNamespace.size === 0) return;
        const namespace = key.slice(0, key.indexOf("/"));
        for (const name of namesByNamespace.get(namespace) ?? []) queue.add(`${namespace}/${name}`);
      }),
  );

  async function sync(key: string): Promise<void> {
    const [namespace = "", name = ""] = key.split("/");
    const quota = cluster.get(QUOTAS, namespace, name);
    if (!quota) return;
    const now = deps.clock.now();
    const status = { hard: texts(hardLimits(quota)), used: texts(namespaceUsage(cluster, quota, now)) };
    const before = getPath(quota, "status");
    if (isObject(before) && deepEqual(before, status)) return;
    await unlessGone(cluster.edit(QUOTAS, namespace, name, (object) => void (object.status = status), "status"));
  }

  return {
    idle: () => queue.idle(),
    stop() {
      endQuotas();
      endObjects();
      return queue.stop();
    },
  };
}

function texts(amounts: ResourceAmounts): JsonObject {
  const object: JsonObject = {};
  for (const name of [...amounts.keys()].sort()) setOwn(object, name, formatQuantity(amounts.get(name)!));
  return object;
}
