import type { Server } from "node:http";
import type { Unanswered } from "./unanswered.ts";

/**
 * Answers what is not HTTP in the words of the real server, and closes the connection. Requests that came before on the same
 * connection get their answers first.
 */
export function refuseUnreadable(server: Server, unanswered: Unanswered): void {
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    // A request whose own body is broken never ends; whole ones before it do.
    const waiting = [...unanswered.of(socket)].some((message) => message.complete);
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
    } else if (waiting) {
      unanswered.endAfter(socket);
    } else {
      const status = STATUS.get(error.code ?? "") ?? "400 Bad Request";
      const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`;
      socket.end(head + status, () => socket.destroy());
    }
  });
}

const STATUS: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
]);
