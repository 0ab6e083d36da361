import { formatGroupVersion } from "@gatewright/kube";
import { builtinType, decodeBuiltin } from "@gatewright/kube/builtin";
import type { GroupVersionKind, JsonObject, KubeObject, ObjectType } from "@gatewright/kube";
import type { AdmissionAttributes, Operation } from "../admission/admission.ts";
import type { UserInfo } from "../auth/user.ts";
import type { Resource, ServedVersion, WriteContext } from "../resources/resource.ts";
import type { WriterDeps } from "./writer.ts";

/** One write: what is written, who writes it, and how. */
export interface WriteCall {
  readonly resource: Resource;
  readonly version: ServedVersion;
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** The name under which fields become owned. */
  readonly fieldManager: string;
  /** Parameters of the request, for admission: dryRun, fieldManager, fieldValidation, propagationPolicy… */
  readonly options: JsonObject;
  warn(text: string): void;
}

export function gvkOf(call: WriteCall): GroupVersionKind {
  return { group: call.resource.group, version: call.version.version, kind: call.resource.kind };
}

export function apiVersionOf(call: WriteCall): string {
  return formatGroupVersion({ group: call.resource.group, version: call.version.version });
}

/** Merge types of the resource by apiVersion: what field ownership recorded in another version is read with. */
export function typesOf(resource: Resource): (apiVersion: string) => ObjectType | undefined {
  return (apiVersion) =>
    resource.versions.find((v) => formatGroupVersion({ group: resource.group, version: v.version }) === apiVersion)
      ?.type;
}

const blanks = new WeakMap<ServedVersion, JsonObject>();

/** What an object of the kind holds before anybody set anything: nobody owns the empty parts of a built-in kind. */
export function blankOf(call: Pick<WriteCall, "resource" | "version">): JsonObject {
  const { resource, version } = call;
  let blank = blanks.get(version);
  if (!blank) {
    const type = resource.custom ? undefined : builtinType(resource.group, version.version, resource.kind);
    blank = type ? decodeBuiltin({}, type).object : {};
    blanks.set(version, blank);
  }
  return blank;
}

/** What a kind needs to judge a write. `warnings` collects what is told only if the object turns out valid. */
export function contextOf(call: WriteCall, deps: WriterDeps, warnings?: string[]): WriteContext {
  return {
    cluster: deps.cluster(),
    user: call.user,
    namespace: call.namespace,
    version: call.version.version,
    dryRun: call.dryRun,
    now: deps.clock.now(),
    warn: (text) => (warnings ? void warnings.push(text) : call.warn(text)),
  };
}

const OPTIONS_KIND: Readonly<Record<Operation, string>> = {
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
  CONNECT: "PodExecOptions",
};

export interface AdmissionInput {
  readonly operation: Operation;
  readonly subresource?: string;
  readonly name: string;
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
  /** The kind of `object` where it is not the resource's own: a Scale, a TokenRequest. */
  readonly kind?: GroupVersionKind;
}

export function attributesOf(call: WriteCall, input: AdmissionInput): AdmissionAttributes {
  return {
    operation: input.operation,
    kind: input.kind ?? gvkOf(call),
    resource: { group: call.resource.group, version: call.version.version, resource: call.resource.resource },
    subresource: input.subresource ?? "",
    namespaced: call.resource.namespaced,
    namespace: call.namespace,
    name: input.name,
    object: input.object,
    oldObject: input.oldObject,
    user: call.user,
    dryRun: call.dryRun,
    options: { kind: OPTIONS_KIND[input.operation], apiVersion: "meta.k8s.io/v1", ...call.options },
    warn: (text) => call.warn(text),
    normalize: (object) => (input.kind ? object : call.version.normalize(object)),
  };
}

/** The key of an object in its table. */
export function keyOf(resource: Resource, namespace: string, name: string): string {
  return resource.namespaced ? `${namespace}/${name}` : name;
}
