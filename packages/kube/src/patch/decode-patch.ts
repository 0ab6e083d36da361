import { quote } from "../quote.ts";
import { goJsonType } from "../json/body-error.ts";
import { getOwn, isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { BodySyntaxError } from "../json/json-syntax.ts";
import { parseJson } from "../json/strict-parse.ts";
import type { ParsedJson } from "../json/strict-parse.ts";
import { parseYaml } from "../json/yaml.ts";
import type { ParsedYaml } from "../json/yaml.ts";
import { badRequest } from "../status.ts";
import type { StatusError } from "../status.ts";

/** A patch body, and what strict field validation has to say about its form (duplicate keys, unknown members). */
export interface DecodedPatch<T> {
  readonly patch: T;
  readonly problems: readonly string[];
}

/** Whether fieldValidation is Warn or Strict. It decides about the text of some errors. */
type Strict = boolean;

/** Reads an `application/json-patch+json` body. Throws StatusError 400. null is a patch without operations. */
export function decodeJsonPatch(body: Uint8Array, strict: Strict): DecodedPatch<Json[]> {
  const { value, duplicates } = parse(body, strict ? "error decoding patch: " : "");
  if (value === null) return { patch: [], problems: [] };
  if (!Array.isArray(value))
    throw cannotUnmarshal(value, strict, "Go value of type", "[]handlers.jsonPatchOp", "jsonpatch.Patch");
  const problems: string[] = [];
  value.forEach((operation, index) => {
    if (operation === null) return;
    if (!isObject(operation)) {
      throw cannotUnmarshal(operation, strict, "Go value of type", "handlers.jsonPatchOp", "jsonpatch.Operation");
    }
    for (const key of strict ? Object.keys(operation) : []) {
      if (key === "value") continue;
      const member = getOwn(operation, key)!;
      if (key !== "op" && key !== "path" && key !== "from") {
        problems.push(`json patch unknown field ${quote(`[${index}].${key}`)}`);
      } else if (typeof member !== "string" && member !== null) {
        const field = `jsonPatchOp.${key} of type string`;
        throw cannotUnmarshal(member, strict, "Go struct field", field, field);
      }
    }
  });
  return { patch: value, problems: [...problems, ...duplicates.map((text) => `json patch ${text}`)] };
}

/** Reads an `application/merge-patch+json` body. Throws StatusError 400. What is not an object passes only if not strict. */
export function decodeMergePatch(body: Uint8Array, strict: Strict): DecodedPatch<Json> {
  if (!strict) {
    try {
      return { patch: parseJson(body).value, problems: [] };
    } catch (error) {
      if (error instanceof BodySyntaxError) throw badRequest("Invalid JSON Patch");
      throw error;
    }
  }
  const { value, duplicates } = parse(body, "error decoding patch: ");
  if (value !== null && !isObject(value)) throw cannotUnmarshal(value, strict, "Go value of type", GO_MAP, GO_MAP);
  return { patch: value, problems: duplicates };
}

/** Reads an `application/strategic-merge-patch+json` body. Throws StatusError 400. null is an empty patch. */
export function decodeStrategicMergePatch(body: Uint8Array): DecodedPatch<JsonObject> {
  const { value, duplicates } = parse(body, "");
  if (value === null) return { patch: {}, problems: [] };
  if (!isObject(value)) throw badRequest(`json: cannot unmarshal ${goJsonType(value)} into Go value of type ${GO_MAP}`);
  return { patch: value, problems: duplicates };
}

/**
 * Reads an `application/apply-patch+yaml` body, which may be JSON. Throws StatusError 400. null is an empty object. The
 * problems are duplicate keys; {@link strictApplyError} is the refusal that strict validation makes of them.
 */
export function decodeApplyPatch(body: Uint8Array): DecodedPatch<JsonObject> {
  let parsed: ParsedYaml;
  try {
    parsed = parseYaml(body);
  } catch (error) {
    if (error instanceof BodySyntaxError) {
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    }
    throw error;
  }
  const { value, duplicates } = parsed;
  if (value === null) return { patch: {}, problems: [] };
  if (isObject(value)) return { patch: value, problems: duplicates };
  const why = `json: cannot unmarshal ${goJsonType(value)} into Go value of type ${GO_MAP}`;
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** 400 for an apply configuration with duplicate keys. It comes after all that apply itself refuses. */
export function strictApplyError(problems: readonly string[]): StatusError {
  const told = problems.map((problem) => `\n  ${problem}`).join("");
  return badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${told}`);
}

const GO_MAP = "map[string]interface {}";

function parse(body: Uint8Array, prefix: string): ParsedJson {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof BodySyntaxError) throw badRequest(`${prefix}${error.message}`);
    throw error;
  }
}

function cannotUnmarshal(value: Json, strict: Strict, into: string, strictType: string, looseType: string): Error {
  const prefix = strict ? "error decoding patch: " : "";
  return badRequest(
    `${prefix}json: cannot unmarshal ${goJsonType(value)} into ${into} ${strict ? strictType : looseType}`,
  );
}
