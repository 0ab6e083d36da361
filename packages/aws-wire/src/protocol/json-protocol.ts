import { fromJson, toJson } from "../codec/json-codec.ts";
import { MalformedError } from "../malformed-error.ts";
import type { ServiceModel } from "../model.ts";
import type { ProtocolCodec, WireResponse } from "../wire.ts";
import { bodyText } from "./body-text.ts";

/** AWS JSON 1.0 and 1.1: one path, the operation in a header, JSON both ways. */
export const jsonProtocol: ProtocolCodec<ServiceModel> = {
  encodeRequest(model, operation, input) {
    const shape = model.operations[operation]?.input;
    return {
      method: "POST",
      path: "/",
      headers: {
        "content-type": contentType(model),
        "x-amz-target": `${model.targetPrefix}.${operation}`,
      },
      body: Buffer.from(JSON.stringify(shape === undefined ? {} : toJson(model, { shape }, input))),
    };
  },
  decodeRequest(model, { headers, body }) {
    const [prefix, operation = ""] = (headers["x-amz-target"] ?? "").split(".");
    if (prefix !== model.targetPrefix || !Object.hasOwn(model.operations, operation)) return undefined;
    const shape = model.operations[operation]?.input;
    const input = shape === undefined ? {} : fromJson(model, { shape }, parse(body));
    return { operation, input: input as Readonly<Record<string, unknown>> };
  },
  encodeResponse(model, operation, output, requestId) {
    const shape = model.operations[operation]?.output;
    return answer(model, 200, shape === undefined ? {} : toJson(model, { shape }, output), requestId);
  },
  decodeResponse(model, operation, { body }) {
    const shape = model.operations[operation]?.output;
    return shape === undefined ? {} : (fromJson(model, { shape }, parse(body)) as object);
  },
  encodeError(model, error, requestId) {
    const type = shapeNameOf(model, error.code);
    const members = { __type: `${namespaceOf(model, type)}${type}`, message: error.message, ...error.details };
    const queryError = `${error.code};${error.sender ? "Sender" : "Receiver"}`;
    return answer(model, error.status, members, requestId, {
      "x-amzn-errortype": type,
      ...(model.queryCompatible === true && { "x-amzn-query-error": queryError }),
    });
  },
  decodeError(_model, { status, headers, body }) {
    const { __type, code, message, Message, ...details } = parse(body) as Record<string, unknown>;
    const named = headers["x-amzn-query-error"]?.split(";")[0] ?? headers["x-amzn-errortype"] ?? __type ?? code;
    const plain =
      String(named ?? status)
        .split(":")[0]
        ?.split("#")
        .at(-1) ?? String(status);
    return { code: plain, status, message: String(message ?? Message ?? ""), sender: status < 500, details };
  },
};

function contentType({ jsonVersion = "1.1" }: ServiceModel): string {
  return `application/x-amz-json-${jsonVersion}`;
}

/** JSON 1.0 services name their errors with a namespace in front; DynamoDB's has its version, and not for what any service says. */
function namespaceOf({ jsonVersion, name, shapes }: ServiceModel, type: string): string {
  if (jsonVersion !== "1.0") return "";
  if (name !== "dynamodb") return `com.amazonaws.${name}#`;
  if (Object.hasOwn(shapes, type)) return "com.amazonaws.dynamodb.v20120810#";
  return type === "ValidationException" ? "com.amazon.coral.validate#" : "com.amazon.coral.service#";
}

/** Errors have a code on the wire of old protocols and a shape name in JSON; they differ in services that spoke both. */
function shapeNameOf(model: ServiceModel, code: string): string {
  for (const [name, shape] of Object.entries(model.shapes)) {
    if (shape.type === "structure" && shape.error?.code === code) return name;
  }
  return code;
}

function answer(
  model: ServiceModel,
  status: number,
  body: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  return {
    status,
    headers: { "content-type": contentType(model), "x-amzn-requestid": requestId, ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function parse(body: Uint8Array): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(bodyText(body)) as unknown;
  } catch (error) {
    if (error instanceof MalformedError) throw error;
    throw new MalformedError("the body is not JSON");
  }
}
