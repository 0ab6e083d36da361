import { connect } from "node:net";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** A connection on which anything can be said. */
export interface Raw extends Disposable {
  readonly socket: Socket;
  say(bytes: string | Uint8Array): void;
  /** Everything heard, once it matches or the other side has closed. */
  heard(pattern?: RegExp): Promise<string>;
}

export function raw(port: number): Raw {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let closed = false;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => (text += chunk));
  socket.on("error", () => {});
  socket.on("close", () => (closed = true));
  return {
    socket,
    say: (bytes) => void socket.write(bytes),
    async heard(pattern) {
      while (!closed && !(pattern?.test(text) ?? false)) await setImmediate();
      return text;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
