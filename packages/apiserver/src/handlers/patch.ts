import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
} from "@gatewright/kube/patch";
import {
  StatusError,
  formatGroupVersion,
  getOwn,
  invalid,
  invalidObject,
  invalidOmitted,
  isObject,
  unsupportedMediaType,
  versionKindProblem,
  deepClone,
} from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { ObjectSubresource } from "../resources/resource.ts";
import { updateObject } from "../writer/update.ts";
import type { Transform, Transformed } from "../writer/update.ts";
import { applyTransform } from "./apply.ts";
import { contentType, reportProblems, unregisteredKind } from "./body.ts";
import { checkUid } from "./check-uid.ts";
import { foreignProblems } from "./foreign-version.ts";
import { checkMayCreate } from "./may-create.ts";
import { writeCall } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { respondObject } from "./respond.ts";
import { checkName } from "./update.ts";
import { checkPatchOptions, parseWriteOptions } from "./write-options.ts";
import type { WriteOptions } from "./write-options.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
export const APPLY_PATCH = "application/apply-patch+yaml";

/** Answers PATCH on an object or on a part of it. */
export async function handlePatch(call: ResourceCall, rules?: ObjectSubresource): Promise<ApiResponse> {
  const { request, info, deps } = call;
  const type = patchType(call);
  const options = parseWriteOptions(request.query, request.headers["user-agent"] ?? "", "PatchOptions");
  checkPatchOptions(request.query, type === APPLY_PATCH, options.force);
  const transform = type === APPLY_PATCH ? applyTransform(call, options, rules) : patchTransform(call, type, options);
  const written = await updateObject(
    writeCall(call, options),
    {
      name: info.name,
      transform,
      ...(rules && { subresource: { name: info.subresource, rules } }),
      createMissing: type === APPLY_PATCH && rules === undefined,
      mayCreate: () => checkMayCreate(call),
      unconditional: true,
    },
    deps.writer,
  );
  return respondObject(call, written.created ? 201 : 200, written.object, written.entry);
}

/** The patch type, or 415 with those that the resource understands. */
export function patchType(call: ResourceCall): string {
  const strategic = call.resource.strategicMerge ? [STRATEGIC_PATCH] : [];
  const accepted = [JSON_PATCH, MERGE_PATCH, ...strategic, APPLY_PATCH];
  const type = contentType(call.request);
  if (accepted.includes(type)) return type;
  if (!call.resource.custom) {
    const message = "415: Unsupported Media Type";
    throw new StatusError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
  }
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

interface PatchBody {
  readonly problems: readonly string[];
  apply(document: JsonObject): Json;
}

/** Reads a patch that is not an apply. It can be applied again and again, to newer versions of an object. */
export function readPatch(call: ResourceCall, type: string, strict: boolean): PatchBody {
  const { body } = call.request;
  if (type === JSON_PATCH) {
    const { patch, problems } = decodeJsonPatch(body, strict);
    return { problems, apply: (document) => applyJsonPatch(document, patch) };
  }
  if (type === MERGE_PATCH) {
    const { patch, problems } = decodeMergePatch(body, strict);
    return { problems, apply: (document) => applyMergePatch(document, patch) };
  }
  const { patch, problems } = decodeStrategicMergePatch(body);
  // The object is merged by its type, which has no say in what it is.
  const apply = (document: JsonObject): Json => {
    const merged = applyStrategicMergePatch(document, patch, call.version.type);
    return isObject(merged) ? { ...merged, ...pick(document, "kind", "apiVersion") } : merged;
  };
  return { problems, apply };
}

function pick(from: JsonObject, ...fields: string[]): JsonObject {
  return Object.fromEntries(fields.filter((field) => Object.hasOwn(from, field)).map((field) => [field, from[field]!]));
}

function patchTransform(call: ResourceCall, type: string, options: WriteOptions): Transform {
  let patch: PatchBody | undefined;
  return (old): Transformed => {
    // Read only now: an object that is not there is told before what is wrong with its patch.
    patch ??= readPatch(call, type, options.fieldValidation !== "Ignore");
    const patched = patch.apply(old!);
    const refuse = (why: string): Error => unusable(call, patched, why);
    if (!isObject(patched)) throw refuse("json: cannot unmarshal into an object");
    const object = decodePatched(call, patched, options, patch.problems, refuse);
    checkName(object, call.info.name);
    checkUid(call, object, old!);
    return { object };
  };
}

function decodePatched(
  call: ResourceCall,
  patched: JsonObject,
  options: WriteOptions,
  problems: readonly string[],
  refuse: (why: string) => Error,
): KubeObject {
  const { resource, version } = call;
  checkPatchedKind(call, patched, refuse);
  let decoded;
  try {
    decoded = version.decode(deepClone(patched));
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error;
    const separator = `cannot be handled as a ${resource.kind}: `;
    const cut = error.message.indexOf(separator);
    throw refuse(cut < 0 ? error.message : error.message.slice(cut + separator.length));
  }
  const unknown = foreignProblems(call, patched) ?? decoded.problems;
  reportProblems(call, [...problems, ...unknown], options.fieldValidation, refuse);
  return decoded.object;
}

/** A patch may take kind and apiVersion away, but not change them. */
function checkPatchedKind(call: ResourceCall, patched: JsonObject, refuse: (why: string) => Error): void {
  const { resource, version, info } = call;
  const expected = formatGroupVersion({ group: resource.group, version: version.version });
  const [kind, apiVersion] = [getOwn(patched, "kind") ?? "", getOwn(patched, "apiVersion") ?? ""];
  const problem = versionKindProblem(patched);
  if (problem !== undefined) throw refuse(problem);
  if (resource.custom) {
    if (kind === "") throw refuse(`Object 'Kind' is missing in '${JSON.stringify(patched)}'`);
    if (kind === resource.kind) return;
    const why = [invalid("kind", kind, `must be ${resource.kind}`)];
    throw invalidObject({ group: resource.group, kind: String(kind) }, info.name, why);
  }
  // Without a version nothing of the object is understood, not even its name.
  if (apiVersion === "") checkName({ ...patched, metadata: {} } as KubeObject, info.name);
  if (kind === "") patched["kind"] = resource.kind;
  else if (kind !== resource.kind || apiVersion !== expected) {
    throw refuse(unregisteredKind(String(kind), String(apiVersion)));
  }
}

/** 422 for a patch whose outcome is not an object of the kind. A Secret's content is not repeated. */
function unusable(call: ResourceCall, patched: Json, why: string): Error {
  const secret = call.resource.group === "" && call.resource.resource === "secrets";
  const error = secret ? invalidOmitted("patch", why) : invalid("patch", JSON.stringify(patched), why);
  return invalidObject({ group: "", kind: "" }, "", [error]);
}
