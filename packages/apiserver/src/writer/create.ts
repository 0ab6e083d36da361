import { trackUpdate } from "@gatewright/kube/fields";
import { StatusError, alreadyExists, badRequest, forbidden, formatTime, invalidObject, quote } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import { randomString, uuid } from "@gatewright/ports";
import { WriteConflict } from "../store/store.ts";
import type { Entry } from "../store/store.ts";
import { apiVersionOf, attributesOf, blankOf, contextOf, gvkOf, keyOf, typesOf } from "./write-call.ts";
import type { WriteCall } from "./write-call.ts";
import { metadataErrors } from "./metadata-errors.ts";
import { checkStillStands, namespaceEntry } from "./standing-namespace.ts";
import { inWireOrder } from "../resources/wire-form.ts";
import { fromStorage, stamped, toStorage } from "./writer.ts";
import type { WriterDeps, Written } from "./writer.ts";

const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const MAX_BASE = 58;
const ATTEMPTS = 8;

export interface CreateOptions {
  /** Server-side apply has already recorded who owns what. */
  readonly fieldsTracked?: boolean;
  /** Throws 403 where who writes may not create: asked where a request was let in as something else. */
  readonly mayCreate?: () => void;
}

/** Fits the namespace of the request and of the object together. */
export function alignNamespace(call: WriteCall, object: KubeObject): void {
  if (!call.resource.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  const own = object.metadata.namespace ?? "";
  if (own !== "" && own !== call.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  object.metadata.namespace = call.namespace;
}

/**
 * Creates an object from a decoded body: ownership, admission, preparation, validation, store. A generated name that is
 * taken is tried again with another one.
 */
export async function createObject(
  call: WriteCall,
  body: KubeObject,
  deps: WriterDeps,
  options: CreateOptions = {},
): Promise<Written> {
  const { resource } = call;
  const refused = resource.creationRefused?.();
  if (refused !== undefined) throw forbidden(resource, body.metadata.name ?? "", refused);
  alignNamespace(call, body);
  const namespace = namespaceEntry(resource.namespaced ? call.namespace : "", deps);
  clearSystemFields(body);
  if (options.fieldsTracked !== true) trackCreation(call, body, deps);
  const attributes = attributesOf(call, {
    operation: "CREATE",
    name: body.metadata.name ?? "",
    object: body,
    oldObject: undefined,
  });
  await deps.admission().mutate(attributes);
  const object = attributes.object ?? body;
  const generated = (object.metadata.name ?? "") === "" && (object.metadata.generateName ?? "") !== "";
  for (let attempt = 1; ; attempt++) {
    if (generated) object.metadata.name = generateName(object.metadata.generateName!, deps);
    try {
      return await createOnce(call, object, namespace, deps, options);
    } catch (error) {
      if (!generated || !(error instanceof StatusError) || error.reason !== "AlreadyExists") throw error;
      if (attempt === ATTEMPTS) throw nameExhausted(call, object.metadata.name!);
    }
  }
}

/** Records that all fields of a new object belong to its creator. */
export function trackCreation(call: WriteCall, object: KubeObject, deps: WriterDeps): void {
  trackUpdate({
    live: undefined,
    updated: object,
    blank: blankOf(call),
    manager: call.fieldManager,
    apiVersion: apiVersionOf(call),
    subresource: "",
    now: formatTime(deps.clock.now()),
    typeOf: typesOf(call.resource),
    resetFields: call.resource.strategy.resetFields,
  });
}

function generateName(base: string, deps: WriterDeps): string {
  return base.slice(0, MAX_BASE) + randomString(deps.random, NAME_ALPHABET, 5);
}

function nameExhausted(call: WriteCall, name: string): StatusError {
  const taken = alreadyExists(call.resource, name);
  return new StatusError({
    code: 409,
    reason: "AlreadyExists",
    message: `${taken.message}, the server was not able to generate a unique name for the object`,
    details: { ...taken.details, retryAfterSeconds: 1 },
  });
}

function clearSystemFields(object: KubeObject): void {
  const { metadata } = object;
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

async function createOnce(
  call: WriteCall,
  object: KubeObject,
  namespace: Entry | undefined,
  deps: WriterDeps,
  { mayCreate }: CreateOptions,
): Promise<Written> {
  const { resource } = call;
  const { strategy } = resource;
  const { metadata } = object;
  metadata.uid = uuid(deps.random);
  metadata.creationTimestamp = formatTime(deps.clock.now());
  if (strategy.tracksGeneration) metadata.generation = 1;
  const warnings: string[] = [];
  const context = contextOf(call, deps, warnings);
  await strategy.prepareForCreate(object, context);
  const errors = [...metadataErrors(resource, object), ...strategy.validateCreate(object, context)];
  if (errors.length > 0) throw invalidObject(gvkOf(call), metadata.name ?? "", errors);
  for (const text of warnings) call.warn(text);
  const name = metadata.name ?? "";
  const attributes = attributesOf(call, { operation: "CREATE", name, object, oldObject: undefined });
  mayCreate?.();
  await deps.admission().validate(attributes);
  if ((metadata.resourceVersion ?? "") !== "") {
    throw new StatusError({ code: 500, message: "resourceVersion should not be set on objects to be created" });
  }
  return store(call, object, () => checkStillStands(namespace, attributes, deps), deps);
}

/** `lastCheck` throws what only the moment of the write can tell. */
async function store(call: WriteCall, object: KubeObject, lastCheck: () => void, deps: WriterDeps): Promise<Written> {
  const { resource } = call;
  const table = deps.store.table(resource.table);
  const name = object.metadata.name!;
  const key = keyOf(resource, call.namespace, name);
  const taken = table.head(key);
  if (taken) throw exists(call, name, table.decode(taken).metadata.deletionTimestamp !== undefined);
  if (call.dryRun) return { object: inWireOrder(object), created: true };
  const stored = await toStorage(resource, object);
  lastCheck();
  try {
    const entry = await table.write({ key, expected: undefined, object: stamped(stored) });
    return { object: await fromStorage(resource, table.decode(entry), call.version.version), entry, created: true };
  } catch (error) {
    if (error instanceof WriteConflict) throw exists(call, name, false);
    throw error;
  }
}

function exists(call: WriteCall, name: string, deleting: boolean): StatusError {
  return alreadyExists(call.resource, name, deleting ? "object is being deleted: " : "");
}

/** The Status of a body whose kind is not the one of the URL. */
export function kindMismatch(given: { kind: string; version: string }, expected: string, why: string): StatusError {
  return badRequest(`${given.kind} in version ${quote(given.version)} cannot be handled as a ${expected}: ${why}`);
}
