import type { KubeObject } from "@gatewright/kube";
import type { Random } from "@gatewright/ports";
import type { Cluster } from "../cluster.ts";
import type { Controller, ControllerDeps } from "../controllers/controller.ts";
import { followTable } from "../controllers/follow-table.ts";
import { unlessGone } from "../controllers/unless-gone.ts";
import { WorkQueue } from "../controllers/work-queue.ts";
import { struct, text } from "../resources/object-fields.ts";
import type { Condition } from "./conditions.ts";
import { setCondition } from "./conditions.ts";
import type { WebhookCaller } from "../admission/webhooks/webhook-client.ts";
import { holdsItsNames } from "./crd-names.ts";
import { CrdRegistration } from "./crd-registration.ts";
import { CLEANUP_FINALIZER, CRDS } from "./crd-resource.ts";
import { updateCrdStatus } from "./crd-status.ts";
import { conditionStatus } from "./crd-view.ts";

export interface CrdControllerDeps extends ControllerDeps {
  readonly random: Random;
  /** Calls conversion webhooks. */
  readonly callWebhook: WebhookCaller;
}

const IN_PROGRESS: Condition = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
};
const COMPLETED: Condition = {
  type: "Terminating",
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
};
const NEVER_ESTABLISHED: Condition = {
  type: "Terminating",
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
};

/**
 * Turns CustomResourceDefinitions into resources: gives them their names, serves them as soon as they are established, and
 * removes their objects when they are deleted. All definitions that are established already are served when this returns.
 */
export function startCrdController(cluster: Cluster, deps: CrdControllerDeps): Controller {
  const registration = new CrdRegistration(cluster, deps);
  const waits = new Map<string, () => void>();
  const queue = new WorkQueue({
    clock: deps.clock,
    work: sync,
    failed: (name, error) => deps.report(`custom resource definition ${name} is not up to date`, error),
  });
  const table = cluster.store.table(cluster.resources.get(CRDS)?.table ?? `${CRDS.resource}.${CRDS.group}`);
  const end = followTable(table, (type, entry) => {
    const crd = table.decode(entry);
    if (type === "DELETED") {
      endWait(entry.key);
      registration.remove(entry.key);
      for (const rival of rivals(crd)) if (!holdsItsNames(rival)) queue.add(rival.metadata.name ?? "");
    } else {
      registration.apply(entry.key, crd);
      queue.add(entry.key);
    }
  });

  function endWait(name: string): void {
    waits.get(name)?.();
    waits.delete(name);
  }

  function* rivals(crd: KubeObject): Generator<KubeObject> {
    const group = text(struct(crd, "spec"), "group");
    for (const other of cluster.list(CRDS)) {
      if (other.metadata.uid !== crd.metadata.uid && text(struct(other, "spec"), "group") === group) yield other;
    }
  }

  async function sync(name: string): Promise<void> {
    endWait(name);
    const crd = cluster.get(CRDS, "", name);
    if (!crd) return;
    if (crd.metadata.deletionTimestamp !== undefined) {
      if (crd.metadata.finalizers?.includes(CLEANUP_FINALIZER)) await terminate(name, crd);
      return;
    }
    const update = (object: KubeObject): boolean =>
      object.metadata.uid === crd.metadata.uid && updateCrdStatus(object, rivals(crd), deps.clock.now());
    const before = table.get(name);
    const written = await unlessGone(cluster.edit(CRDS, "", name, update, "status"));
    if (!written || table.get(name) === before) return;
    // Names that were given up may be what another definition waits for.
    for (const rival of rivals(crd)) if (!holdsItsNames(rival)) queue.add(rival.metadata.name ?? "");
  }

  async function terminate(name: string, crd: KubeObject): Promise<void> {
    if (conditionStatus(crd, "Established") !== "True") return release(name, NEVER_ESTABLISHED);
    await setStatus(name, (object) => setCondition(object, IN_PROGRESS, deps.clock.now()));
    if (await removeInstances(name)) return release(name, COMPLETED);
  }

  /** Deletes all objects of the definition. False while some are left; the last to leave wakes the queue. */
  async function removeInstances(name: string): Promise<boolean> {
    const resource = registration.resource(name);
    if (!resource) return true;
    const instances = cluster.store.table(resource.table);
    const pending = [...cluster.list(resource)].filter((object) => object.metadata.deletionTimestamp === undefined);
    for (const { metadata } of pending) {
      await unlessGone(cluster.delete(resource, metadata.namespace ?? "", metadata.name ?? ""));
    }
    const left = instances.snapshot();
    if (left.size === 0) return true;
    const stop = instances.watch(left.revision, (change) => {
      if (change.type === "ADDED" || (change.type === "DELETED" && instances.snapshot().size === 0)) queue.add(name);
    });
    if (stop === "expired") throw new Error(`${name} was written to while it was being emptied`);
    waits.set(name, stop);
    return false;
  }

  async function release(name: string, condition: Condition): Promise<void> {
    await setStatus(name, (object) => {
      setCondition(object, condition, deps.clock.now());
      object.metadata.finalizers = (object.metadata.finalizers ?? []).filter((f) => f !== CLEANUP_FINALIZER);
      return true;
    });
  }

  async function setStatus(name: string, change: (object: KubeObject) => boolean): Promise<void> {
    await unlessGone(cluster.edit(CRDS, "", name, change, "status"));
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
