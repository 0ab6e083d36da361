import type { Socket } from "node:net";

/**
 * Gathers the first bytes of a connection until `decide` has seen enough: it is given all that came so far, and returns undefined to
 * wait for more. It has to decide after a bounded number of bytes. `done` is called while the socket still flows: whoever takes it over
 * listens at once, or pauses it.
 */
export function firstBytes<T>(
  socket: Socket,
  decide: (bytes: Buffer) => T | undefined,
  done: (decision: T, bytes: Buffer) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0);
  const more = (chunk: Buffer): void => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    const decision = decide(bytes);
    if (decision === undefined) return;
    socket.off("data", more);
    done(decision, bytes);
  };
  socket.on("data", more);
}

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Which protocol a client speaks without having said so before: HTTP/2 begins with bytes that no request of HTTP/1.1 has. */
export function spokenProtocol(bytes: Buffer): "http1" | "http2" | undefined {
  const length = Math.min(bytes.length, PREFACE.length);
  if (!bytes.subarray(0, length).equals(PREFACE.subarray(0, length))) return "http1";
  return length === PREFACE.length ? "http2" : undefined;
}
