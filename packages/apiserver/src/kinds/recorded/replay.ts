import { readFileSync } from "node:fs";
import { createMemoryStore } from "../../store/index.ts";
import {
  deepClone,
  deepFreeze,
  invalidObject,
  StatusError,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { systemUser } from "../../auth/user.ts";
import type { Cluster } from "../../cluster.ts";
import type { Resource, ServedVersion, WriteContext } from "../../resources/resource.ts";
import { builtinResources } from "../index.ts";

const resources = builtinResources({ random: seededRandom() });

/** One thing that a kube-apiserver 1.36.4 was asked, and its answer. */
export type Recorded = JsonObject & { readonly case: string };

/** The cases of a file beside this one. */
export function recorded(file: string): Recorded[] {
  const lines = readFileSync(new URL(file, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as Recorded);
}

export const UID = "11111111-1111-1111-1111-111111111111";

/** The resource and version of an object. */
export function servedFor(object: JsonObject): { resource: Resource; version: ServedVersion } {
  const [group, name] = String(object["apiVersion"]).includes("/")
    ? (String(object["apiVersion"]).split("/") as [string, string])
    : ["", String(object["apiVersion"])];
  const resource = resources.find((r) => r.group === group && r.kind === object["kind"]);
  const version = resource?.versions.find((v) => v.version === name);
  if (!resource || !version)
    throw new Error(`nothing serves ${String(object["apiVersion"])} ${String(object["kind"])}`);
  return { resource, version };
}

/** A write by an administrator to an empty server, at noon of a certain day. */
export function writeContext(version = "v1", warnings: string[] = []): WriteContext {
  const store = createMemoryStore({ clock: new ManualClock() });
  const cluster = { store, get: () => undefined, list: () => [].values() } as unknown as Cluster;
  return {
    cluster,
    user: systemUser,
    namespace: "kinds",
    version,
    dryRun: false,
    now: Date.UTC(2026, 10, 15, 12),
    warn: (text) => void warnings.push(text),
  };
}

function refuse({ resource }: { resource: Resource }, object: KubeObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject(resource, object.metadata.name ?? "", errors);
}

async function told(write: () => Promise<KubeObject>): Promise<KubeObject | string> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}

/** What becomes of a body that is posted: the object before it is stored, or the message that refuses it. */
export function create(body: JsonObject): Promise<KubeObject | string> {
  return told(async () => {
    const served = servedFor(body);
    const { strategy, namespaced } = served.resource;
    const { object } = served.version.decode(deepClone(body));
    object.metadata.uid = UID;
    if (namespaced) object.metadata.namespace ??= "kinds";
    const context = writeContext(served.version.version);
    await strategy.prepareForCreate(object, context);
    const meta = validateObjectMeta(object.metadata, {
      namespaced,
      nameErrors: (name, prefix) => strategy.nameErrors(name, prefix),
    });
    refuse(served, object, [...meta, ...strategy.validateCreate(object, context)]);
    return object;
  });
}

/** What becomes of a body that is put in place of `old`, to the object or to a subresource. */
export function update(body: JsonObject, stored: JsonObject, subresource?: string): Promise<KubeObject | string> {
  return told(async () => {
    const served = servedFor(body);
    const old = deepFreeze(served.version.decode(deepClone(stored)).object);
    const { object } = served.version.decode(deepClone(body));
    object.metadata.resourceVersion = old.metadata.resourceVersion ?? "1";
    const part = subresource === undefined ? served.resource.strategy : served.version.subresources.get(subresource);
    if (!part || !("prepareForUpdate" in part)) throw new Error(`no such subresource: ${subresource}`);
    const context = writeContext(served.version.version);
    await part.prepareForUpdate(object, old, context);
    const meta = validateObjectMetaUpdate(object.metadata, old.metadata);
    refuse(served, object, [...meta, ...part.validateUpdate(object, old, context)]);
    return object;
  });
}
