import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Answers what is not HTTP in the words of the real server, and closes the connection. Requests that came before on the same
 * connection get their answers first.
 */
export function refuseUnreadable(server: Server): void {
  const underWay = new WeakMap<Duplex, Set<IncomingMessage>>();
  const broken = new WeakSet<Duplex>();
  server.on("request", (message: IncomingMessage, response: ServerResponse) => {
    const { socket } = message;
    const requests = underWay.get(socket) ?? new Set();
    underWay.set(socket, requests.add(message));
    response.once("close", () => {
      requests.delete(message);
      if (requests.size === 0 && broken.has(socket)) socket.destroySoon();
    });
  });
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    // A request whose own body is broken never ends; whole ones before it do.
    const waiting = [...(underWay.get(socket) ?? [])].some((message) => message.complete);
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
    } else if (waiting) {
      broken.add(socket);
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
