import type { Answer } from "../exchange/answer.ts";
import type { RequestHead } from "../exchange/exchange.ts";
import { isConnectionField } from "../exchange/field-rules.ts";

/** The head of an answer as HTTP/2 writes it. */
export interface AnswerHead {
  /** Name and value by turns, the status first. */
  readonly flat: string[];
  readonly hasBody: boolean;
  readonly mayHaveTrailers: boolean;
}

/** Writes the head of an answer anew: framing is ours, fields about a connection end here. */
export function answerHead(answer: Answer, request: RequestHead): AnswerHead {
  const { body } = answer;
  const isUpgrade = answer.status === 101 && request.upgrade !== undefined;
  const status = isUpgrade ? 200 : answer.status >= 200 && answer.status <= 599 ? answer.status : 502;
  const isHead = request.method === "HEAD";
  const hasBody = body !== undefined && !isHead && status !== 204 && status !== 205 && status !== 304;
  const flat: string[] = [":status", String(status)];
  const fields = answer.fields.flat;
  let isGrpc = false;
  let announcesTrailers = false;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? "";
    const value = fields[at + 1] ?? "";
    if (name === "content-length" ? hasBody || !(isHead || status === 304) : isConnectionField(name) || name === "te")
      continue;
    if (isUpgrade && name === "sec-websocket-accept") continue;
    if (name === "content-type") isGrpc = value.startsWith("application/grpc");
    else if (name === "trailer") announcesTrailers = true;
    flat.push(name, value);
  }
  const length = body?.length;
  if (length !== undefined && !isUpgrade && (hasBody || (isHead && !answer.fields.has("content-length"))))
    flat.push("content-length", String(length));
  return {
    flat,
    hasBody,
    mayHaveTrailers: hasBody && !isUpgrade && (length === undefined || isGrpc || announcesTrailers),
  };
}
