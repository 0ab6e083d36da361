import { equalIgnoringTimes, trackUpdate } from "@gatewright/kube/fields";
import {
  MODIFIED,
  StatusError,
  conflict,
  formatTime,
  invalid,
  invalidObject,
  notFound,
  parseGroupVersion,
  quote,
  validateObjectMetaUpdate,
} from "@gatewright/kube";
import type { FieldError, GroupVersionKind, KubeObject } from "@gatewright/kube";
import type { ObjectSubresource } from "../resources/resource.ts";
import { WriteConflict } from "../store/store.ts";
import type { Entry } from "../store/store.ts";
import { alignNamespace, createObject } from "./create.ts";
import { apiVersionOf, attributesOf, contextOf, gvkOf, keyOf, typesOf } from "./write-call.ts";
import type { WriteCall } from "./write-call.ts";
import { metadataErrors } from "./metadata-errors.ts";
import { inTurn } from "./turns.ts";
import { inWireOrder } from "../resources/wire-form.ts";
import { fromStorage, stamped, toStorage } from "./writer.ts";
import type { WriterDeps, Written } from "./writer.ts";

/** The new object, from the one that is there now (frozen), or undefined where there is none. */
export type Transform = (old: KubeObject | undefined) => Promise<Transformed> | Transformed;

export interface Transformed {
  /** Owned by the writer from here on; it may share parts with the old object, which it must not change. */
  readonly object: KubeObject;
  /** Server-side apply has already recorded who owns what. */
  readonly fieldsTracked?: boolean;
}

export interface UpdateOptions {
  readonly name: string;
  readonly transform: Transform;
  /** The part that is written, and its name for field ownership and admission. */
  readonly subresource?: { readonly name: string; readonly rules?: ObjectSubresource; readonly view?: AdmissionView };
  /** A missing object is made: PUT of some kinds, server-side apply of all. */
  readonly createMissing: boolean;
  /** Throws 403 where who writes may not create. Without it the writer may. */
  readonly mayCreate?: () => void;
  /** Whether a write without resourceVersion overwrites whatever is there. */
  readonly unconditional: boolean;
}

/** How admission sees a subresource that is an object of another kind. */
export interface AdmissionView {
  readonly kind: GroupVersionKind;
  show(object: KubeObject): KubeObject;
  /** Brings what admission changed in the shown object back into the real one. */
  take(object: KubeObject, shown: KubeObject): void;
}

/** How often one writer may be overtaken, though it takes turns: only by those who have not met anyone yet. */
const RETRIES = 50;

/** Reads, transforms, judges and writes an object, again when another writer came between. */
export async function updateObject(call: WriteCall, options: UpdateOptions, deps: WriterDeps): Promise<Written> {
  const attempt = async (): Promise<Written | "overtaken"> => {
    try {
      return await updateOnce(call, options, deps);
    } catch (error) {
      if (error instanceof WriteConflict) return "overtaken";
      throw error;
    }
  };
  let written = await attempt();
  if (written !== "overtaken") return written;
  const { resource, namespace } = call;
  return inTurn(deps.store, `${resource.table}/${keyOf(resource, namespace, options.name)}`, async () => {
    for (let retries = 0; retries < RETRIES; retries++) {
      written = await attempt();
      if (written !== "overtaken") return written;
    }
    throw conflict(resource, options.name, MODIFIED);
  });
}

async function updateOnce(call: WriteCall, options: UpdateOptions, deps: WriterDeps): Promise<Written> {
  const { resource } = call;
  const table = deps.store.table(resource.table);
  const entry = table.head(keyOf(resource, call.namespace, options.name));
  if (!entry) return createMissing(call, options, deps);
  const old = await fromStorage(resource, table.decode(entry), call.version.version);
  const transformed = await options.transform(old);
  const body = transformed.object;
  alignNamespace(call, body);
  checkPreconditions(call, options, body, old);
  if (transformed.fieldsTracked !== true) trackFields(call, options, body, old, deps);
  const view = options.subresource?.view;
  const shown = (object: KubeObject): KubeObject => (view ? view.show(object) : object);
  const attributes = attributesOf(call, {
    operation: "UPDATE",
    subresource: options.subresource?.name ?? "",
    name: options.name,
    object: shown(body),
    oldObject: shown(old),
    ...(view && { kind: view.kind }),
  });
  await deps.admission().mutate(attributes);
  const object = view ? body : (attributes.object ?? body);
  if (view && attributes.object) view.take(body, attributes.object);
  await judge(call, options, object, old, deps);
  await deps.admission().validate({ ...attributes, object: shown(object) });
  return commit(call, object, old, entry, deps);
}

async function createMissing(call: WriteCall, options: UpdateOptions, deps: WriterDeps): Promise<Written> {
  if (!options.createMissing) throw notFound(call.resource, options.name);
  const { mayCreate } = options;
  const { object, fieldsTracked } = await options.transform(undefined);
  // An apply may say which version it expects; where there is none, it creates the first.
  if (fieldsTracked === true) delete object.metadata.resourceVersion;
  try {
    return await createObject(call, object, deps, {
      fieldsTracked: fieldsTracked === true,
      ...(mayCreate && { mayCreate }),
    });
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason !== "AlreadyExists") throw error;
    // Someone else has made it by now: there is something to update.
    throw new WriteConflict(call.resource.table, keyOf(call.resource, call.namespace, options.name));
  }
}

function checkPreconditions(call: WriteCall, options: UpdateOptions, object: KubeObject, old: KubeObject): void {
  const { name } = options;
  const { metadata } = object;
  const asked = metadata.resourceVersion ?? "";
  if (metadata.uid !== undefined && metadata.uid !== "" && metadata.uid !== old.metadata.uid) {
    const { table } = call.resource;
    const key = `/registry/${table}/${keyOf(call.resource, call.namespace, name)}`;
    const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${old.metadata.uid}`;
    throw conflict(
      call.resource,
      name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
    );
  }
  if (asked === "" || asked === "0") {
    if (options.unconditional) return;
    const missing = invalid("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalidObject({ group: call.resource.group, kind: call.resource.resource }, name, [missing]);
  }
  if (!/^[0-9]+$/.test(asked)) {
    throw new StatusError({ code: 500, message: `strconv.ParseUint: parsing ${quote(asked)}: invalid syntax` });
  }
  if (asked !== old.metadata.resourceVersion) throw conflict(call.resource, name, MODIFIED);
}

function trackFields(
  call: WriteCall,
  options: UpdateOptions,
  object: KubeObject,
  old: KubeObject,
  deps: WriterDeps,
): void {
  const rules = options.subresource?.rules;
  trackUpdate({
    live: old,
    updated: object,
    manager: call.fieldManager,
    apiVersion: apiVersionOf(call),
    subresource: options.subresource?.name ?? "",
    now: formatTime(deps.clock.now()),
    typeOf: typesOf(call.resource),
    resetFields: rules?.resetFields ?? call.resource.strategy.resetFields,
  });
}

/** Restores what only the server may change, lets the kind prepare the object, and validates it. */
async function judge(
  call: WriteCall,
  options: UpdateOptions,
  object: KubeObject,
  old: KubeObject,
  deps: WriterDeps,
): Promise<void> {
  keepSystemFields(object, old);
  object.metadata.resourceVersion = old.metadata.resourceVersion ?? "";
  const { strategy } = call.resource;
  const rules = options.subresource?.rules;
  const warnings: string[] = [];
  const context = contextOf(call, deps, warnings);
  let errors: readonly FieldError[];
  if (rules) {
    rules.prepareForUpdate(object, old, context);
    errors = rules.validateUpdate(object, old, context);
  } else {
    await strategy.prepareForUpdate(object, old, context);
    errors = strategy.validateUpdate(object, old, context);
  }
  // Told twice, as the real server does: once for all kinds, and once by each kind.
  const changed = validateObjectMetaUpdate(object.metadata, old.metadata);
  const all = [...metadataErrors(call.resource, object), ...changed, ...changed, ...errors];
  if (all.length > 0) {
    // A custom object that was patched to another group is called by that one.
    const named = parseGroupVersion(object.apiVersion ?? "");
    throw invalidObject({ ...gvkOf(call), ...(named && { group: named.group }) }, options.name, all);
  }
  for (const text of warnings) call.warn(text);
}

const SERVER_FIELDS = [
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
  "generation",
] as const;

function keepSystemFields(object: KubeObject, old: KubeObject): void {
  const kept: Record<string, unknown> = object.metadata;
  for (const field of SERVER_FIELDS) {
    if (old.metadata[field] !== undefined) kept[field] = old.metadata[field];
    // A deletion that a client makes up is not dropped but refused by the validation.
    else if (!field.startsWith("deletion") || kept[field] === null) delete kept[field];
  }
}

async function commit(
  call: WriteCall,
  object: KubeObject,
  old: KubeObject,
  entry: Entry,
  deps: WriterDeps,
): Promise<Written> {
  const { resource } = call;
  const table = deps.store.table(resource.table);
  if (equalIgnoringTimes(object, old)) {
    const same = table.head(entry.key);
    if (same !== entry) throw new WriteConflict(resource.table, entry.key);
    return { object: old, entry, created: false };
  }
  if (call.dryRun) return { object: inWireOrder(object), created: false };
  if (finished(call, object)) {
    // Watchers are told of the object as it last was in the store; the writer sees what it wrote.
    const last = table.decode(entry);
    const { revision } = await table.write({ key: entry.key, expected: entry, object: stamped(last), deletes: true });
    return { object: inWireOrder(object, String(revision)), created: false };
  }
  const stored = await toStorage(resource, object);
  const written = await table.write({ key: entry.key, expected: entry, object: stamped(stored) });
  const answer = await fromStorage(resource, table.decode(written), call.version.version);
  return { object: answer, entry: written, created: false };
}

/** The last finalizer of an object that is being deleted is gone: this write removes it. */
function finished(call: WriteCall, object: KubeObject): boolean {
  const { metadata } = object;
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).length === 0 &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    call.resource.strategy.heldBack?.(object) !== true
  );
}
