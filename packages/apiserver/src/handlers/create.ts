import {
  formatGroupVersion,
  getOwn,
  isObject,
  parseGroupVersion,
  unrecognizedBody,
  versionKindProblem,
} from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { ActionSubresource } from "../resources/resource.ts";
import { createObject, kindMismatch, trackCreation } from "../writer/create.ts";
import { attributesOf, contextOf, keyOf } from "../writer/write-call.ts";
import { decodeObject, readBody, unregisteredKind } from "./body.ts";
import { encoded } from "./encode.ts";
import { makeMissingNamespace } from "./forgiving.ts";
import { tableOf, writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { respondObject } from "./respond.ts";
import { parseWriteOptions } from "./write-options.ts";

/** Answers POST on a collection. */
export async function handleCreate(call: ResourceCall): Promise<ApiResponse> {
  const options = parseWriteOptions(call.request.query, call.request.headers["user-agent"] ?? "", "CreateOptions");
  const object = decodeObject(call, options.fieldValidation);
  const write = writeCall(call, options);
  if (call.resource.review) {
    trackCreation(write, object, call.deps.writer);
    return encoded(201, await call.resource.review(object, contextOf(write, call.deps.writer)));
  }
  await makeMissingNamespace(call, options);
  const written = await createObject(write, object, call.deps.writer);
  return respondObject(call, 201, written.object, written.entry);
}

/** A body that names its kind names the one of the subresource. */
function checkActionKind({ kind: { kind, version } }: ActionSubresource, body: JsonObject): void {
  const given = getOwn(body, "kind") ?? "";
  if (typeof given !== "string" || given === "" || given === kind) return;
  const apiVersion = String(getOwn(body, "apiVersion") ?? version);
  const shown = { kind: given, version: parseGroupVersion(apiVersion)?.version ?? apiVersion };
  throw kindMismatch(shown, kind, unregisteredKind(given, apiVersion));
}

/** Answers POST on a subresource that does something: token, binding, eviction. */
export async function handleAction(call: ResourceCall, action: ActionSubresource): Promise<ApiResponse> {
  const { request, resource, info, deps } = call;
  const options = parseWriteOptions(request.query, request.headers["user-agent"] ?? "", "CreateOptions");
  const raw = readBody(request, action.kind.kind);
  const problem = versionKindProblem(raw.value);
  if (problem !== undefined) throw unrecognizedBody(action.kind.kind, problem, request.body);
  const body = isObject(raw.value) ? raw.value : {};
  checkActionKind(action, body);
  const write = writeCall(call, options);
  const table = tableOf(call);
  const entry = table.head(keyOf(resource, info.namespace, info.name));
  const target = entry && table.decode(entry);
  const attributes = attributesOf(write, {
    operation: "CREATE",
    subresource: info.subresource,
    name: info.name,
    object: { apiVersion: formatGroupVersion(action.kind), kind: action.kind.kind, metadata: {}, ...body },
    oldObject: undefined,
    kind: action.kind,
  });
  await deps.writer.admission().mutate(attributes);
  await deps.writer.admission().validate(attributes);
  const made = await action.create(attributes.object ?? body, target, info.name, contextOf(write, deps.writer));
  return encoded(201, made);
}
