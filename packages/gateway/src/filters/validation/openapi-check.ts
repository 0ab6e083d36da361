import { BodySyntaxError, getOwn, parseJson } from "@gatewright/kube";
import type { Answer } from "../../exchange/answer.ts";
import { bytesSource } from "../../exchange/bodies.ts";
import { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Call } from "../../pipeline/call.ts";
import { decodedBody } from "../decoded-body.ts";
import { MAX_CHANGED_BODY } from "../transform/json-body.ts";
import { isRecord } from "../transform/json-text.ts";
import { wholeBody } from "../whole-body.ts";
import type { Located, OpenapiDocument } from "./openapi-document.ts";
import { openapiParameters, parameterMisfit } from "./openapi-parameters.ts";
import type { OpenapiParameter } from "./openapi-parameters.ts";
import { OpenapiPaths } from "./openapi-paths.ts";
import { OpenapiSchemas } from "./openapi-schemas.ts";
import { bringsCredentials } from "./openapi-security.ts";

/** What of a request is checked. */
export interface OpenapiChecks {
  readonly body: boolean;
  readonly parameters: boolean;
  readonly headers: boolean;
  readonly security: boolean;
}

interface Operation {
  readonly located: Located;
  readonly parameters: readonly OpenapiParameter[];
}

const METHODS: readonly string[] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Checks requests against one document. Operations are prepared when they are first asked for. */
export class OpenapiCheck {
  readonly #document: OpenapiDocument;
  readonly #paths: OpenapiPaths;
  readonly #schemas: OpenapiSchemas;
  readonly #operations = new Map<string, Operation>();

  /** Throws OpenapiDocumentError. */
  constructor(document: OpenapiDocument) {
    this.#document = document;
    this.#paths = new OpenapiPaths(document);
    this.#schemas = new OpenapiSchemas(document);
  }

  /** The answer to a request that does not fit. A body that was read is put back. */
  refusal(call: Call, checks: OpenapiChecks): Answer | undefined | Promise<Answer | undefined> {
    const found = this.#paths.find(call.path);
    if (found === undefined) return localAnswer(404, "not_described", "this path is not described");
    const operation = this.#operation(found.item, call.head.method.toLowerCase());
    if (operation === undefined) return this.#notAllowed(found.item);
    if (checks.security && !bringsCredentials(this.#document, operation.located, call))
      return localAnswer(401, "credentials_missing", "this operation needs credentials");
    for (const parameter of operation.parameters) {
      const isHeader = parameter.place === "header" || parameter.place === "cookie";
      if (!(isHeader ? checks.headers : checks.parameters)) continue;
      const wrong = parameterMisfit(parameter, call, found.parameters, this.#schemas);
      if (wrong !== undefined) return localAnswer(400, "not_as_described", wrong);
    }
    const body = checks.body ? this.#document.inside(operation.located, "requestBody") : undefined;
    return body === undefined ? undefined : this.#bodyRefusal(call, body);
  }

  #operation(item: Located, method: string): Operation | undefined {
    const name = METHODS.includes(method) ? method : "";
    const located =
      this.#document.inside(item, name) ?? (name === "head" ? this.#document.inside(item, "get") : undefined);
    if (located === undefined) return undefined;
    const known = this.#operations.get(located.pointer);
    if (known !== undefined) return known;
    const made = { located, parameters: openapiParameters(this.#document, item, located) };
    this.#operations.set(located.pointer, made);
    return made;
  }

  #notAllowed(item: Located): Answer {
    const allowed = METHODS.filter((method) => Object.hasOwn(item.value, method)).map((method) => method.toUpperCase());
    return localAnswer(405, "not_described", "this method is not described", new Fields(["allow", allowed.join(", ")]));
  }

  #bodyRefusal(call: Call, body: Located): Answer | undefined | Promise<Answer | undefined> {
    if (call.body === undefined || call.body.length === 0)
      return getOwn(body.value, "required") === true
        ? localAnswer(400, "not_as_described", "a body is missing")
        : undefined;
    const type = (call.head.fields.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    const media = this.#mediaType(body, type);
    if (media === undefined) return localAnswer(415, "not_as_described", "bodies of this type are not described");
    const schema = this.#document.inside(media, "schema");
    const isJson = type === "application/json" || type.endsWith("+json");
    return schema === undefined || !isJson ? undefined : this.#jsonRefusal(call, schema.pointer);
  }

  async #jsonRefusal(call: Call, pointer: string): Promise<Answer | undefined> {
    if (call.body === undefined) return undefined;
    const packed = await wholeBody(call.body, MAX_CHANGED_BODY, "request");
    if (!Buffer.isBuffer(packed)) return packed;
    call.body = bytesSource(packed);
    const bytes = await decodedBody(packed, call.head.fields.all("content-encoding"), MAX_CHANGED_BODY);
    if (bytes === "too-large") return localAnswer(413, "body_too_large", "the body is too large");
    if (bytes === "unknown")
      return localAnswer(415, "unsupported_encoding", "the encoding of the body is not supported");
    if (bytes === "broken") return localAnswer(400, "bad_body", "the body is not encoded as it says");
    try {
      const { value, duplicates } = parseJson(bytes);
      // A backend might read the other one of two.
      if (duplicates.length > 0) return localAnswer(400, "not_as_described", "the body has a field twice");
      const wrong = this.#schemas.misfit(pointer, value);
      return wrong === undefined ? undefined : localAnswer(400, "not_as_described", `the body: ${wrong}`);
    } catch (error) {
      if (!(error instanceof BodySyntaxError)) throw error;
      return localAnswer(400, "not_as_described", "the body is not JSON");
    }
  }

  #mediaType(body: Located, type: string): Located | undefined {
    const content = getOwn(body.value, "content");
    if (!isRecord(content)) return undefined;
    const names = Object.keys(content);
    const bare = (name: string): string => name.split(";")[0]?.trim().toLowerCase() ?? "";
    const name =
      names.find((one) => bare(one) === type) ??
      names.find((one) => bare(one) === `${type.split("/")[0]}/*`) ??
      names.find((one) => bare(one) === "*/*");
    return name === undefined ? undefined : this.#document.inside(body, "content", name);
  }
}
