import { BodySyntaxError, formatYaml, parseYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { MAX_CHANGED_BODY } from "../transform/json-body.ts";
import { formatJson, parseJsonText, withPlainNumbers } from "../transform/json-text.ts";
import { readXml } from "./xml-reader.ts";
import { writeXml } from "./xml-writer.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** A way to write values. */
export interface BodyFormat {
  readonly name: "json" | "yaml" | "xml";
  readonly contentType: string;
  /** How much of it is read or written in one go: nothing else happens meanwhile, and YAML takes its time. */
  readonly maxBytes: number;
  /** Throws BodySyntaxError. */
  read(bytes: Buffer): Json;
  write(value: Json): string;
}

const JSON_FORMAT: BodyFormat = {
  name: "json",
  contentType: "application/json",
  maxBytes: MAX_CHANGED_BODY,
  read: parseJsonText,
  write: formatJson,
};
const YAML_FORMAT: BodyFormat = {
  name: "yaml",
  contentType: "application/yaml",
  maxBytes: 128 * 1024,
  read: (bytes) => parseYaml(bytes).value,
  write: (value) => formatYaml(withPlainNumbers(value)),
};
const XML_FORMAT: BodyFormat = {
  name: "xml",
  contentType: "application/xml",
  maxBytes: MAX_CHANGED_BODY,
  read: (bytes) => readXml(utf8(bytes)),
  write: writeXml,
};

/** The format of a content type or of a short name (`json`, `yaml`, `xml`); undefined when it is another. */
export function bodyFormat(contentType: string | undefined): BodyFormat | undefined {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (
    type === "json" ||
    type === "application/json" ||
    type === "text/json" ||
    (type.endsWith("+json") && !type.includes("grpc"))
  )
    return JSON_FORMAT;
  if (/^(?:yaml|(?:application|text)\/(?:x-)?ya?ml|.*\+yaml)$/.test(type)) return YAML_FORMAT;
  return /^(?:xml|(?:application|text)\/xml)$/.test(type) ? XML_FORMAT : undefined;
}

function utf8(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BodySyntaxError("the body is not UTF-8");
  }
}
