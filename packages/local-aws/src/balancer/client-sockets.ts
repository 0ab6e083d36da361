import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock } from "@gatewright/ports";
import type { Peer } from "./message.ts";

/** The connections of clients to one front, and how many requests are under way on each. */
export class ClientSockets {
  readonly #open = new Map<string, { readonly socket: Socket; requests: number }>();
  readonly #clock: Clock;
  readonly #idleMs: () => number;
  #closing = false;
  #empty: (() => void) | undefined;

  constructor(clock: Clock, idleMs: () => number) {
    this.#clock = clock;
    this.#idleMs = idleMs;
  }

  /** Takes a new connection in. One on which nothing moves for the idle time is ended. */
  add(socket: Socket): void {
    const key = keyOf(socket);
    const entry = { socket, requests: 0 };
    this.#open.set(key, entry);
    let moved = -1;
    const look = (): void => {
      const now = socket.bytesRead + socket.bytesWritten;
      if (now === moved && entry.requests === 0) socket.destroy();
      else cancel = this.#clock.timer(this.#idleMs(), look);
      moved = now;
    };
    let cancel = this.#clock.timer(this.#idleMs(), look);
    // Resets and broken handshakes are the client's affair; the socket closes by itself.
    socket.on("error", () => {});
    socket.once("close", () => {
      cancel();
      if (this.#open.get(key) === entry) this.#open.delete(key);
      if (this.#open.size === 0) this.#empty?.();
    });
  }

  /**
   * A request began on a connection, or on the TLS inside it; gives back what says that it is over. `leave` ends the connection
   * politely if it was the last one.
   */
  begin(socket: Pick<Socket, "remoteAddress" | "remotePort">, leave: () => void): () => void {
    const entry = this.#open.get(keyOf(socket));
    if (entry === undefined) return () => {};
    entry.requests++;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      entry.requests--;
      if (entry.requests === 0 && this.#closing) leave();
    };
  }

  /** Ends idle connections now, busy ones when their requests are done, and all of them after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    for (const { socket, requests } of this.#open.values()) if (requests === 0) socket.destroy();
    if (this.#open.size === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.#empty = resolve;
    });
    const cancel = this.#clock.timer(graceMs, () => {
      for (const { socket } of this.#open.values()) socket.destroy();
    });
    await gone;
    cancel();
  }
}

/** TLS hides the socket below it, but not its other end. */
function keyOf({ remoteAddress = "", remotePort = 0 }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress}|${remotePort}`;
}

/** Who is at the other end. */
export function peerOf(socket: Socket): Peer {
  const secure = "getCipher" in socket ? (socket as TLSSocket) : undefined;
  return {
    address: (socket.remoteAddress ?? "").replace(/^::ffff:/, ""),
    port: socket.remotePort ?? 0,
    ...(secure !== undefined && { tls: { version: secure.getProtocol() ?? "", cipher: secure.getCipher().name } }),
  };
}
