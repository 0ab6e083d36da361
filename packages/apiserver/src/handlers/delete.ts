import { StatusError, statusJson } from "@gatewright/kube";
import type { Json, KubeObject, Status } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import { deleteObject, deletedDetails } from "../writer/delete.ts";
import type { Deleted, DeleteOptions } from "../writer/delete.ts";
import type { WriteCall } from "../writer/write-call.ts";
import { fromStorage } from "../writer/writer.ts";
import { readDeleteOptions } from "./delete-options.ts";
import type { ParsedDelete } from "./delete-options.ts";
import { encoded } from "./encode.ts";
import { listOf, readPage } from "./list.ts";
import { parseListOptions, validateListOptions } from "./list-options.ts";
import { negotiate } from "./negotiate.ts";
import { tableOf } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { respondObject } from "./respond.ts";

/** Answers DELETE on an object: a Status when it is gone, the object when something holds it back. */
export async function handleDelete(call: ResourceCall): Promise<ApiResponse> {
  const parsed = readDeleteOptions(call);
  const deleted = await deleteObject(deletion(call, parsed), call.info.name, parsed.options, call.deps.writer);
  if (!deleted.gone || call.resource.strategy.returnsDeletedObject) {
    const accepted = !deleted.gone && parsed.options.orphanDependents === false;
    return respondObject(call, accepted ? 202 : 200, deleted.object);
  }
  return encoded(
    200,
    success(call, deleted.object),
    negotiate(call.request.headers, call.request.query, false, call.resource.custom),
  );
}

function success(call: ResourceCall, object: KubeObject): Json {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: deletedDetails(call.resource, object),
  };
  return statusJson(status);
}

/** Answers DELETE on a collection with the list of what was deleted, each by itself, as it was before. */
export async function handleDeleteCollection(call: ResourceCall): Promise<ApiResponse> {
  const parsed = readDeleteOptions(call);
  const list = parseListOptions(call.request.query);
  validateListOptions(list, false);
  const page = await readPage(call, list);
  const write = deletion(call, parsed);
  const table = tableOf(call);
  const deleted: KubeObject[] = [];
  for (const entry of page.entries) {
    const object = table.decode(entry);
    const { name = "", namespace = "" } = object.metadata;
    const done = await deleteIfThere({ ...write, namespace }, name, parsed.options, call);
    if (done) deleted.push(await fromStorage(call.resource, object, call.version.version));
  }
  const metadata = call.resource.custom ? { continue: "", ...page.metadata } : page.metadata;
  return encoded(
    200,
    listOf(call, deleted, metadata),
    negotiate(call.request.headers, call.request.query, true, call.resource.custom),
  );
}

async function deleteIfThere(
  write: WriteCall,
  name: string,
  options: DeleteOptions,
  call: ResourceCall,
): Promise<Deleted | undefined> {
  try {
    return await deleteObject(write, name, options, call.deps.writer);
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
}

function deletion(call: ResourceCall, parsed: ParsedDelete): WriteCall {
  return {
    resource: call.resource,
    version: call.version,
    namespace: call.info.namespace,
    user: call.user,
    dryRun: parsed.dryRun,
    fieldManager: "",
    options: parsed.asJson,
    warn: (text) => call.warnings.add(text),
  };
}
