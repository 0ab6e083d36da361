import type { ServerResponse } from "node:http";
import type { HttpAnswer, StreamBody } from "./http-answer.ts";

/** Sends an answer. A stream goes on until it ends itself or the response is closed. */
export function sendAnswer({ status, headers, body }: HttpAnswer, response: ServerResponse): void {
  if (response.destroyed) return;
  response.writeHead(status, { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers });
  if ("start" in body) {
    stream(body, response);
    return;
  }
  response.end(Buffer.isBuffer(body) ? body : Buffer.concat(body));
}

function stream(body: StreamBody, response: ServerResponse): void {
  response.flushHeaders();
  const stop = body.start({
    write: (chunk) => response.write(chunk),
    end: () => void response.end(),
    onDrain: (listener) => response.on("drain", listener),
  });
  response.once("close", stop);
}
