import { isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { WireWriter } from "@gatewright/kube/protobuf";
import { any, double, int64, message, repeated, text, truth, wrapped, writeFields } from "./message-fields.ts";
import type { Field, MessageFields } from "./message-fields.ts";

/**
 * The document of `documentV2` as the message `openapi.v2.Document` of gnostic, which Go clients ask for. It says what the
 * JSON says. Of the message's fields there are those that such a document has; schemas are whole, for custom ones may
 * have any of them, but for `xml` and `externalDocs`.
 */
export function protobufV2(document: JsonObject): Buffer {
  const out = new WireWriter();
  writeFields(out, documentMessage, document);
  return out.finish();
}

const schema = message(() => schemaMessage);
const named = (field: Field): MessageFields => ({ named: field });

const schemaMessage: MessageFields = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, truth],
    minimum: [9, double],
    exclusiveMinimum: [10, truth],
    maxLength: [11, int64],
    minLength: [12, int64],
    pattern: [13, text],
    maxItems: [14, int64],
    minItems: [15, int64],
    uniqueItems: [16, truth],
    maxProperties: [17, int64],
    minProperties: [18, int64],
    required: [19, repeated(text)],
    enum: [20, repeated(any)],
    additionalProperties: [21, wrapped((value) => (typeof value === "boolean" ? [2, truth] : [1, schema]))],
    type: [22, wrapped(() => [1, repeated(text)])],
    items: [23, wrapped(() => [1, repeated(schema)])],
    allOf: [24, repeated(schema)],
    properties: [25, message(() => named([1, schema]))],
    discriminator: [26, text],
    readOnly: [27, truth],
    example: [30, any],
  },
  extensions: 31,
};

const bodyParameter = message(() => ({
  fields: { description: [1, text], name: [2, text], in: [3, text], required: [4, truth], schema: [5, schema] },
}));

const queryParameter = message(() => ({
  fields: { required: [1, truth], in: [2, text], name: [4, text], type: [6, text], uniqueItems: [20, truth] },
}));

const pathParameter = message(() => ({
  fields: { required: [1, truth], in: [2, text], name: [4, text], type: [5, text], uniqueItems: [19, truth] },
}));

const otherParameter = wrapped((value) =>
  isObject(value) && value["in"] === "path" ? [4, pathParameter] : [3, queryParameter],
);

const parameter = wrapped((value) =>
  isObject(value) && value["in"] === "body" ? [1, bodyParameter] : [2, otherParameter],
);

const parameters = repeated(wrapped(() => [1, parameter]));

const response = message(() => ({
  fields: { description: [1, text], schema: [2, wrapped(() => [1, schema])] },
  extensions: 5,
}));

const operation = message(() => ({
  fields: {
    tags: [1, repeated(text)],
    description: [3, text],
    operationId: [5, text],
    produces: [6, repeated(text)],
    consumes: [7, repeated(text)],
    parameters: [8, parameters],
    responses: [9, message(() => ({ named: [1, wrapped(() => [1, response])], extensions: 2 }))],
    schemes: [10, repeated(text)],
  },
  extensions: 13,
}));

const pathItem = message(() => ({
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, parameters],
  },
  extensions: 10,
}));

const documentMessage: MessageFields = {
  fields: {
    swagger: [1, text],
    info: [2, message(() => ({ fields: { title: [1, text], version: [2, text], description: [3, text] } }))],
    paths: [8, message(() => ({ named: [2, pathItem], extensions: 1 }))],
    definitions: [9, message(() => named([1, schema]))],
  },
};
