import { appendParameters, fromParameters } from "../codec/query-codec.ts";
import { membersOf, membersXml } from "../codec/xml-codec.ts";
import { shapeOf } from "../model.ts";
import type { ServiceModel } from "../model.ts";
import type { ProtocolCodec, WireError, WireResponse } from "../wire.ts";
import { childOf } from "../xml/xml-element.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { escapeXml, XML_DECLARATION, xmlElement } from "../xml/write-xml.ts";
import { bodyText } from "./body-text.ts";

/** The query protocol and EC2's dialect of it: a form with dotted names goes in, XML comes out. */
export const queryProtocol: ProtocolCodec<ServiceModel> = {
  encodeRequest(model, operation, input) {
    const form = new URLSearchParams({ Action: operation, Version: model.apiVersion });
    const shape = model.operations[operation]?.input;
    if (shape !== undefined) appendParameters(model, { shape }, input, "", form);
    return {
      method: "POST",
      path: "/",
      headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      body: Buffer.from(form.toString()),
    };
  },
  decodeRequest(model, { path, body }) {
    const form = new URLSearchParams(path.split("?")[1] ?? "");
    for (const [name, value] of new URLSearchParams(bodyText(body))) form.append(name, value);
    const operation = form.get("Action") ?? "";
    if (!Object.hasOwn(model.operations, operation)) return undefined;
    const shape = model.operations[operation]?.input;
    const input = shape === undefined ? {} : fromParameters(model, { shape }, form);
    return { operation, input: input as Readonly<Record<string, unknown>> };
  },
  encodeResponse(model, operation, output, requestId) {
    const { output: name, resultWrapper } = model.operations[operation] ?? {};
    const shape = name === undefined ? undefined : shapeOf(model, name);
    const members = shape?.type === "structure" ? membersXml(model, shape, output) : "";
    const namespace = ` xmlns="${model.xmlNamespace}"`;
    const inner =
      model.protocol === "ec2"
        ? xmlElement("requestId", requestId) + members
        : (resultWrapper === undefined ? members : xmlElement(resultWrapper, members)) +
          xmlElement("ResponseMetadata", xmlElement("RequestId", requestId));
    return answer(200, xmlElement(`${operation}Response`, inner, namespace), requestId);
  },
  decodeResponse(model, operation, { body }) {
    const { output: name, resultWrapper } = model.operations[operation] ?? {};
    const shape = name === undefined ? undefined : shapeOf(model, name);
    if (shape?.type !== "structure") return {};
    const root = parseXml(bodyText(body));
    return membersOf(model, shape, (resultWrapper === undefined ? root : childOf(root, resultWrapper)) ?? root);
  },
  encodeError(model, error, requestId) {
    const told = xmlElement("Code", escapeXml(error.code)) + xmlElement("Message", escapeXml(error.message));
    if (model.protocol === "ec2") {
      const inner = xmlElement("Errors", xmlElement("Error", told)) + xmlElement("RequestID", requestId);
      return answer(error.status, xmlElement("Response", inner), requestId);
    }
    const type = xmlElement("Type", error.sender ? "Sender" : "Receiver");
    const inner = xmlElement("Error", type + told) + xmlElement("RequestId", requestId);
    return answer(error.status, xmlElement("ErrorResponse", inner, ` xmlns="${model.xmlNamespace}"`), requestId);
  },
  decodeError(_model, { status, body }) {
    return errorOf(parseXml(bodyText(body)), status);
  },
};

/** The error in a document, wherever a service's dialect has it. */
export function errorOf(root: XmlElement, status: number): WireError {
  const error = root.name === "Error" ? root : (find(root, "Error") ?? root);
  const text = (name: string): string | undefined => childOf(error, name)?.text;
  return {
    code: text("Code") ?? String(status),
    status,
    message: text("Message") ?? "",
    sender: text("Type") !== "Receiver" && status < 500,
  };
}

function find(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = child.name === name ? child : find(child, name);
    if (found) return found;
  }
  return undefined;
}

function answer(status: number, xml: string, requestId: string): WireResponse {
  return {
    status,
    headers: { "content-type": "text/xml;charset=UTF-8", "x-amzn-requestid": requestId },
    body: Buffer.from(XML_DECLARATION + xml),
  };
}
