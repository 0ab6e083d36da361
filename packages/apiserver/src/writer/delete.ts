import { conflict, deepClone, formatTime, notFound, parseTime } from "@gatewright/kube";
import type { KubeObject, StatusDetails } from "@gatewright/kube";
import type { DeleteRequest } from "../cluster.ts";
import { FOREGROUND, ORPHAN } from "../resources/finalizers.ts";
import type { Resource } from "../resources/resource.ts";
import { WriteConflict } from "../store/store.ts";
import { attributesOf, keyOf } from "./write-call.ts";
import type { WriteCall } from "./write-call.ts";
import { fromStorage, stamped } from "./writer.ts";
import type { WriterDeps } from "./writer.ts";

export interface DeleteOptions extends DeleteRequest {
  /** The deprecated way to ask for Orphan (true) or not (false). */
  readonly orphanDependents?: boolean;
}

/** What became of the object: gone, or marked and waiting. */
export interface Deleted {
  readonly object: KubeObject;
  readonly gone: boolean;
}

/** Deletes an object, or marks it when finalizers or a grace period hold it back. Repeating it is harmless. */
export async function deleteObject(
  call: WriteCall,
  name: string,
  options: DeleteOptions,
  deps: WriterDeps,
): Promise<Deleted> {
  for (;;) {
    try {
      return await deleteOnce(call, name, options, deps);
    } catch (error) {
      // Someone wrote in between: preconditions are judged again on what is there now.
      if (!(error instanceof WriteConflict)) throw error;
    }
  }
}

async function deleteOnce(call: WriteCall, name: string, options: DeleteOptions, deps: WriterDeps): Promise<Deleted> {
  const { resource } = call;
  const table = deps.store.table(resource.table);
  const entry = table.head(keyOf(resource, call.namespace, name));
  if (!entry) throw notFound(resource, name);
  const stored = table.decode(entry);
  checkPreconditions(call, stored, options);
  const old = await fromStorage(resource, stored, call.version.version);
  const attributes = attributesOf(call, { operation: "DELETE", name, object: undefined, oldObject: old });
  await deps.admission().mutate(attributes);
  await deps.admission().validate(attributes);

  const marked = deepClone(stored);
  const grace = resource.strategy.gracePeriod?.(stored, options.gracePeriodSeconds);
  const { held, changed } = mark(marked, resource, options, grace, deps.clock.now());
  if (held && !changed) return { object: old, gone: false };
  // What goes at once is told to watchers as it was: nobody ever saw it marked. Kinds that end gracefully are marked first.
  const last = held || grace !== undefined ? marked : deepClone(stored);
  if (call.dryRun) return { object: await fromStorage(resource, last, call.version.version), gone: !held };
  const request = { key: entry.key, expected: entry, object: stamped(last), deletes: !held };
  const written = await table.write(request);
  return { object: await fromStorage(resource, table.decode(written), call.version.version), gone: !held };
}

function checkPreconditions(call: WriteCall, object: KubeObject, options: DeleteOptions): void {
  const { metadata } = object;
  const gk = { group: call.resource.group, resource: call.resource.kind };
  if (options.uid !== undefined && options.uid !== metadata.uid) {
    throw conflict(
      gk,
      metadata.name ?? "",
      `the UID in the precondition (${options.uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      gk,
      metadata.name ?? "",
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** Explicit options beat finalizers that are there, and those beat the kind's default. */
function propagation(object: KubeObject, resource: Resource, options: DeleteOptions): "orphan" | "foreground" | "none" {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? "orphan" : "none";
  if (options.propagationPolicy === "Orphan") return "orphan";
  if (options.propagationPolicy === "Foreground") return "foreground";
  if (options.propagationPolicy === "Background") return "none";
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return "orphan";
  if (finalizers.includes(FOREGROUND)) return "foreground";
  return resource.strategy.defaultPropagation === "Orphan" ? "orphan" : "none";
}

/** Writes the deletion into the object's metadata. `held`: something keeps the object; `changed`: it must be stored. */
function mark(
  object: KubeObject,
  resource: Resource,
  options: DeleteOptions,
  grace: number | undefined,
  now: number,
): { held: boolean; changed: boolean } {
  const { metadata } = object;
  const before = metadata.finalizers ?? [];
  const policy = propagation(object, resource, options);
  const finalizers = before.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (policy === "orphan") finalizers.push(ORPHAN);
  if (policy === "foreground") finalizers.push(FOREGROUND);
  const sameFinalizers = finalizers.length === before.length && finalizers.every((f) => before.includes(f));
  if (!sameFinalizers) {
    if (finalizers.length > 0) metadata.finalizers = finalizers;
    else delete metadata.finalizers;
  }
  const scheduled = schedule(object, grace ?? 0, now);
  if (scheduled) resource.strategy.onDeletionMarked?.(object);
  const held =
    finalizers.length > 0 ||
    (metadata.deletionGracePeriodSeconds ?? 0) > 0 ||
    resource.strategy.heldBack?.(object) === true;
  return { held, changed: scheduled || !sameFinalizers };
}

/** Sets or shortens the time of deletion. A deletion is never postponed. */
function schedule(object: KubeObject, grace: number, now: number): boolean {
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) {
    const pending = metadata.deletionGracePeriodSeconds ?? 0;
    if (grace >= pending) return false;
    const shortened = (parseTime(metadata.deletionTimestamp) ?? now) - (pending - grace) * 1000;
    metadata.deletionTimestamp = formatTime(grace === 0 ? now : shortened);
    metadata.deletionGracePeriodSeconds = grace;
    return true;
  }
  metadata.deletionTimestamp = formatTime(now + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if ((metadata.generation ?? 0) > 0) metadata.generation = metadata.generation! + 1;
  return true;
}

/** The Status of a deletion that is complete. */
export function deletedDetails(resource: Resource, object: KubeObject): StatusDetails {
  return {
    name: object.metadata.name ?? "",
    ...(resource.group !== "" && { group: resource.group }),
    kind: resource.resource,
    uid: object.metadata.uid ?? "",
  };
}
