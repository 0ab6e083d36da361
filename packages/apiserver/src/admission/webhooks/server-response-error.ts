import { getPath, quote } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [504, "the server was unable to return a response in the time allotted, but may still be processing the request"],
]);

/** What client-go makes of an answer that is not a success: the message of a Status, or a text for the code. */
export function serverResponseError(
  code: number,
  contentType: string,
  body: Buffer,
  decoded: Json | undefined,
): string {
  const message = getPath(decoded, "message");
  if (getPath(decoded, "kind") === "Status" && typeof message === "string" && message !== "") return message;
  const told = contentType.startsWith("text/") ? body.toString("utf8").trim() : "unknown";
  if (code === 403 || code === 406 || code === 415) return told;
  const known = MESSAGES.get(code);
  if (known !== undefined) return known;
  if (code >= 500) return `an error on the server (${quote(told)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}
