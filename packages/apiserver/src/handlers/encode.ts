import { StatusError } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { ScalarTag, Tags } from "yaml";
import type { ApiResponse } from "../http/api-request.ts";
import type { Representation } from "./negotiate.ts";

export const JSON_TYPE = "application/json";
const NEWLINE = Buffer.from("\n");

/** An answer with a body that is already encoded JSON. */
export function jsonBytes(status: number, bytes: Buffer): ApiResponse {
  return { status, headers: { "content-type": JSON_TYPE }, body: [bytes, NEWLINE] };
}

/** As Kubernetes writes YAML: keys in order, lists not indented, strings quoted where YAML 1.1 would misread them. */
const YAML_STYLE = {
  aliasDuplicateObjects: false,
  indentSeq: false,
  lineWidth: 0,
  sortMapEntries: true,
  version: "1.1",
  // YAML 1.1 as it is written down takes a lone dot for a number; Go's library does not, and fields are owned at ".".
  customTags: (tags: Tags): Tags => tags.map((tag) => (isFloat(tag) ? { ...tag, test: FLOAT } : tag)),
} as const;

const FLOAT = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/;

function isFloat(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === "object" && tag.tag === "tag:yaml.org,2002:float" && "test" in tag && tag.test?.test(".");
}

/** An answer in the media type that was negotiated. */
export async function encoded(status: number, value: Json, representation?: Representation): Promise<ApiResponse> {
  if (representation?.media === "yaml") {
    const { stringify } = await import("yaml");
    const text = stringify(value, YAML_STYLE);
    return { status, headers: { "content-type": "application/yaml" }, body: Buffer.from(text) };
  }
  const text = representation?.pretty === true ? JSON.stringify(value, undefined, 2) : `${JSON.stringify(value)}\n`;
  return { status, headers: { "content-type": JSON_TYPE }, body: Buffer.from(text) };
}

export function plainText(status: number, text: string): ApiResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: Buffer.from(text) };
}

/** What the real server says of a resource that a built-in group does not have. */
export function unknownResource(): StatusError {
  const message = "the server could not find the requested resource";
  return new StatusError({ code: 404, reason: "NotFound", message, details: {} });
}

/** What the real server says of a path that nothing serves. It is not a Status. */
export function pageNotFound(): ApiResponse {
  return plainText(404, "404 page not found\n");
}
