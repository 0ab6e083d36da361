import { BodySyntaxError, getOwn, parseYaml } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { RE2JS } from "re2js";
import { isRecord } from "../transform/json-text.ts";
import { atPointer, pointerTo } from "./json-pointer.ts";

/** A document that cannot be checked against. The message says what is wrong with it, and where. */
export class OpenapiDocumentError extends Error {
  override readonly name = "OpenapiDocumentError";
}

/** A place in a document and what is there, references followed. */
export interface Located {
  readonly pointer: string;
  readonly value: JsonObject;
}

const MAX_BYTES = 1024 * 1024;
const MAX_REFERENCES = 16;

/** An OpenAPI document of version 3, whose references all lead somewhere within it. */
export class OpenapiDocument {
  readonly root: JsonObject;
  /** 3.1 and later: schemas are those of JSON Schema 2020-12. */
  readonly isModern: boolean;

  private constructor(root: JsonObject, isModern: boolean) {
    this.root = root;
    this.isModern = isModern;
  }

  /** Reads YAML or JSON. Throws OpenapiDocumentError. */
  static read(text: string): OpenapiDocument {
    const bytes = Buffer.from(text);
    if (bytes.length > MAX_BYTES) throw new OpenapiDocumentError("is larger than 1 MiB");
    try {
      return OpenapiDocument.of(parseYaml(bytes).value);
    } catch (error) {
      if (error instanceof BodySyntaxError) throw new OpenapiDocumentError(error.message);
      throw error;
    }
  }

  /** Takes over a document that was read, and changes it. Throws OpenapiDocumentError. */
  static of(value: Json): OpenapiDocument {
    if (!isRecord(value)) throw new OpenapiDocumentError("is no OpenAPI document");
    const version = getOwn(value, "openapi");
    if (typeof version !== "string" || !/^3\.\d/.test(version))
      throw new OpenapiDocumentError("has to be an OpenAPI document of version 3");
    const document = new OpenapiDocument(value, !version.startsWith("3.0"));
    document.#prepare(value, []);
    return document;
  }

  /** What is at a place, after following references; undefined when it is no object. */
  at(pointer: string): Located | undefined {
    let place = pointer;
    for (let steps = 0; steps < MAX_REFERENCES; steps++) {
      const value = atPointer(this.root, place);
      if (!isRecord(value)) return undefined;
      const reference = getOwn(value, "$ref");
      if (typeof reference !== "string") return { pointer: place, value };
      place = pointerOf(reference);
    }
    return undefined;
  }

  /** The field of an object at a place. */
  inside(located: Located, ...keys: readonly (string | number)[]): Located | undefined {
    return this.at(`${located.pointer}${pointerTo(keys)}`);
  }

  /** Checks references, and writes what version 3.0 says otherwise as JSON Schema does. */
  #prepare(value: Json, path: readonly (string | number)[]): void {
    if (path.length > 200) throw new OpenapiDocumentError("nests too deeply");
    if (Array.isArray(value)) return value.forEach((item, index) => this.#prepare(item, [...path, index]));
    if (!isRecord(value)) return;
    const reference = getOwn(value, "$ref");
    if (typeof reference === "string" && atPointer(this.root, pointerOf(reference)) === undefined)
      throw new OpenapiDocumentError(`${pointerTo(path)}: ${reference} leads nowhere in this document`);
    checkPattern(value, path);
    exclusive(value, "exclusiveMinimum", "minimum");
    exclusive(value, "exclusiveMaximum", "maximum");
    withoutReadOnly(value);
    for (const key of Object.keys(value)) {
      // Examples are data of any shape.
      if (key !== "example" && key !== "examples" && key !== "default" && key !== "enum" && key !== "const")
        this.#prepare(getOwn(value, key) ?? null, [...path, key]);
    }
  }
}

function pointerOf(reference: string): string {
  if (!reference.startsWith("#")) throw new OpenapiDocumentError(`${reference}: other documents are not read`);
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    throw new OpenapiDocumentError(`${reference} is no reference`);
  }
}

function checkPattern(schema: JsonObject, path: readonly (string | number)[]): void {
  const pattern = getOwn(schema, "type") === "string" ? getOwn(schema, "pattern") : undefined;
  if (typeof pattern !== "string") return;
  try {
    RE2JS.compile(pattern);
  } catch {
    throw new OpenapiDocumentError(`${pointerTo(path)}: ${JSON.stringify(pattern)} is no regular expression of RE2`);
  }
}

/** `exclusiveMinimum: true` beside `minimum: 3` becomes `exclusiveMinimum: 3`. */
function exclusive(schema: JsonObject, name: string, bound: string): void {
  const given = getOwn(schema, name);
  if (typeof given !== "boolean") return;
  const value = getOwn(schema, bound);
  delete schema[name];
  if (!given || typeof value !== "number") return;
  schema[name] = value;
  delete schema[bound];
}

/** What only answers have cannot be required of requests. */
function withoutReadOnly(schema: JsonObject): void {
  const required = getOwn(schema, "required");
  const properties = getOwn(schema, "properties");
  if (!Array.isArray(required) || !isRecord(properties)) return;
  schema["required"] = required.filter((name) => {
    const property = typeof name === "string" ? getOwn(properties, name) : undefined;
    return !(isRecord(property) && getOwn(property, "readOnly") === true);
  });
}
