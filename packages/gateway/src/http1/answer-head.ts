import { STATUS_CODES } from "node:http";
import type { Clock } from "@gatewright/ports";
import type { Answer } from "../exchange/answer.ts";
import type { BadMessage } from "./bad-message.ts";
import { dateLine } from "./http-date.ts";
import { fieldLines, framingLine } from "./field-lines.ts";
import type { LineMemory } from "./line-memory.ts";
import { CHUNKED, UNFRAMED } from "./message-fields.ts";

/** Tells a client that waits with its body to send it. */
export const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** What an answer's head says about its connection. */
export type ConnectionLine = "" | "connection: close\r\n" | "connection: keep-alive\r\n";

const STATUS_LINES: readonly string[] = Array.from(
  { length: 600 },
  (_, status) => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n`,
);

/** Whether an answer has bytes behind its head, whatever its fields say. */
export function hasBody(status: number, method: string): boolean {
  return status !== 204 && status !== 304 && method !== "HEAD";
}

/** How an answer is framed: a number of bytes, chunked, or unframed for clients that do not know chunks. */
export function framingOf(answer: Answer, version: string): number {
  if (answer.body === undefined) return 0;
  return answer.body.length ?? (version === "1.0" ? UNFRAMED : CHUNKED);
}

/** The head of an answer. `framing` as {@link framingOf} gives it, `memory` is that of the connection. */
export function answerHead(
  answer: Answer,
  method: string,
  framing: number,
  connection: ConnectionLine,
  clock: Clock,
  memory: LineMemory,
): string {
  const { status, fields } = answer;
  const date = fields.has("date") ? "" : dateLine(clock.now());
  const length = hasBody(status, method) ? framingLine(framing) : toldLength(answer);
  return `${statusLine(status)}${memory.of(fields)}${date}${length}${connection}\r\n`;
}

/** The head of an answer that changes the protocol. */
export function upgradeHead(answer: Answer, protocol: string): string {
  return `${statusLine(101)}${fieldLines(answer.fields.flat)}connection: upgrade\r\nupgrade: ${protocol}\r\n\r\n`;
}

/** A whole answer to what was no request. */
export function refusal({ status, reason }: BadMessage, now: number): string {
  const fields = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${reason.length + 1}\r\n`;
  return `${statusLine(status)}${fields}${dateLine(now)}connection: close\r\n\r\n${reason}\n`;
}

function statusLine(status: number): string {
  return STATUS_LINES[status] ?? `HTTP/1.1 ${status} Unknown\r\n`;
}

/** The length that an answer without a body would have: to HEAD, or 304. */
function toldLength({ status, fields, body }: Answer): string {
  if (status === 204) return "";
  const told = body?.length ?? fields.get("content-length") ?? "";
  return /^\d+$/.test(String(told)) ? `content-length: ${told}\r\n` : "";
}
