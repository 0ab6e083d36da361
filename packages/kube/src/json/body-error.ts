import { parseGroupVersion } from "../group-version.ts";
import { badRequest } from "../status.ts";
import type { StatusError } from "../status.ts";
import { getOwn, isObject } from "./json.ts";
import type { Json } from "./json.ts";
import { decodeUtf8 } from "./utf8.ts";

/** How much of a body is shown in an error. */
const SHOWN = 30;

function summary(body: Uint8Array): string {
  if (body.length === 0) return "<empty>";
  const head = Buffer.from(body.subarray(0, SHOWN));
  return head.toString(body[0] === 0x7b ? "utf8" : "hex") + (body.length > SHOWN ? " ..." : "");
}

/** 400 for a body that cannot be read as an object of the wanted kind; `why` is the decoder's message. */
export function unrecognizedBody(kind: string, why: string, body: Uint8Array): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(body)})`);
}

const GO_HEADER =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** How Go names the type of a JSON value in its decoding errors. */
export function goJsonType(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** `couldn't get version/kind; json parse error: …`, the prefix of all that is wrong before a kind is known. */
export function versionKindError(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`;
}

/**
 * Why apiVersion and kind cannot be read from a decoded body, for {@link unrecognizedBody}; undefined if they can. null
 * reads as an empty object, and absent or null fields as empty.
 */
export function versionKindProblem(value: Json): string | undefined {
  if (value === null) return undefined;
  if (!isObject(value))
    return versionKindError(`json: cannot unmarshal ${goJsonType(value)} into Go value of type ${GO_HEADER}`);
  for (const field of ["apiVersion", "kind"]) {
    const found = getOwn(value, field) ?? null;
    if (found === null || typeof found === "string") continue;
    return versionKindError(
      `json: cannot unmarshal ${goJsonType(found)} into Go struct field .${field} of type string`,
    );
  }
  const apiVersion = getOwn(value, "apiVersion") ?? "";
  if (parseGroupVersion(apiVersion as string) === undefined)
    return `unexpected GroupVersion string: ${apiVersion as string}`;
  return undefined;
}

/** What is wrong with a custom resource whose body names no kind. Built-in kinds take it from the URL. */
export function missingKind(body: Uint8Array): string {
  return `Object 'Kind' is missing in '${decodeUtf8(body)}'`;
}
