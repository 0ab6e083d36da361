import type { UpstreamRequest } from "../upstream/upstream.ts";
import { isVisible } from "./characters.ts";
import { framingLine } from "./field-lines.ts";
import type { LineMemory } from "./line-memory.ts";
import { CHUNKED } from "./message-fields.ts";

/** How a request is framed: a number of bytes, or chunked. */
export function requestFraming({ body, upgrade }: UpstreamRequest): number {
  if (body === undefined || upgrade !== undefined) return 0;
  return body.length ?? CHUNKED;
}

/** The head of a request to a backend, `memory` being that of its connection. Undefined: its first lines would not be what they seem. */
export function requestHead(request: UpstreamRequest, framing: number, memory: LineMemory): string | undefined {
  const { method, target, authority, fields, upgrade } = request;
  if (!isVisible(method) || !isVisible(target) || !isVisible(authority)) return undefined;
  const start = `${method} ${target} HTTP/1.1\r\nhost: ${authority}\r\n${memory.of(fields)}`;
  if (upgrade !== undefined) return `${start}connection: upgrade\r\nupgrade: ${upgrade}\r\n\r\n`;
  const hasNone = request.body === undefined && method !== "POST" && method !== "PUT" && method !== "PATCH";
  return `${start}${hasNone ? "" : framingLine(framing)}\r\n`;
}
