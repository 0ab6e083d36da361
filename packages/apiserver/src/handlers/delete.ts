import {
  StatusError,
  badRequest,
  forbiddenField,
  getOwn,
  invalidObject,
  isObject,
  notSupported,
  quote,
  statusJson,
} from "@gatewright/kube";
import type { FieldError, Json, JsonObject, KubeObject, Status } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import { deleteObject, deletedDetails } from "../writer/delete.ts";
import type { Deleted, DeleteOptions } from "../writer/delete.ts";
import type { WriteCall } from "../writer/write-call.ts";
import { readBody } from "./body.ts";
import { encoded } from "./encode.ts";
import { listOf, readPage } from "./list.ts";
import { parseListOptions, validateListOptions } from "./list-options.ts";
import { negotiate } from "./negotiate.ts";
import { tableOf } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { respondObject } from "./respond.ts";
import { dryRunErrors } from "./write-options.ts";

interface ParsedDelete {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
  readonly asJson: JsonObject;
}

const POLICIES = ["Foreground", "Background", "Orphan"];

/** Answers DELETE on an object: a Status when it is gone, the object when something holds it back. */
export async function handleDelete(call: ResourceCall): Promise<ApiResponse> {
  const parsed = readDeleteOptions(call);
  const deleted = await deleteObject(deletion(call, parsed), call.info.name, parsed.options, call.deps.writer);
  if (!deleted.gone || call.resource.strategy.returnsDeletedObject) {
    const accepted = !deleted.gone && parsed.options.orphanDependents === false;
    return respondObject(call, accepted ? 202 : 200, deleted.object);
  }
  return encoded(200, success(call, deleted.object), negotiate(call.request.headers, call.request.query, false, call.resource.custom));
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

/** Answers DELETE on a collection with the list of what was deleted, each by itself. */
export async function handleDeleteCollection(call: ResourceCall): Promise<ApiResponse> {
  const parsed = readDeleteOptions(call);
  const list = parseListOptions(call.request.query);
  validateListOptions(list, false);
  const page = await readPage(call, list);
  const write = deletion(call, parsed);
  const table = tableOf(call);
  const deleted: KubeObject[] = [];
  for (const entry of page.entries) {
    const { metadata } = table.decode(entry);
    const name = metadata.name ?? "";
    const one = { ...write, namespace: metadata.namespace ?? "" };
    const done = await deleteIfThere(one, name, parsed.options, call);
    if (done) deleted.push(done.object);
  }
  const metadata = call.resource.custom ? { continue: "", ...page.metadata } : page.metadata;
  return encoded(200, listOf(call, deleted, metadata), negotiate(call.request.headers, call.request.query, true, call.resource.custom));
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

/** Options from the body if there is one, else from the query. */
function readDeleteOptions(call: ResourceCall): ParsedDelete {
  const { request } = call;
  const given = request.body.length > 0 ? fromBody(call) : fromQuery(request.query, call.info.name !== "");
  const { dryRun = [], orphanDependents, propagationPolicy } = given;
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined) {
    if (orphanDependents !== undefined) {
      errors.push(
        forbiddenField("propagationPolicy", "orphanDependents and deletionPropagation cannot be both set"),
      );
    }
    if (!POLICIES.includes(propagationPolicy)) {
      errors.push(notSupported("propagationPolicy", propagationPolicy, [...POLICIES, "nil"]));
    }
  }
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const options: DeleteOptions = {
    ...(given.gracePeriodSeconds !== undefined && { gracePeriodSeconds: given.gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy: propagationPolicy as "Background" }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(given.uid !== undefined && { uid: given.uid }),
    ...(given.resourceVersion !== undefined && { resourceVersion: given.resourceVersion }),
  };
  const { uid, resourceVersion, ...rest } = options;
  const preconditions = { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) };
  return {
    options,
    dryRun: dryRun.length > 0,
    asJson: {
      ...rest,
      ...(Object.keys(preconditions).length > 0 && { preconditions }),
      ...(dryRun.length > 0 && { dryRun: [...dryRun] }),
    },
  };
}

interface GivenOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun?: readonly string[];
}

function fromBody(call: ResourceCall): GivenOptions {
  const raw = readBody(call.request, "DeleteOptions").value;
  const body: JsonObject = isObject(raw) ? raw : {};
  const kind = getOwn(body, "kind");
  if (typeof kind === "string" && kind !== "" && kind !== "DeleteOptions") {
    throw badRequest(`no kind ${quote(kind)} is registered for version ${quote(String(body["apiVersion"] ?? ""))}`);
  }
  const preconditions = getOwn(body, "preconditions");
  const conditions: JsonObject = isObject(preconditions) ? preconditions : {};
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun } = body;
  const { uid, resourceVersion } = conditions;
  return {
    ...(typeof gracePeriodSeconds === "number" && { gracePeriodSeconds }),
    ...(typeof propagationPolicy === "string" && { propagationPolicy }),
    ...(typeof orphanDependents === "boolean" && { orphanDependents }),
    ...(typeof uid === "string" && { uid }),
    ...(typeof resourceVersion === "string" && { resourceVersion }),
    ...(Array.isArray(dryRun) && { dryRun: dryRun.map(String) }),
  };
}

/** On a collection, resourceVersion says what to list and is no precondition. */
function fromQuery(query: URLSearchParams, single: boolean): GivenOptions {
  const read = (name: string): string | undefined => query.get(name) ?? undefined;
  const grace = read("gracePeriodSeconds");
  const orphan = read("orphanDependents");
  const [policy, uid, resourceVersion] = [read("propagationPolicy"), read("uid"), read("resourceVersion")];
  return {
    ...(grace !== undefined && { gracePeriodSeconds: Number(grace) || 0 }),
    ...(policy !== undefined && { propagationPolicy: policy }),
    ...(orphan !== undefined && { orphanDependents: orphan !== "false" && orphan !== "0" }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && single && { resourceVersion }),
    dryRun: query.getAll("dryRun").filter((value) => value !== ""),
  };
}
