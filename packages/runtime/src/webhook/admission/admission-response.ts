import type { ApiObject, JsonObject } from "@gatewright/kube";
import type { AdmissionRequest } from "./admission-request.ts";
import { jsonPatchDiff } from "./json-patch-diff.ts";
import type { Denial, MutatingVerdict, Remarks } from "./verdict.ts";

export const ADMISSION_VERSION = "admission.k8s.io/v1";

/** The AdmissionReview that tells the server a verdict. */
export function admissionResponse(
  request: Pick<AdmissionRequest, "uid" | "object">,
  verdict: MutatingVerdict<ApiObject>,
): JsonObject {
  const response = { uid: request.uid, ...told(request, verdict) };
  return { apiVersion: ADMISSION_VERSION, kind: "AdmissionReview", response };
}

function told(request: Pick<AdmissionRequest, "object">, verdict: MutatingVerdict<ApiObject>): JsonObject {
  switch (verdict.type) {
    case "allowed":
      return { allowed: true, ...remarksOf(verdict.remarks) };
    case "denied":
      return { allowed: false, status: statusOf(verdict.message, verdict.denial), ...remarksOf(verdict.denial) };
    case "changed":
      return { allowed: true, ...patchOf(request.object, verdict.object), ...remarksOf(verdict.remarks) };
  }
}

function patchOf(before: unknown, after: unknown): JsonObject {
  if (before === undefined) throw new TypeError("a request without an object cannot be answered with a changed one");
  // Values that JSON does not have, such as undefined, must not count as differences.
  const plain = JSON.parse(JSON.stringify(after)) as JsonObject;
  const operations = jsonPatchDiff(before as JsonObject, plain);
  if (operations.length === 0) return {};
  return { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(operations)).toString("base64") };
}

function statusOf(message: string, { code = 403, reason, causes = [] }: Denial): JsonObject {
  const known = reason ?? REASONS.get(code);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(known !== undefined && { reason: known }),
    ...(causes.length > 0 && { details: { causes: causes.map((cause) => ({ ...cause })) } }),
    code,
  };
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, "BadRequest"],
  [403, "Forbidden"],
  [409, "Conflict"],
  [422, "Invalid"],
  [500, "InternalError"],
  [504, "Timeout"],
]);

function remarksOf({ warnings = [], audit }: Remarks): JsonObject {
  return {
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(audit !== undefined && audit.size > 0 && { auditAnnotations: Object.fromEntries(audit) }),
  };
}
