import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { KubeObject } from "../object.ts";
import { canonicalQuantity, QuantityError } from "../quantity.ts";
import { badRequest } from "../status.ts";
import { assemble, sortedMap, zeroOf } from "./assemble.ts";
import { canonicalBase64 } from "./base64-text.ts";
import type { BuiltinType } from "./builtin-type.ts";
import { structLayout } from "./layout.ts";
import type { Layout, StructLayout, Word } from "./layout.ts";
import { tableDefinition } from "./table.ts";
import { canonicalMicroTime, canonicalTime, TimeTextError } from "./time-text.ts";

/** A body of a built-in kind, as the server would write it back. */
export interface DecodedBuiltin {
  readonly object: KubeObject;
  /** Fields that the type does not have, in the order of the body: `unknown field "spec.foo"`. */
  readonly problems: string[];
}

/**
 * Reads a body as kube-apiserver's decoder reads it, without defaults and validation. Undeclared fields are dropped and
 * told; nulls count as absent; quantities, times and base64 come out in canonical form; empty values are dropped or put in
 * as the server's own encoder does. `kind` and `apiVersion` are set where the body has none. The body is not changed, but
 * free-form parts of it may be shared with the result.
 *
 * Throws 400 with the decoder's words where a value has the wrong type.
 */
export function decodeBuiltin(body: JsonObject, type: BuiltinType): DecodedBuiltin {
  const reader = new Reader();
  const gvk = tableDefinition(type.definition)?.gvk ?? [];
  try {
    const object = reader.struct(body, structLayout(type.definition));
    if (gvk.length > 0 && (object["kind"] === undefined || object["apiVersion"] === undefined)) {
      const [group, version, kind] = gvk as [string, string, string];
      const apiVersion = object["apiVersion"] ?? (group === "" ? version : `${group}/${version}`);
      return { object: { kind: object["kind"] ?? kind, ...object, apiVersion } as KubeObject, problems: reader.problems };
    }
    return { object: object as KubeObject, problems: reader.problems };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const kind = gvk[2] ?? structLayout(type.definition).go;
    throw badRequest(`${kind} in version ${JSON.stringify(gvk[1] ?? "v1")} cannot be handled as a ${kind}: ${error.message}`);
  }
}

class DecodeError extends Error {}

/** One walk over a body. Keeps the way from the root for messages; they print it in two notations. */
class Reader {
  readonly problems: string[] = [];
  /** Steps to the value at hand; list indexes are numbers and map keys stand in boxes. */
  readonly #path: (string | number | { readonly key: string })[] = [];
  /** Structs on the way, innermost last. */
  readonly #structs: string[] = [];
  /** Above zero inside values that have a decoder of their own, which tells nobody of unknown fields. */
  #silent = 0;

  struct(body: JsonObject, layout: StructLayout): JsonObject {
    const values: (Json | undefined)[] = new Array(layout.fields.length);
    this.#structs.push(layout.go);
    for (const name of Object.keys(body)) {
      const at = layout.index.get(name);
      this.#path.push(name);
      if (at === undefined) {
        if (this.#silent === 0) this.problems.push(`unknown field ${JSON.stringify(this.#strictPath())}`);
      } else {
        const value = body[name]!;
        if (value !== null) values[at] = this.#value(value, layout.fields[at]!.layout);
      }
      this.#path.pop();
    }
    this.#structs.pop();
    return assemble(layout, values);
  }

  #value(value: Json, layout: Layout): Json {
    switch (layout.kind) {
      case "word":
        return this.#word(value, layout.word, layout.go);
      case "struct":
        if (!isObject(value)) throw this.#mismatch(value, layout.go);
        return this.struct(value, structLayout(layout.name));
      case "list":
        if (!Array.isArray(value)) throw this.#mismatch(value, layout.go);
        return value.map((item, at) => this.#child(at, item, layout.element));
      case "map": {
        if (!isObject(value)) throw this.#mismatch(value, layout.go);
        const keys = Object.keys(value);
        return sortedMap(keys.map((key) => [key, this.#child({ key }, value[key]!, layout.element)]));
      }
    }
  }

  #child(step: number | { key: string }, value: Json, layout: Layout): Json {
    if (value === null) return zeroOf(layout);
    this.#path.push(step);
    const read = this.#value(value, layout);
    this.#path.pop();
    return read;
  }

  #word(value: Json, word: Word, go: string): Json {
    switch (word) {
      case "string":
        if (typeof value !== "string") throw this.#mismatch(value, go);
        return value;
      case "bool":
        if (typeof value !== "boolean") throw this.#mismatch(value, go);
        return value;
      case "int32":
      case "int64":
        return this.#integer(value, word, go);
      case "float64":
        if (typeof value !== "number") throw this.#mismatch(value, go);
        return value;
      case "bytes":
        return this.#bytes(value, go);
      case "int-or-string":
        return typeof value === "string" ? value : this.#integer(value, "int32", "int32");
      case "quantity":
        return quantity(value);
      case "time":
      case "micro-time":
        return this.#time(value, word);
      case "json":
        return sortedDeep(value);
      case "raw":
      case "fields":
        return value;
      case "schema-or-bool":
      case "schema-or-array":
      case "schema-or-strings":
        return this.#schemaOr(value, word);
    }
  }

  #integer(value: Json, word: "int32" | "int64", go: string): number {
    if (typeof value !== "number") throw this.#mismatch(value, go);
    const limit = word === "int32" ? 2 ** 31 : 2 ** 63;
    if (Number.isInteger(value) && value >= -limit && value < limit) return value;
    throw this.#mismatch(value, go, `number ${value}`);
  }

  #bytes(value: Json, go: string): string {
    if (typeof value !== "string") throw this.#mismatch(value, go);
    const canonical = canonicalBase64(value);
    if (typeof canonical === "string") return canonical;
    throw new DecodeError(`illegal base64 data at input byte ${canonical}`);
  }

  #time(value: Json, word: "time" | "micro-time"): Json {
    if (typeof value !== "string") throw this.#mismatch(value, "string");
    try {
      return word === "time" ? canonicalTime(value) : canonicalMicroTime(value);
    } catch (error) {
      if (error instanceof TimeTextError) throw new DecodeError(error.message);
      throw error;
    }
  }

  /** The unions of JSON Schema: a schema, or a boolean, a list of schemas, a list of strings. Anything else is dropped. */
  #schemaOr(value: Json, word: "schema-or-bool" | "schema-or-array" | "schema-or-strings"): Json {
    this.#silent++;
    let read: Json = null;
    if (isObject(value)) read = this.struct(value, structLayout("apiextensions.v1.JSONSchemaProps"));
    else if (word === "schema-or-bool") {
      if (typeof value !== "boolean") throw new DecodeError("boolean or JSON schema expected");
      read = value;
    } else if (Array.isArray(value)) {
      const element = word === "schema-or-array" ? schemaElement : stringElement;
      read = value.map((item, at) => this.#child(at, item, element));
    }
    this.#silent--;
    return read;
  }

  #mismatch(value: Json, go: string, told = jsonTypeName(value)): DecodeError {
    const struct = this.#structs.at(-1) ?? "";
    const path = this.#path.filter((step) => typeof step === "string").join(".");
    return new DecodeError(`json: cannot unmarshal ${told} into Go struct field ${struct}.${path} of type ${go}`);
  }

  #strictPath(): string {
    let text = "";
    for (const step of this.#path) {
      if (typeof step === "number") text += `[${step}]`;
      else text += `${text === "" ? "" : "."}${typeof step === "string" ? step : step.key}`;
    }
    return text;
  }
}

const schemaElement: Layout = { kind: "struct", name: "apiextensions.v1.JSONSchemaProps", go: "v1.JSONSchemaProps" };
const stringElement: Layout = { kind: "word", word: "string", go: "string" };

function jsonTypeName(value: Json): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function quantity(value: Json): string {
  try {
    return canonicalQuantity(typeof value === "string" ? value : JSON.stringify(value));
  } catch (error) {
    if (error instanceof QuantityError) throw new DecodeError(error.message);
    throw error;
  }
}

function sortedDeep(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedDeep);
  return isObject(value) ? sortedMap(Object.keys(value).map((key) => [key, sortedDeep(value[key]!)])) : value;
}
