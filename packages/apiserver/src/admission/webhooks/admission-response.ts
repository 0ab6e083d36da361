import {
  BodySyntaxError,
  getPath,
  goJsonType,
  isObject,
  parseGroupVersion,
  parseJson,
  quote,
  versionKindProblem,
} from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/** What a webhook answered, checked. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  /** Why it was not allowed, as the webhook tells it. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** JSON Patch operations; empty when nothing is to change. */
  readonly patch: readonly Json[];
}

/** An answer that is not a valid review. The message is what kube-apiserver tells after the webhook's name. */
export class InvalidResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "InvalidResponseError";
  }
}

const failedCall = (why: string): InvalidResponseError => new InvalidResponseError(`failed to call webhook: ${why}`);
const invalidReview = (why: string): InvalidResponseError =>
  new InvalidResponseError(`received invalid webhook response: ${why}`);

/** Reads the review that answers the one with `uid`. Throws {@link InvalidResponseError}. */
export function readAdmissionResponse(
  review: Json,
  expected: { readonly version: string; readonly uid: string; readonly mutating: boolean },
): AdmissionResponse {
  const given = checkKind(review, expected.version);
  const response = getPath(review, "response");
  if (!isObject(response)) throw invalidReview("webhook response was absent");
  const allowed = field(response, "allowed", "boolean", "bool");
  const uid = field(response, "uid", "string", "types.UID");
  const patch = decodeBase64(field(response, "patch", "string", "[]uint8") as string | undefined);
  const patchType = field(response, "patchType", "string", "v1.PatchType") as string | undefined;
  if (expected.version === "v1") {
    if ((uid ?? "") !== expected.uid) {
      throw invalidReview(`expected response.uid=${quote(expected.uid)}, got ${quote(String(uid ?? ""))}`);
    }
    if (given === "") {
      throw invalidReview("expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=");
    }
    checkPatch(patch, patchType, expected.mutating);
  }
  return {
    allowed: allowed === true,
    status: isObject(response.status) ? response.status : undefined,
    warnings: Array.isArray(response.warnings) ? response.warnings.filter((w) => typeof w === "string") : [],
    patch: expected.mutating ? operations(patch) : [],
  };
}

/** Returns the kind, or an empty string when the answer does not say what it is. */
function checkKind(review: Json, version: string): string {
  const [kind, apiVersion] = [getPath(review, "kind") ?? "", getPath(review, "apiVersion") ?? ""];
  const problem = versionKindProblem(review);
  if (problem !== undefined) throw failedCall(problem);
  if (kind === "" && apiVersion === "") return "";
  const given = parseGroupVersion(String(apiVersion));
  if (kind !== "AdmissionReview" || given?.group !== "admission.k8s.io" || !/^v1(beta1)?$/.test(given.version)) {
    throw failedCall(
      `no kind ${quote(String(kind))} is registered for version ${quote(String(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (given.version !== version) {
    throw failedCall(
      `converting (${given.version}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`,
    );
  }
  return kind;
}

function field(response: JsonObject, name: string, type: "boolean" | "string", goType: string): Json | undefined {
  const value = response[name] ?? undefined;
  if (value === undefined || typeof value === type) return value;
  throw failedCall(
    `json: cannot unmarshal ${goJsonType(value)} into Go struct field AdmissionResponse.response.${name} of type ${goType}`,
  );
}

function decodeBase64(text: string | undefined): Buffer {
  if (text === undefined) return Buffer.alloc(0);
  const bad = text.replace(/[\r\n]/g, "").search(/[^A-Za-z0-9+/=]/);
  if (bad >= 0) throw failedCall(`illegal base64 data at input byte ${bad}`);
  return Buffer.from(text, "base64");
}

function checkPatch(patch: Buffer, patchType: string | undefined, mutating: boolean): void {
  const hasPatch = patch.length > 0;
  if (!mutating) {
    if (hasPatch) throw invalidReview("validating webhook may not return response.patch");
    if (patchType !== undefined) throw invalidReview("validating webhook may not return response.patchType");
    return;
  }
  if (hasPatch && patchType === undefined) {
    throw invalidReview("webhook returned response.patch but not response.patchType");
  }
  if (!hasPatch && patchType !== undefined) {
    throw invalidReview("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") throw invalidReview('webhook returned invalid response.patchType of ""');
  if (hasPatch && patchType !== "JSONPatch")
    throw new InvalidResponseError(`unsupported patch type ${quote(patchType ?? "")}`);
}

function operations(patch: Buffer): readonly Json[] {
  if (patch.length === 0) return [];
  const undecodable = (why: string): InvalidResponseError =>
    new InvalidResponseError(`received undecodable patch in webhook response: ${why}`);
  let value: Json;
  try {
    ({ value } = parseJson(patch));
  } catch (error) {
    throw error instanceof BodySyntaxError ? undecodable(error.message) : error;
  }
  if (value === null) return [];
  if (!Array.isArray(value))
    throw undecodable(`json: cannot unmarshal ${goJsonType(value)} into Go value of type jsonpatch.Patch`);
  return value;
}
