import type { Answer } from "./answer.ts";
import { bytesSource } from "./bodies.ts";
import { Fields } from "./fields.ts";

/**
 * An answer that is made here: a line for people, and why in one word for logs and metrics. The message never holds what a client
 * sent, nor anything about backends that a client should not know.
 */
export function localAnswer(status: number, origin: string, message: string, fields: Fields = new Fields()): Answer {
  const body = Buffer.from(`${message}\n`);
  fields.set("content-type", "text/plain; charset=utf-8");
  return { status, fields, body: bytesSource(body), origin };
}
