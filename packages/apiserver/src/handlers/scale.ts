import { applyServerSide, parentManagedFields, scaleManagedFields, trackUpdate } from "@gatewright/kube/fields";
import type { ReplicasPath } from "@gatewright/kube/fields";
import {
  StatusError,
  badRequest,
  deepEqual,
  ensurePath,
  formatGroupVersion,
  formatTime,
  getPath,
  invalid,
  invalidObject,
  isObject,
  notFound,
  parseYaml,
  setOwn,
} from "@gatewright/kube";
import type { Json, JsonObject, KubeObject, ManagedFieldsEntry } from "@gatewright/kube";
import { builtinType, decodeBuiltin } from "@gatewright/kube/builtin";
import type { ApiResponse } from "../http/api-request.ts";
import type { Resource, ScaleSubresource } from "../resources/resource.ts";
import { updateObject } from "../writer/update.ts";
import type { AdmissionView } from "../writer/update.ts";
import { keyOf } from "../writer/write-call.ts";
import { fromStorage } from "../writer/writer.ts";
import { readBody } from "./body.ts";
import { encoded } from "./encode.ts";
import { negotiate } from "./negotiate.ts";
import { APPLY_PATCH, patchType, readPatch } from "./patch.ts";
import { tableOf, writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { checkName } from "./update.ts";
import { parseWriteOptions } from "./write-options.ts";
import type { WriteOptions } from "./write-options.ts";

const SCALE_VERSION = "autoscaling/v1";

/** Answers GET, PUT and PATCH on the scale of an object. */
export async function handleScale(call: ResourceCall, scale: ScaleSubresource): Promise<ApiResponse> {
  const { request, info, resource, version, deps } = call;
  const representation = negotiate(request.headers, request.query, false, call.resource.custom);
  if (info.verb === "get") {
    const table = tableOf(call);
    const entry = table.get(keyOf(resource, info.namespace, info.name));
    if (!entry) throw notFound(resource, info.name);
    const object = await fromStorage(resource, table.decode(entry), version.version);
    return encoded(200, scaleOf(scale, object), representation);
  }
  const kind = info.verb === "patch" ? "PatchOptions" : "UpdateOptions";
  const options = parseWriteOptions(request.query, request.headers["user-agent"] ?? "", kind);
  const change = scaleChange(call, options);
  const written = await updateObject(
    writeCall(call, options),
    {
      name: info.name,
      transform: (old) => ({ object: scaled(call, scale, old!, change), fieldsTracked: true }),
      subresource: { name: "scale", view: admissionView(scale) },
      createMissing: false,
      unconditional: true,
    },
    deps.writer,
  );
  return encoded(200, scaleOf(scale, written.object), representation);
}

/** Admission is asked about the Scale, not about the object behind it. */
function admissionView(scale: ScaleSubresource): AdmissionView {
  return {
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    show: (object) => scaleOf(scale, object),
    take: (object, shown) => setReplicas(object, scale, shown),
  };
}

function setReplicas(object: KubeObject, scale: ScaleSubresource, wanted: KubeObject): void {
  const replicas = getPath(wanted, "spec", "replicas");
  const path = [...scale.specReplicasPath];
  const last = path.pop() ?? "";
  setOwn(ensurePath(object, ...path), last, typeof replicas === "number" ? replicas : 0);
}

/** The autoscaling/v1 Scale of an object. */
function scaleOf(scale: ScaleSubresource, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = getPath(object, ...scale.specReplicasPath);
  if (typeof wanted !== "number" && scale.strict) {
    const why = `the spec replicas field ".${scale.specReplicasPath.join(".")}" does not exist`;
    throw new StatusError({
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${why}`,
      details: { causes: [{ message: why }] },
    });
  }
  const current = getPath(object, ...scale.statusReplicasPath);
  const selector = scale.selector(object);
  return {
    kind: "Scale",
    apiVersion: SCALE_VERSION,
    metadata: {
      name: name ?? "",
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: typeof wanted === "number" && wanted !== 0 ? { replicas: wanted } : {},
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(selector !== "" && { selector }),
    },
  };
}

/** The Scale that is wanted, from the one that is there, with who owns its replicas recorded in it. */
type ScaleChange = (current: KubeObject) => KubeObject;

function scaleType(): NonNullable<ReturnType<typeof builtinType>> {
  const type = builtinType("autoscaling", "v1", "Scale");
  if (!type) throw new Error("the table of built-in types has no autoscaling/v1 Scale");
  return type;
}

function scaleChange(call: ResourceCall, options: WriteOptions): ScaleChange {
  const { request, info, deps } = call;
  const tracking = {
    manager: options.fieldManager,
    apiVersion: SCALE_VERSION,
    subresource: "scale",
    now: formatTime(deps.clock.now()),
    typeOf: scaleType,
    resetFields: [["status"]],
  };
  const type = info.verb === "patch" ? patchType(call) : "";
  if (type === APPLY_PATCH) {
    const patch = asScale(call, parseYaml(request.body).value);
    return (live) => {
      const { object } = applyServerSide({ ...tracking, live, patch, kind: "Scale", force: options.force === true });
      if (call.resource.custom && !sameButManagers(object, live)) throw notConvertible(patch);
      return object;
    };
  }
  const replace = type === "" ? readBody(request, "Scale").value : undefined;
  if (isObject(replace)) checkName(decodeBuiltin(structuredClone(replace), scaleType()).object, info.name);
  const patch = type === "" ? undefined : readPatch(call, type, false);
  return (live) => {
    const updated = asScale(call, patch ? patch.apply(live) : (replace ?? null));
    trackUpdate({ ...tracking, live, updated });
    return updated;
  };
}

function sameButManagers(a: KubeObject, b: KubeObject): boolean {
  return deepEqual(withoutManagers(a), withoutManagers(b));
}

function withoutManagers(object: KubeObject): JsonObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The real server cannot change the Scale of a custom resource by apply: only who owns its replicas. */
function notConvertible({ metadata }: KubeObject): StatusError {
  const what = `${metadata.namespace ?? ""}/${metadata.name ?? ""}; ${SCALE_VERSION}, Kind=Scale`;
  const why = `request to convert CR to an invalid group/version: ${SCALE_VERSION}`;
  return new StatusError({ code: 500, message: `failed to convert new object (${what}) to proper version: ${why}` });
}

function asScale(call: ResourceCall, value: Json): KubeObject {
  if (!isObject(value)) throw badRequest("the body is not a Scale");
  const { object } = decodeBuiltin(value, scaleType());
  if (object.metadata.name === undefined) object.metadata.name = call.info.name;
  checkName(object, call.info.name);
  return object;
}

/** The object with the replicas of the wanted Scale, and with what that changes in who owns them. */
function scaled(call: ResourceCall, scale: ScaleSubresource, old: KubeObject, change: ScaleChange): KubeObject {
  const { resource, version } = call;
  const paths = replicasPaths(resource);
  const managed: ManagedFieldsEntry[] = old.metadata.managedFields ?? [];
  const live = scaleOf(scale, old);
  live.metadata.managedFields = scaleManagedFields(managed, paths);
  const wanted = change(live);
  if (!resource.custom) checkReplicas(call, wanted);
  const object = structuredClone(old);
  setReplicas(object, scale, wanted);
  const apiVersion = formatGroupVersion({ group: resource.group, version: version.version });
  const owners = parentManagedFields(managed, wanted.metadata.managedFields ?? [], apiVersion, paths);
  if (owners.length > 0) object.metadata.managedFields = owners;
  else delete object.metadata.managedFields;
  // A resourceVersion in the Scale is a precondition; without one the newest object is scaled.
  if (wanted.metadata.resourceVersion !== undefined) object.metadata.resourceVersion = wanted.metadata.resourceVersion;
  else delete object.metadata.resourceVersion;
  return object;
}

/** Scales of built-in kinds are judged by themselves; those of custom resources by the object behind them. */
function checkReplicas({ info }: ResourceCall, wanted: KubeObject): void {
  const replicas = getPath(wanted, "spec", "replicas");
  if (typeof replicas !== "number" || replicas >= 0) return;
  throw invalidObject({ group: "autoscaling", kind: "Scale" }, info.name, [
    invalid("spec.replicas", replicas, "must be greater than or equal to 0"),
  ]);
}

function replicasPaths(resource: Resource): ReplicasPath {
  return (apiVersion) => {
    const group = resource.group;
    const served = resource.versions.find((v) => formatGroupVersion({ group, version: v.version }) === apiVersion);
    if (!served) return undefined;
    const scale = served.subresources.get("scale");
    return scale?.type === "scale" ? scale.specReplicasPath : null;
  };
}
