import { StatusError, badRequest, ensurePath, getPath, isObject, notFound, quote, setOwn } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { builtinType, decodeBuiltin } from "@gatewright/kube/builtin";
import type { ApiResponse } from "../http/api-request.ts";
import type { ScaleSubresource } from "../resources/resource.ts";
import { updateObject } from "../writer/update.ts";
import { keyOf } from "../writer/write-call.ts";
import { fromStorage } from "../writer/writer.ts";
import { readBody } from "./body.ts";
import { encoded } from "./encode.ts";
import { negotiate } from "./negotiate.ts";
import { patchType, readPatch } from "./patch.ts";
import { tableOf, writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { parseWriteOptions } from "./write-options.ts";

/** The autoscaling/v1 Scale of an object. */
function scaleOf(call: ResourceCall, scale: ScaleSubresource, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = getPath(object, ...scale.specReplicasPath);
  if (typeof wanted !== "number" && scale.strict) {
    const path = scale.specReplicasPath.join(".");
    const where = `${call.resource.resource}.${call.resource.group} ${quote(name ?? "")}`;
    throw new StatusError({
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: the spec replicas field ${quote(`.${path}`)} does not exist in ${where}`,
      details: { causes: [{ message: `the spec replicas field ${quote(`.${path}`)} does not exist` }] },
    });
  }
  const current = getPath(object, ...scale.statusReplicasPath);
  const selector = scale.selector(object);
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: JSON.parse(JSON.stringify(metadata)) as KubeObject["metadata"],
    spec: typeof wanted === "number" && wanted !== 0 ? { replicas: wanted } : {},
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(selector !== "" && { selector }),
    },
  };
}

/** Answers GET, PUT and PATCH on the scale of an object. */
export async function handleScale(call: ResourceCall, scale: ScaleSubresource): Promise<ApiResponse> {
  const { request, info, resource, version, deps } = call;
  const representation = negotiate(request.headers, request.query, false);
  if (info.verb === "get") {
    const table = tableOf(call);
    const entry = table.get(keyOf(resource, info.namespace, info.name));
    if (!entry) throw notFound(resource, info.name);
    const object = await fromStorage(resource, table.decode(entry), version.version);
    return encoded(200, scaleOf(call, scale, object), representation);
  }
  const isPatch = info.verb === "patch";
  const options = parseWriteOptions(
    request.query,
    request.headers["user-agent"] ?? "",
    isPatch ? "PatchOptions" : "UpdateOptions",
  );
  const change = isPatch ? patched(call) : replaced(call);
  const written = await updateObject(
    writeCall(call, options),
    {
      name: info.name,
      transform(old) {
        const wanted = change(scaleOf(call, scale, old!));
        return { object: withReplicas(old!, scale, wanted) };
      },
      subresource: { name: "scale" },
      createMissing: false,
      unconditional: true,
    },
    deps.writer,
  );
  return encoded(200, scaleOf(call, scale, written.object), representation);
}

type ScaleChange = (current: KubeObject) => KubeObject;

function replaced(call: ResourceCall): ScaleChange {
  const body = readBody(call.request, "Scale").value;
  return () => asScale(call, body);
}

function patched(call: ResourceCall): ScaleChange {
  const patch = readPatch(call, patchType(call), false);
  return (current) => asScale(call, patch.apply(current));
}

function asScale(call: ResourceCall, value: Json): KubeObject {
  const type = builtinType("autoscaling", "v1", "Scale");
  if (!isObject(value) || !type) throw badRequest("the body is not a Scale");
  const { object } = decodeBuiltin(value, type, { kind: "Scale", apiVersion: "autoscaling/v1" });
  const name = object.metadata.name ?? call.info.name;
  if (name !== call.info.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.info.name})`);
  }
  return object;
}

function withReplicas(old: KubeObject, scale: ScaleSubresource, wanted: KubeObject): KubeObject {
  const object = structuredClone(old) as KubeObject;
  const replicas = getPath(wanted, "spec", "replicas");
  const path = [...scale.specReplicasPath];
  const last = path.pop()!;
  setOwn(ensurePath(object as JsonObject, ...path), last, typeof replicas === "number" ? replicas : 0);
  // A resourceVersion in the Scale is a precondition; without one the newest object is scaled.
  if (wanted.metadata.resourceVersion !== undefined) object.metadata.resourceVersion = wanted.metadata.resourceVersion;
  else delete object.metadata.resourceVersion;
  return object;
}
