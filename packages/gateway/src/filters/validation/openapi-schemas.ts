import { createRequire } from "node:module";
import type { Ajv as AjvClass, Options, ValidateFunction } from "ajv";
import { RE2JS } from "re2js";
import type { OpenapiDocument } from "./openapi-document.ts";

const require = createRequire(import.meta.url);
const ID = "openapi";

/** Patterns of documents run on an engine whose time is bounded by the text. */
function linearPattern(pattern: string): { test(text: string): boolean } {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}
const regExp = Object.assign(linearPattern, { code: "linearPattern" });

const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  uuid: /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/,
  email: /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
};

/** Why a value does not fit, in words of the document. */
export type Misfit = string;

/** Checks values against the schemas of one document. Each is compiled when it is first needed. */
export class OpenapiSchemas {
  readonly #ajv: AjvClass;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenapiDocument) {
    const options: Options = { strict: false, validateSchema: false, logger: false, code: { regExp } };
    const loaded = document.isModern
      ? (require("ajv/dist/2020.js") as { Ajv2020: new (options: Options) => AjvClass }).Ajv2020
      : (require("ajv") as { Ajv: new (options: Options) => AjvClass }).Ajv;
    this.#ajv = new loaded(options);
    for (const [name, format] of Object.entries(FORMATS)) this.#ajv.addFormat(name, format);
    this.#ajv.addSchema(document.root, ID);
  }

  /** Undefined: the value fits the schema at this place of the document. Throws when the schema itself makes no sense. */
  misfit(pointer: string, value: unknown): Misfit | undefined {
    const validate = this.#validator(pointer);
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    const place = (error?.schemaPath ?? "").replace(/^openapi#|^#/, "").replace(/\/[^/]*$/, "");
    return `${place === "" ? "it" : place} ${error?.message ?? "does not fit"}`;
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ $ref: `${ID}#${encodeURI(pointer)}` });
    this.#compiled.set(pointer, made);
    return made;
  }
}
