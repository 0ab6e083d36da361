import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
} from "@gatewright/kube/patch";
import { StatusError, invalid, invalidObject, invalidOmitted, isObject, unsupportedMediaType } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { ObjectSubresource } from "../resources/resource.ts";
import { updateObject } from "../writer/update.ts";
import type { Transform, Transformed } from "../writer/update.ts";
import { applyTransform } from "./apply.ts";
import { contentType, reportProblems } from "./body.ts";
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
  return { problems, apply: (document) => applyStrategicMergePatch(document, patch, call.version.type) };
}

function patchTransform(call: ResourceCall, type: string, options: WriteOptions): Transform {
  const patch = readPatch(call, type, options.fieldValidation !== "Ignore");
  return (old): Transformed => {
    const patched = patch.apply(old!);
    const refuse = (why: string): Error => unusable(call, patched, why);
    if (!isObject(patched)) throw refuse("json: cannot unmarshal into an object");
    const object = decodePatched(call, patched, options, patch.problems, refuse);
    checkName(object, call.info.name);
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
  const kind = patched["kind"];
  if (kind !== resource.kind) {
    if (resource.custom && typeof kind === "string") {
      const why = [invalid("kind", kind, `must be ${resource.kind}`)];
      throw invalidObject({ group: resource.group, kind }, call.info.name, why);
    }
    throw refuse(`the kind of an object cannot be changed from ${resource.kind}`);
  }
  let decoded;
  try {
    decoded = version.decode(structuredClone(patched));
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 400) throw error;
    const separator = `cannot be handled as a ${resource.kind}: `;
    const cut = error.message.indexOf(separator);
    throw refuse(cut < 0 ? error.message : error.message.slice(cut + separator.length));
  }
  reportProblems(call, [...problems, ...decoded.problems], options.fieldValidation, refuse);
  return decoded.object;
}

/** 422 for a patch whose outcome is not an object of the kind. A Secret's content is not repeated. */
function unusable(call: ResourceCall, patched: Json, why: string): Error {
  const secret = call.resource.group === "" && call.resource.resource === "secrets";
  const error = secret ? invalidOmitted("patch", why) : invalid("patch", JSON.stringify(patched), why);
  return invalidObject({ group: "", kind: "" }, "", [error]);
}
