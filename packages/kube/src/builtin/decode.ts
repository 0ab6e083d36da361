import { formatGroupVersion } from "../group-version.ts";
import { goJsonType } from "../json/body-error.ts";
import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { KubeObject } from "../object.ts";
import { canonicalQuantity, QuantityError } from "../quantity.ts";
import { assemble, sortedMap, zeroOf } from "./assemble.ts";
import { canonicalBase64 } from "./base64-text.ts";
import type { BuiltinType } from "./builtin-type.ts";
import { structLayout } from "./layout.ts";
import { refusedBody } from "./refused-body.ts";
import type { FieldLayout, Layout, StructLayout, Word } from "./layout.ts";
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
 * as the server's own encoder does, except that an explicit empty list of a field that is always written stays: see
 * `settleEmpty`. `kind` and `apiVersion` are set where the body has none. The body is not changed, but
 * free-form parts of it may be shared with the result.
 *
 * Throws 400 with the decoder's words where a value has the wrong type.
 */
export function decodeBuiltin(body: JsonObject, type: BuiltinType): DecodedBuiltin {
  const reader = new Reader();
  const layout = structLayout(type.definition);
  const gvk = tableDefinition(type.definition)?.gvk ?? [];
  try {
    const { kind, apiVersion, ...fields } = reader.read(body, layout);
    const [group = "", version = "", ownKind = ""] = gvk;
    const object: JsonObject = layout.index.has("kind")
      ? { kind: kind ?? ownKind, apiVersion: apiVersion ?? formatGroupVersion({ group, version }), ...fields }
      : fields;
    return { object: object as KubeObject, problems: reader.problems };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw refusedBody(type.definition, gvk, error.message);
  }
}

class DecodeError extends Error {}

/** A step from the root: a field, a list index or a map key. */
type Step = FieldLayout | number | string;

/**
 * One walk over a body. A value of the wrong type is remembered and the walk goes on, for a malformed quantity or time
 * further on is told first: that is how the server's decoder behaves.
 */
class Reader {
  readonly problems: string[] = [];
  #wrong: DecodeError | undefined;
  readonly #path: Step[] = [];
  /** Structs on the way, innermost last. */
  readonly #structs: string[] = [];
  /** Above zero inside values that have a decoder of their own, which tells nobody of unknown fields. */
  #silent = 0;

  read(body: JsonObject, layout: StructLayout): JsonObject {
    const object = this.#struct(body, layout);
    if (this.#wrong) throw this.#wrong;
    return object;
  }

  #struct(body: JsonObject, layout: StructLayout): JsonObject {
    const values: (Json | undefined)[] = new Array(layout.fields.length);
    this.#structs.push(layout.go);
    for (const name of Object.keys(body)) {
      const at = layout.index.get(name);
      if (at === undefined) {
        if (this.#silent === 0) this.problems.push(`unknown field ${JSON.stringify(this.#strictPath(name))}`);
        continue;
      }
      const value = body[name]!;
      if (value === null) continue;
      const field = layout.fields[at]!;
      this.#path.push(field);
      values[at] = this.#value(value, field.layout);
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
        if (!isObject(value)) return this.#mismatch(value, layout.go);
        return this.#struct(value, structLayout(layout.name));
      case "list":
        if (!Array.isArray(value)) return this.#mismatch(value, layout.go);
        return value.map((item, at) => this.#child(at, item, layout.element));
      case "map": {
        if (!isObject(value)) return this.#mismatch(value, layout.go);
        const keys = Object.keys(value);
        return sortedMap(keys.map((key) => [key, this.#child(key, value[key]!, layout.element)]));
      }
    }
  }

  #child(step: number | string, value: Json, layout: Layout): Json {
    if (value === null) return zeroOf(layout);
    this.#path.push(step);
    const read = this.#value(value, layout);
    this.#path.pop();
    return read;
  }

  #word(value: Json, word: Word, go: string): Json {
    switch (word) {
      case "string":
        if (typeof value !== "string") return this.#mismatch(value, go);
        return value;
      case "bool":
        if (typeof value !== "boolean") return this.#mismatch(value, go);
        return value;
      case "int32":
      case "int64":
        return this.#integer(value, word, go);
      case "float64":
        if (typeof value !== "number") return this.#mismatch(value, go);
        return value;
      case "bytes":
        return this.#bytes(value, go);
      case "int-or-string":
        return typeof value === "string" ? value : this.#own(() => this.#integer(value, "int32", "int32"));
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

  #integer(value: Json, word: "int32" | "int64", go: string): Json {
    if (typeof value !== "number") return this.#mismatch(value, go);
    const limit = word === "int32" ? 2 ** 31 : 2 ** 63;
    if (Number.isInteger(value) && value >= -limit && value < limit) return value;
    return this.#mismatch(value, go, `number ${value}`);
  }

  #bytes(value: Json, go: string): Json {
    if (typeof value !== "string") return this.#mismatch(value, go);
    const canonical = canonicalBase64(value);
    if (typeof canonical === "string") return canonical;
    return this.#remember(new DecodeError(`illegal base64 data at input byte ${canonical}`));
  }

  #time(value: Json, word: "time" | "micro-time"): Json {
    if (typeof value !== "string") return this.#own(() => this.#mismatch(value, "string"));
    try {
      return word === "time" ? canonicalTime(value) : canonicalMicroTime(value);
    } catch (error) {
      if (error instanceof TimeTextError) throw new DecodeError(error.message);
      throw error;
    }
  }

  /** The unions of JSON Schema: a schema, or a boolean, a list of schemas, a list of strings. Anything else is dropped. */
  #schemaOr(value: Json, word: "schema-or-bool" | "schema-or-array" | "schema-or-strings"): Json {
    if (isObject(value)) return this.#own(() => this.#struct(value, structLayout(schemaElement.name)));
    if (word === "schema-or-bool") {
      if (typeof value !== "boolean") throw new DecodeError("boolean or JSON schema expected");
      return value;
    }
    if (!Array.isArray(value)) return null;
    const element = word === "schema-or-array" ? schemaElement : stringElement;
    return this.#own(() => value.map((item, at) => this.#child(at, item, element)));
  }

  /** Reads a value that the server hands to a decoder of its own: what is wrong inside ends the walk at once. */
  #own(read: () => Json): Json {
    const before = this.#wrong;
    this.#wrong = undefined;
    this.#silent++;
    const value = read();
    this.#silent--;
    if (this.#wrong) throw this.#wrong;
    this.#wrong = before;
    return value;
  }

  #mismatch(value: Json, go: string, told = goJsonType(value)): null {
    const struct = this.#structs.at(-1) ?? "";
    const path = this.#path.flatMap((step) => (typeof step === "object" ? [step.step] : [])).join(".");
    return this.#remember(
      new DecodeError(`json: cannot unmarshal ${told} into Go struct field ${struct}.${path} of type ${go}`),
    );
  }

  #remember(error: DecodeError): null {
    this.#wrong ??= error;
    return null;
  }

  #strictPath(last: string): string {
    let text = "";
    for (const step of this.#path)
      text += typeof step === "number" ? `[${step}]` : `.${typeof step === "string" ? step : step.name}`;
    return `${text}.${last}`.slice(1);
  }
}

const schemaElement = { kind: "struct", name: "apiextensions.v1.JSONSchemaProps", go: "v1.JSONSchemaProps" } as const;
const stringElement: Layout = { kind: "word", word: "string", go: "string" };

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
