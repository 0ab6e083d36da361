import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** The requests of each connection that wait for their answers: a client may send the next one before it has the last one's. */
export class Unanswered {
  readonly #requests = new WeakMap<Duplex, Set<IncomingMessage>>();
  readonly #ending = new WeakSet<Duplex>();

  constructor(server: Server) {
    server.on("request", (message: IncomingMessage, response: ServerResponse) => {
      const { socket } = message;
      const requests = this.#requests.get(socket) ?? new Set();
      this.#requests.set(socket, requests.add(message));
      response.once("close", () => {
        requests.delete(message);
        if (requests.size === 0 && this.#ending.has(socket)) socket.destroySoon();
      });
    });
  }

  of(socket: Duplex): ReadonlySet<IncomingMessage> {
    return this.#requests.get(socket) ?? NONE;
  }

  /** Has the connection end when all are answered. */
  endAfter(socket: Duplex): void {
    this.#ending.add(socket);
  }
}

const NONE: ReadonlySet<IncomingMessage> = new Set();
