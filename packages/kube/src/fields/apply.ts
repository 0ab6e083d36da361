import { deepEqual } from "../json/equal.ts";
import type { JsonObject } from "../json/json.ts";
import type { KubeObject } from "../object.ts";
import { StatusError, badRequest } from "../status.ts";
import { parseGroupVersion } from "../group-version.ts";
import type { ObjectType } from "../type-node.ts";
import { applyErrors } from "./apply-errors.ts";
import { conflictError } from "./conflicts.ts";
import type { Conflict } from "./conflicts.ts";
import { difference, equalSets } from "./field-set.ts";
import { adaptManagers, observeWrite, takeFromOthers, tracked, withoutReset } from "./field-tracking.ts";
import type { Tracking } from "./field-tracking.ts";
import { fieldsOf } from "./fields-of.ts";
import { KUBECTL, fieldsOfLastApplied, syncLastApplied } from "./last-applied.ts";
import { UnnamedItem } from "./list-item.ts";
import { decodeManagers, encodeManagers, managerId } from "./managers.ts";
import type { Manager, Managers } from "./managers.ts";
import { mergeApplied } from "./merge.ts";
import { pruneGivenUp } from "./prune.ts";
import { equalIgnoringTimes } from "./times.ts";
import { recordUpdate } from "./track-update.ts";

export interface ApplyRequest extends Tracking {
  /** The object before the write; undefined when it is created. */
  readonly live: KubeObject | undefined;
  /** The configuration: what the applier has an opinion about. Not changed. */
  readonly patch: KubeObject;
  /** As for updates: what an object of the kind holds before anybody set anything. */
  readonly blank?: JsonObject;
  readonly kind: string;
  readonly manager: string;
  /** Takes fields over from others instead of failing. */
  readonly force: boolean;
  readonly subresource: string;
  /** RFC 3339 with seconds. */
  readonly now: string;
}

export interface Applied {
  /** The merged object with its managed fields, before defaults and validation. Shares parts with the arguments. */
  readonly object: KubeObject;
  /** False when the object and who owns what are as before. */
  readonly changed: boolean;
}

/**
 * Server-side apply. Throws StatusError: 400 for another kind or version than the request's, 409 with a cause for each
 * field that another writer owns, and 500 (as kube-apiserver does) for a configuration that does not fit the type.
 */
export function applyServerSide(request: ApplyRequest): Applied {
  const { live, patch, apiVersion } = request;
  if (patch.apiVersion !== apiVersion || patch.kind !== request.kind)
    throw badRequest(`invalid object type: ${kindText(patch)}`);
  if ((patch.metadata?.managedFields ?? null) !== null) throw badRequest("metadata.managedFields must be nil");
  const type = request.typeOf(apiVersion);
  if (type === undefined) throw new StatusError({ code: 500, message: `no corresponding type for ${kindText(patch)}` });
  requireFit(patch, type);
  const base = live ?? {
    ...request.blank,
    apiVersion,
    kind: request.kind,
    metadata: { ...(request.blank?.["metadata"] as object) },
  };
  const managers = decodeManagers(live?.metadata.managedFields ?? [], true);
  if (managers === undefined) throw new StatusError({ code: 500, message: "failed to decode managed fields" });
  try {
    return finish(merge(base, type, managers, request), live, request);
  } catch (error) {
    if (!(error instanceof UnnamedItem)) throw error;
    throw new StatusError({
      code: 500,
      message: `failed to create typed live object (${nameText(base)}): ${error.message}`,
    });
  }
}

/** `apps/v1, Kind=Deployment`; the core group is empty. */
function kindText({ apiVersion, kind }: KubeObject): string {
  const { group, version } = parseGroupVersion(apiVersion ?? "") ?? { group: "", version: "" };
  return `${group}/${version}, Kind=${kind ?? ""}`;
}

function nameText(object: KubeObject): string {
  return `${object.metadata?.namespace ?? ""}/${object.metadata?.name ?? ""}; ${kindText(object)}`;
}

function requireFit(patch: KubeObject, type: ObjectType): void {
  const errors = applyErrors(patch, type);
  if (errors.length === 0) return;
  const told = errors.length === 1 ? errors[0]! : ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
  throw new StatusError({ code: 500, message: `failed to create typed patch object (${nameText(patch)}): ${told}` });
}

interface Merged {
  readonly object: KubeObject;
  readonly managers: Managers;
}

function merge(live: KubeObject, type: ObjectType, managers: Managers, request: ApplyRequest): Merged {
  const { patch, apiVersion, subresource, now } = request;
  if (managers.size === 0 && request.live !== undefined) {
    recordUpdate(managers, request.blank ?? {}, live, { ...request, manager: "before-first-apply" });
  }
  adaptManagers(managers, request);
  const applier: Manager = {
    name: request.manager,
    operation: "Apply",
    apiVersion,
    subresource,
    time: now,
    fields: withoutReset(fieldsOf(patch, type), request),
  };
  const id = managerId(applier);
  const last = managers.get(id);
  const laid = mergeApplied(live, patch, type);
  managers.set(id, applier);
  const object = pruneGivenUp(laid, managers, last, id, request);
  const outcome = observeWrite(live, object, managers, id, request);
  if (outcome.conflicts.length > 0 && !request.force) refuse(outcome.conflicts, live, type, request);
  takeFromOthers(managers, id, outcome);
  keepApplier(managers, { ...applier, time: deepEqual(live, object) ? last?.time : now }, last);
  return { object: object as KubeObject, managers };
}

function keepApplier(managers: Managers, applier: Manager, last: Manager | undefined): void {
  const fields = tracked(applier.fields);
  if (fields.size === 0) managers.delete(managerId(applier));
  else
    managers.set(managerId(applier), {
      ...applier,
      fields: last && equalSets(last.fields, fields) ? last.fields : fields,
    });
}

/** Throws unless the manager is kubectl and takes over what it had applied on the client's side. */
function refuse(conflicts: readonly Conflict[], live: KubeObject, type: ObjectType, request: ApplyRequest): void {
  const allowed = request.manager === KUBECTL ? fieldsOfLastApplied(live, request.apiVersion, type) : new Map();
  const left = conflicts
    .map(({ manager, fields }) => ({ manager, fields: difference(fields, allowed) }))
    .filter(({ fields }) => fields.size > 0);
  if (left.length > 0) throw conflictError(left);
}

function finish({ object, managers }: Merged, live: KubeObject | undefined, request: ApplyRequest): Applied {
  const synced = request.manager === KUBECTL ? syncLastApplied(object, request.patch) : object;
  const { managedFields: _, ...metadata } = synced.metadata ?? {};
  const entries = encodeManagers(managers);
  const result: KubeObject = {
    ...synced,
    metadata: { ...metadata, ...(entries.length > 0 && { managedFields: entries }) },
  };
  return { object: result, changed: live === undefined || !equalIgnoringTimes(live, result) };
}
