import {
  BodySyntaxError,
  badRequest,
  formatGroupVersion,
  getOwn,
  isObject,
  invalid,
  invalidObject,
  missingKind,
  parseGroupVersion,
  parseJson,
  parseYaml,
  quote,
  unrecognizedBody,
  unsupportedMediaType,
  versionKindError,
  versionKindProblem,
} from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { decodeProtobuf } from "@gatewright/kube/protobuf";
import type { ApiRequest } from "../http/api-request.ts";
import type { Decoded, ServedVersion } from "../resources/resource.ts";
import { kindMismatch } from "../writer/create.ts";
import { foreignProblems } from "./foreign-version.ts";
import type { ResourceCall } from "./resource-call.ts";
import type { FieldValidation } from "./write-options.ts";

/** A body before its kind is known. */
export interface RawBody {
  readonly value: Json;
  /** Keys given twice, as strict validation tells them. */
  readonly duplicates: readonly string[];
}

const ACCEPTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
export const PROTOBUF_TYPE = "application/vnd.kubernetes.protobuf";

/** The media type of a body, without parameters. */
export function contentType(request: ApiRequest): string {
  return (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
}

/** Reads JSON, YAML or protobuf. `kind` is what errors say that was expected, unless they are worded by `refuse`. */
export function readBody(
  request: ApiRequest,
  kind: string,
  refuse = (why: string): Error => unrecognizedBody(kind, why, request.body),
): RawBody {
  const { body } = request;
  const type = contentType(request);
  switch (type === "" && (request.headers["content-type"] ?? "") === "" ? "application/json" : type) {
    case "application/json":
      return parsed(
        () => parseJson(body),
        (why) => refuse(versionKindError(why)),
      );
    case "application/yaml":
      return parsed(() => parseYaml(body), refuse);
    case PROTOBUF_TYPE:
      return { value: decodeProtobuf(body, { kind }).object, duplicates: [] };
    default:
      throw unsupportedMediaType(
        `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`,
      );
  }
}

function parsed(parse: () => RawBody, refuse: (why: string) => Error): RawBody {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BodySyntaxError) throw refuse(error.message);
    throw error;
  }
}

/** Reads the body of a create or update as an object of the call's kind. */
export function decodeObject(call: ResourceCall, validation: FieldValidation): Decoded["object"] {
  const { resource, version, request } = call;
  const raw = readBody(request, resource.kind);
  const problem = versionKindProblem(raw.value);
  if (problem !== undefined) throw unrecognizedBody(resource.kind, problem, request.body);
  if (raw.value === null && resource.custom)
    throw unrecognizedBody(resource.kind, missingKind(request.body), request.body);
  const body: JsonObject = isObject(raw.value) ? raw.value : {};
  checkKind(call, body, (problems) => {
    reportProblems(call, [...problems, ...raw.duplicates], validation, (told) => {
      const given = parseGroupVersion(text(getOwn(body, "apiVersion")));
      return kindMismatch({ kind: resource.kind, version: given?.version ?? "" }, resource.kind, told);
    });
  });
  const decoded = version.decode(body);
  reportProblems(call, [...decoded.problems, ...raw.duplicates], validation, (told) =>
    kindMismatch({ kind: resource.kind, version: version.version }, resource.kind, told),
  );
  return decoded.object;
}

/** How many problems a client hears of. */
const MAX_TOLD = 100;

/** Unknown and duplicate fields: refused, told as warnings, or passed over, as the client asked. */
export function reportProblems(
  call: ResourceCall,
  problems: readonly string[],
  validation: FieldValidation,
  refuse: (told: string) => Error,
): void {
  if (problems.length === 0 || validation === "Ignore") return;
  const told = problems.slice(0, MAX_TOLD);
  if (validation === "Strict") throw refuse(`strict decoding error: ${told.join(", ")}`);
  for (const problem of told) call.warnings.add(problem);
}

/**
 * Fits kind and apiVersion of a body to the URL. Built-in kinds may leave them out. Of a custom object in another version
 * it is told first which of its fields are unknown.
 */
function checkKind(call: ResourceCall, body: JsonObject, report: (problems: readonly string[]) => void): void {
  const { resource, version } = call;
  const expected = formatGroupVersion({ group: resource.group, version: version.version });
  const kind = text(getOwn(body, "kind"));
  const apiVersion = text(getOwn(body, "apiVersion"));
  if (resource.custom) {
    if (kind === "") {
      const shown = JSON.stringify(body);
      throw unrecognizedBody(resource.kind, `Object 'Kind' is missing in '${shown}'`, call.request.body);
    }
    if (getOwn(body, "apiVersion") === null) {
      const why = ".apiVersion accessor error: <nil> is of the type <nil>, expected string";
      throw kindMismatch({ kind, version: "" }, resource.kind, why);
    }
    if (apiVersion !== expected) {
      report(foreignProblems(call, body) ?? []);
      throw badRequest(
        `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
      );
    }
    if (kind !== resource.kind) throw wrongCustomKind(call, kind, body);
  } else if ((kind !== "" && kind !== resource.kind) || (apiVersion !== "" && apiVersion !== expected)) {
    throw wrongBuiltinKind(call, kind, apiVersion, version);
  }
  body["kind"] = resource.kind;
  body["apiVersion"] = expected;
}

function wrongCustomKind(call: ResourceCall, kind: string, body: JsonObject): Error {
  const { resource } = call;
  const metadata = getOwn(body, "metadata");
  const name = isObject(metadata) ? text(getOwn(metadata, "name")) : "";
  return invalidObject({ group: resource.group, kind }, name, [invalid("kind", kind, `must be ${resource.kind}`)]);
}

function wrongBuiltinKind(call: ResourceCall, kind: string, apiVersion: string, version: ServedVersion): Error {
  const { resource } = call;
  const given = parseGroupVersion(apiVersion === "" ? version.version : apiVersion);
  const shownKind = kind === "" ? resource.kind : kind;
  const shownVersion = given?.version ?? apiVersion;
  const own = formatGroupVersion({ group: resource.group, version: version.version });
  const why = unregisteredKind(shownKind, apiVersion === "" ? own : apiVersion);
  return kindMismatch({ kind: shownKind, version: shownVersion }, resource.kind, why);
}

/** What the real server says of a kind that it does not know, with the name of its table of types. */
export function unregisteredKind(kind: string, apiVersion: string): string {
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
