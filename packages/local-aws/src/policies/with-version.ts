import { isJsonObject } from "../is-json-object.ts";

/** A policy document as S3 and SQS keep it: one that names no version of the language gets the first. */
export function withVersion(text: string): string {
  if (!isJsonObject(text)) return text;
  const document = JSON.parse(text) as object;
  return Object.hasOwn(document, "Version") ? text : JSON.stringify({ Version: "2008-10-17", ...document });
}
