import { StatusError, getPath } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "./controller.ts";
import { followTable } from "./follow-table.ts";
import { WorkQueue } from "./work-queue.ts";

const NAMESPACES: GroupResource = { group: "", resource: "namespaces" };

/** An object that every namespace has. */
export interface Companion {
  readonly resource: GroupResource;
  readonly name: string;
  /** The object as it is made. */
  make(namespace: string): KubeObject;
  /** Brings an object that is there into shape; returns false when it needs nothing. */
  repair(object: KubeObject): boolean;
}

/** Makes a companion in every namespace that is not being deleted, and again when it is deleted or changed. */
export function startNamespaceCompanion(cluster: Cluster, deps: ControllerDeps, companion: Companion): Controller {
  const { resource, name } = companion;
  const queue = new WorkQueue({
    clock: deps.clock,
    work: sync,
    failed: (namespace, error) => deps.report(`${resource.resource} ${namespace}/${name} could not be kept`, error),
  });
  const tableOf = (gr: GroupResource) => cluster.store.table(cluster.resources.get(gr)?.table ?? gr.resource);
  const ends = [
    followTable(tableOf(NAMESPACES), (type, { key }) => {
      if (type !== "DELETED") queue.add(key);
    }),
    followTable(tableOf(resource), (_type, { key }) => {
      if (key.endsWith(`/${name}`)) queue.add(key.slice(0, key.indexOf("/")));
    }),
  ];

  async function sync(namespace: string): Promise<void> {
    const found = cluster.get(NAMESPACES, "", namespace);
    if (!found || found.metadata.deletionTimestamp !== undefined || getPath(found, "status", "phase") === "Terminating")
      return;
    if (cluster.get(resource, namespace, name)) {
      await cluster.edit(resource, namespace, name, (object) => companion.repair(object));
      return;
    }
    try {
      await cluster.create(resource, companion.make(namespace));
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }

  return {
    idle: () => queue.idle(),
    stop() {
      for (const end of ends) end();
      return queue.stop();
    },
  };
}

/** Someone else made it, or the namespace went: either way there is nothing left to do. */
function isOvertaken(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  if (error.reason === "AlreadyExists" || error.reason === "NotFound") return true;
  return error.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating") === true;
}
