import { getOwn } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { Call } from "../../pipeline/call.ts";
import { callSource } from "../transform/call-source.ts";
import { queryPairs } from "../../exchange/query-value.ts";
import type { Located, OpenapiDocument } from "./openapi-document.ts";
import type { Misfit, OpenapiSchemas } from "./openapi-schemas.ts";

/** Fields that a document describes elsewhere. */
const ELSEWHERE: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ["form", ","],
  ["simple", ","],
  ["spaceDelimited", " "],
  ["pipeDelimited", "|"],
]);

/** A parameter of an operation. */
export interface OpenapiParameter {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  /** Where its schema is; undefined when it is not checked: objects, and what is said by content. */
  readonly schema: Located | undefined;
  readonly type: string;
  readonly itemType: string;
  /** Each item has its own `name=value`. */
  readonly exploded: boolean;
  readonly delimiter: string;
}

/** The parameters of an operation: its own, and those of its path that it does not have. */
export function openapiParameters(document: OpenapiDocument, item: Located, operation: Located): OpenapiParameter[] {
  const found = new Map<string, OpenapiParameter>();
  for (const holder of [item, operation]) {
    const list = getOwn(holder.value, "parameters");
    for (const at of Array.isArray(list) ? list.keys() : []) {
      const located = document.inside(holder, "parameters", at);
      const parameter = located && parameterOf(document, located);
      if (parameter !== undefined) found.set(`${parameter.place} ${parameter.name}`, parameter);
    }
  }
  return [...found.values()];
}

function parameterOf(document: OpenapiDocument, located: Located): OpenapiParameter | undefined {
  const { value } = located;
  const name = getOwn(value, "name");
  const place = getOwn(value, "in");
  if (typeof name !== "string" || typeof place !== "string") return undefined;
  if (place === "header" && ELSEWHERE.has(name.toLowerCase())) return undefined;
  const schema = document.inside(located, "schema");
  const type = typeOf(schema?.value);
  const items = schema && document.inside(schema, "items");
  const style = getOwn(value, "style") ?? (place === "query" || place === "cookie" ? "form" : "simple");
  const explode = getOwn(value, "explode");
  return {
    name: place === "header" ? name.toLowerCase() : name,
    place,
    required: getOwn(value, "required") === true || place === "path",
    schema: type === "object" || !DELIMITERS.has(String(style)) ? undefined : schema,
    type,
    itemType: typeOf(items?.value),
    exploded: place === "query" && (explode === undefined ? style === "form" : explode === true),
    delimiter: DELIMITERS.get(String(style)) ?? ",",
  };
}

/** Why a parameter of a call does not fit; undefined when it does. */
export function parameterMisfit(
  parameter: OpenapiParameter,
  call: Call,
  pathParameters: ReadonlyMap<string, string>,
  schemas: OpenapiSchemas,
): Misfit | undefined {
  const values = valuesOf(parameter, call, pathParameters);
  const what = `the ${parameter.place} parameter ${parameter.name}`;
  if (values.length === 0) return parameter.required ? `${what} is missing` : undefined;
  if (parameter.schema === undefined) return undefined;
  const wrong = schemas.misfit(parameter.schema.pointer, typed(parameter, values));
  return wrong === undefined ? undefined : `${what}: ${wrong}`;
}

function valuesOf(parameter: OpenapiParameter, call: Call, pathParameters: ReadonlyMap<string, string>): string[] {
  const { name, place } = parameter;
  if (place === "query") return queryPairs(call.query).flatMap(([found, value]) => (found === name ? [value] : []));
  if (place === "header") return call.head.fields.all(name);
  const value = place === "path" ? pathParameters.get(name) : callSource(`cookie.${name}`)?.(call);
  return typeof value === "string" ? [value] : [];
}

function typed(parameter: OpenapiParameter, values: readonly string[]): Json {
  const { type, itemType, exploded, delimiter } = parameter;
  if (type !== "array") return scalar(values[0] ?? "", type);
  const items = exploded ? values : values.flatMap((value) => value.split(delimiter));
  return items.map((item) => scalar(parameter.place === "header" ? item.trim() : item, itemType));
}

/** A text as the type that is wanted, or as it is when it is none of that type. */
function scalar(text: string, type: string): Json {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  const isNumber =
    (type === "integer" || type === "number") && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}

function typeOf(schema: JsonObject | undefined): string {
  const type = schema === undefined ? undefined : getOwn(schema, "type");
  if (typeof type === "string") return type;
  const first = Array.isArray(type) ? type.find((one) => one !== "null") : undefined;
  return typeof first === "string" ? first : "string";
}
