import { isScalar, scalarOf, scalarText, timestampFormat } from "../codec/scalar.ts";
import type { Scalar } from "../codec/scalar.ts";
import { fromXml, membersOf, membersXml, toXml } from "../codec/xml-codec.ts";
import { shapeOf } from "../model.ts";
import type { ServiceModel, ShapeUse, StructureShape } from "../model.ts";
import type { ProtocolCodec, WireError, WireRequest, WireResponse } from "../wire.ts";
import { escapeXml, XML_DECLARATION, xmlElement } from "../xml/write-xml.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { childOf } from "../xml/xml-element.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import { bodyText } from "./body-text.ts";
import { errorOf } from "./query-protocol.ts";
import { matchOperation } from "./rest-route.ts";

type Values = Readonly<Record<string, unknown>>;

/** REST with XML bodies: Route 53 and S3. Members are in the path, the query, headers or the body, as the model says. */
export const restXmlProtocol: ProtocolCodec<ServiceModel> = {
  encodeRequest(model, operation, input) {
    const { method = "POST", uri = "/", input: name, inputName, inputNamespace } = model.operations[operation] ?? {};
    const shape = structure(model, name);
    const values = input as Values;
    const [template = "/", literals = ""] = uri.split("?");
    const query = new URLSearchParams(literals);
    const headers: Record<string, string> = {};
    let path = template;
    for (const [member, use] of Object.entries(shape?.members ?? {})) {
      const value = values[member];
      if (value === undefined || value === null) continue;
      const wire = use.name ?? member;
      if (use.in === "uri") {
        const text = encodeURIComponent(String(value));
        path = path.replace(`{${wire}+}`, text.replaceAll("%2F", "/")).replace(`{${wire}}`, text);
      } else if (use.in === "querystring") {
        for (const text of texts(model, use, value, "iso8601")) query.append(wire, text);
      } else {
        bindHeaders(model, use, wire, value, headers);
      }
    }
    const body = bodyOf(model, shape, values, inputName, inputNamespace);
    if (body.type !== undefined) headers["content-type"] = body.type;
    // A literal such as ?tagging has no value, and no equals sign either.
    const search = query.toString().replace(/=(?=&|$)/g, "");
    return { method, path: search === "" ? path : `${path}?${search}`, headers, body: body.bytes };
  },
  decodeRequest(model, request) {
    const cut = request.path.indexOf("?");
    const path = cut < 0 ? request.path : request.path.slice(0, cut);
    const query = new URLSearchParams(cut < 0 ? "" : request.path.slice(cut + 1));
    const match = matchOperation(model, { method: request.method, path, query, headers: request.headers });
    if (!match) return undefined;
    const shape = structure(model, model.operations[match.operation]?.input);
    const named = {
      operation: match.operation,
      ...(match.unknownQuery.length > 0 && { unknownQuery: match.unknownQuery }),
    };
    if (!shape) return { ...named, input: {} };
    const entries: [string, unknown][] = [];
    for (const [member, use] of Object.entries(shape.members)) {
      const wire = use.name ?? member;
      const value =
        use.in === "uri"
          ? match.labels.get(wire)
          : use.in === "querystring"
            ? fromQuery(model, use, wire, query)
            : fromHeaders(model, use, wire, request.headers);
      if (value !== undefined) entries.push([member, value]);
    }
    return { ...named, input: { ...Object.fromEntries(entries), ...bodyMembers(model, shape, request) } };
  },
  encodeResponse(model, operation, output, requestId) {
    const { output: name, status = 200 } = model.operations[operation] ?? {};
    const shape = structure(model, name);
    const values = output as Values;
    const headers: Record<string, string> = requestIds(model, requestId);
    let code = status;
    for (const [member, use] of Object.entries(shape?.members ?? {})) {
      const value = values[member];
      if (value === undefined || value === null) continue;
      if (use.in === "statusCode") code = Number(value);
      else bindHeaders(model, use, use.name ?? member, value, headers);
    }
    // The models do not say it: an answer that is a part of something has a status of its own.
    if (code === 200 && headers["content-range"] !== undefined) code = 206;
    const body = isUnwrapped(model, operation)
      ? unwrappedBody(model, values)
      : bodyOf(model, shape, values, shape?.name ?? name, namespaceOf(model));
    if (body.type !== undefined) headers["content-type"] ??= body.type;
    return { status: code, headers, body: body.bytes };
  },
  decodeResponse(model, operation, response) {
    const shape = structure(model, model.operations[operation]?.output);
    if (!shape) return {};
    if (isUnwrapped(model, operation)) {
      const { text } = parseXml(bodyText(response.body));
      return text === "" ? {} : { LocationConstraint: text };
    }
    const entries: [string, unknown][] = [];
    for (const [member, use] of Object.entries(shape.members)) {
      const value =
        use.in === "statusCode" ? response.status : fromHeaders(model, use, use.name ?? member, response.headers);
      if (value !== undefined) entries.push([member, value]);
    }
    return { ...Object.fromEntries(entries), ...bodyMembers(model, shape, response) };
  },
  encodeError(model, error, requestId) {
    const details = Object.entries(error.details ?? {}).map(([name, value]) =>
      xmlElement(name, escapeXml(String(value))),
    );
    const told = xmlElement("Code", escapeXml(error.code)) + xmlElement("Message", escapeXml(error.message));
    const headers = { "content-type": "application/xml", ...requestIds(model, requestId) };
    const xml =
      model.name === "s3"
        ? xmlElement("Error", told + details.join("") + xmlElement("RequestId", requestId))
        : xmlElement(
            "ErrorResponse",
            xmlElement("Error", xmlElement("Type", error.sender ? "Sender" : "Receiver") + told) +
              xmlElement("RequestId", requestId),
            ` xmlns="${namespaceOf(model)}"`,
          );
    return { status: error.status, headers, body: Buffer.from(XML_DECLARATION + xml) };
  },
  decodeError(_model, { status, body }) {
    if (body.length === 0) return { code: String(status), status, message: "", sender: status < 500 };
    const root = parseXml(bodyText(body));
    return messagesAlone(root, status) ?? errorOf(root, status);
  },
};

/** A batch that Route 53 refuses may be told of by its messages alone, in a document that is named after the error. */
function messagesAlone(root: XmlElement, status: number): WireError | undefined {
  const messages = childOf(root, "Messages");
  if (messages === undefined || root.name === "Error" || root.name === "ErrorResponse") return undefined;
  const message = `[${messages.children.map(({ text }) => text).join(", ")}]`;
  return { code: root.name, status, message, sender: status < 500 };
}

function structure(model: ServiceModel, name: string | undefined): StructureShape | undefined {
  const shape = name === undefined ? undefined : shapeOf(model, name);
  return shape?.type === "structure" ? shape : undefined;
}

/** One answer has its only member as the root of the document. The models do not say so; every client knows it. */
function isUnwrapped({ name }: ServiceModel, operation: string): boolean {
  return name === "s3" && operation === "GetBucketLocation";
}

function unwrappedBody(
  model: ServiceModel,
  { LocationConstraint: location }: Values,
): { readonly bytes: Uint8Array; readonly type: string } {
  const text = typeof location === "string" ? escapeXml(location) : "";
  const document = xmlElement("LocationConstraint", text, ` xmlns="${namespaceOf(model)}"`);
  return { bytes: Buffer.from(XML_DECLARATION + document), type: "application/xml" };
}

/** The services that speak this have their namespace in the documentation of requests only. */
function namespaceOf({ name, apiVersion }: ServiceModel): string {
  return name === "s3"
    ? `http://s3.amazonaws.com/doc/${apiVersion}/`
    : `https://${name}.amazonaws.com/doc/${apiVersion}/`;
}

function requestIds({ name }: ServiceModel, requestId: string): Record<string, string> {
  return name === "s3" ? { "x-amz-request-id": requestId, "x-amz-id-2": requestId } : { "x-amzn-requestid": requestId };
}

function bodyOf(
  model: ServiceModel,
  shape: StructureShape | undefined,
  values: Values,
  name: string | undefined,
  namespace: string | undefined,
): { readonly bytes: Uint8Array; readonly type?: string } {
  if (!shape) return { bytes: new Uint8Array(0) };
  if (shape.payload !== undefined) {
    const use = shape.members[shape.payload];
    const value = values[shape.payload];
    if (!use || value === undefined || value === null) return { bytes: new Uint8Array(0) };
    const of = shapeOf(model, use.shape);
    if (isScalar(of)) return { bytes: typeof value === "string" ? Buffer.from(value) : (value as Uint8Array) };
    const around = use.namespace || namespace === undefined ? use : { ...use, namespace: { uri: namespace } };
    const element = toXml(
      model,
      around,
      use.name ?? (of.type === "structure" ? of.name : undefined) ?? use.shape,
      value,
    );
    return { bytes: Buffer.from(XML_DECLARATION + element), type: "application/xml" };
  }
  const hasBody = Object.values(shape.members).some((member) => member.in === undefined);
  if (!hasBody) return { bytes: new Uint8Array(0) };
  const attribute = namespace === undefined ? "" : ` xmlns="${namespace}"`;
  const document = xmlElement(name ?? "Request", membersXml(model, shape, values), attribute);
  return { bytes: Buffer.from(XML_DECLARATION + document), type: "application/xml" };
}

function bodyMembers(model: ServiceModel, shape: StructureShape, { body }: WireRequest | WireResponse): object {
  if (shape.payload !== undefined) {
    const use = shape.members[shape.payload];
    if (!use) return {};
    const of = shapeOf(model, use.shape);
    if (of.type === "blob") return { [shape.payload]: body };
    if (of.type === "string") return { [shape.payload]: bodyText(body) };
    return body.length === 0 ? {} : { [shape.payload]: fromXml(model, use, parseXml(bodyText(body))) };
  }
  const hasBody = Object.values(shape.members).some((member) => member.in === undefined);
  return hasBody && body.length > 0 ? membersOf(model, shape, parseXml(bodyText(body))) : {};
}

function texts(model: ServiceModel, use: ShapeUse, value: unknown, usual: "iso8601" | "rfc822"): readonly string[] {
  const shape = shapeOf(model, use.shape);
  if (isScalar(shape)) return [scalarText(shape, value as Scalar, timestampFormat(shape, use, usual))];
  return shape.type === "list"
    ? (value as readonly unknown[]).flatMap((item) => texts(model, shape.member, item, usual))
    : [];
}

function bindHeaders(
  model: ServiceModel,
  use: ShapeUse,
  wire: string,
  value: unknown,
  headers: Record<string, string>,
): void {
  if (use.in === "header") {
    headers[wire.toLowerCase()] = texts(model, use, value, "rfc822").join(",");
  } else if (use.in === "headers") {
    for (const [name, text] of Object.entries(value as object)) headers[`${wire}${name}`.toLowerCase()] = String(text);
  }
}

function fromQuery(model: ServiceModel, use: ShapeUse, wire: string, query: URLSearchParams): unknown {
  const shape = shapeOf(model, use.shape);
  if (shape.type === "list") {
    const item = shapeOf(model, shape.member.shape);
    const all = query.getAll(wire);
    return all.length === 0 || !isScalar(item) ? undefined : all.map((text) => scalarOf(item, text, wire));
  }
  const text = query.get(wire);
  return text === null || !isScalar(shape) ? undefined : scalarOf(shape, text, wire);
}

function fromHeaders(
  model: ServiceModel,
  use: ShapeUse,
  wire: string,
  headers: Readonly<Record<string, string>>,
): unknown {
  const shape = shapeOf(model, use.shape);
  if (use.in === "headers") {
    const found = Object.entries(headers).filter(([name]) => name.startsWith(wire.toLowerCase()));
    return found.length === 0
      ? undefined
      : Object.fromEntries(found.map(([name, text]) => [name.slice(wire.length), text]));
  }
  const text = use.in === "header" ? headers[wire.toLowerCase()] : undefined;
  if (text === undefined) return undefined;
  if (shape.type === "list") return text.split(",").map((item) => item.trim());
  return isScalar(shape) ? scalarOf(shape, text, wire) : undefined;
}
