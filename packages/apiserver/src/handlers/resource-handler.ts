import { StatusError, badRequest, formatGroupResource, methodNotAllowed, notFound, quote } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { ConnectSubresource, Subresource } from "../resources/resource.ts";
import { handleAction, handleCreate } from "./create.ts";
import { handleDelete, handleDeleteCollection } from "./delete.ts";
import { pageNotFound, unknownResource } from "./encode.ts";
import { getObject } from "./get.ts";
import { listObjects } from "./list.ts";
import { handlePatch } from "./patch.ts";
import type { ResourceCall } from "./resource-call.ts";
import { handleScale } from "./scale.ts";
import { handleUpdate } from "./update.ts";
import { watchObjects } from "./watch.ts";

/** Answers a request about a resource that is served, by the rules of its verb. */
export async function handleResource(call: ResourceCall): Promise<ApiResponse> {
  const { info, resource, version } = call;
  if (version.deprecationWarning !== undefined) call.warnings.add(version.deprecationWarning);
  if (info.subresource !== "") return handleSubresource(call, version.subresources.get(info.subresource));
  if (resource.namespaced && info.namespace === "" && !["list", "watch"].includes(info.verb)) {
    if (resource.custom) return pageNotFound();
    throw info.name === "" ? methodNotAllowed() : unknownResource();
  }
  if (call.request.method === "HEAD") throw methodNotAllowed();
  if (info.name === "." || info.name === "..") {
    throw badRequest(`Name parameter invalid: ${quote(info.name)}: may not be '${info.name}'`);
  }
  if (resource.review && info.name !== "") throw unknownResource();
  // PUT and PATCH on a collection are other requests than on an object.
  const onCollection = info.name === "";
  if (onCollection && (info.verb === "update" || info.verb === "patch")) {
    throw resource.custom ? badRequest("name must be provided") : methodNotAllowed();
  }
  // A custom resource is created at whatever URL below its collection; the body names it.
  if (!onCollection && info.verb === "create" && !resource.custom) throw methodNotAllowed();
  if (!resource.verbs.includes(info.verb)) throw unknownMethod(call);
  switch (info.verb) {
    case "get":
      return getObject(call);
    case "list":
      return listObjects(call);
    case "watch":
      return watchObjects(call);
    case "create":
      return handleCreate(call);
    case "update":
      return handleUpdate(call);
    case "patch":
      return handlePatch(call);
    case "delete":
      return handleDelete(call);
    case "deletecollection":
      return handleDeleteCollection(call);
    case "unknown":
      throw unknownMethod(call);
  }
}

function unknownMethod(call: ResourceCall): Error {
  const { resource, info } = call;
  if (!resource.custom || info.verb !== "unknown") return methodNotAllowed();
  const message = ` is not supported on resources of kind ${quote(formatGroupResource(resource))}`;
  const details = { group: resource.group, kind: resource.resource };
  return new StatusError({ code: 405, reason: "MethodNotAllowed", message, details });
}

async function handleConnect(
  { info, request, user }: ResourceCall,
  subresource: ConnectSubresource,
): Promise<ApiResponse> {
  const { verbs, takesPath } = subresource;
  if (info.rest.length > 0 && !takesPath) throw unknownResource();
  if (verbs.length > 0 && !verbs.includes(info.verb)) throw methodNotAllowed();
  const below = info.rest.map((part) => `/${part}`).join("");
  const path = request.path.endsWith("/") ? `${below}/` : below;
  return subresource.connect(request, { namespace: info.namespace, name: info.name, path }, user);
}

async function handleSubresource(call: ResourceCall, subresource: Subresource | undefined): Promise<ApiResponse> {
  const { info, resource } = call;
  if (subresource?.type === "connect") return handleConnect(call, subresource);
  if (!subresource || info.rest.length > 0) {
    throw resource.custom ? notFound(resource, info.name) : unknownResource();
  }
  if (call.request.method === "HEAD") throw methodNotAllowed();
  if (subresource.type === "action") {
    if (info.verb !== "create") throw methodNotAllowed();
    return handleAction(call, subresource);
  }
  if (subresource.type === "scale") {
    if (!["get", "update", "patch"].includes(info.verb)) throw methodNotAllowed();
    return handleScale(call, subresource);
  }
  if (subresource.verbs && !subresource.verbs.includes(info.verb)) throw methodNotAllowed();
  switch (info.verb) {
    case "get":
      return getObject(call);
    case "update":
      return handleUpdate(call, subresource);
    case "patch":
      return handlePatch(call, subresource);
    default:
      throw methodNotAllowed();
  }
}
