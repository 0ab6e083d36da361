import type { Duplex } from "node:stream";

/**
 * Reads the few bytes that a proxy says before a connection through it is open. What comes after them is put back.
 */
export async function readUntil(
  socket: Duplex,
  end: (bytes: Buffer) => number | undefined,
  signal: AbortSignal,
): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  for (;;) {
    const length = end(bytes);
    if (length !== undefined) {
      if (length < bytes.length) socket.unshift(bytes.subarray(length));
      return bytes.subarray(0, length);
    }
    if (bytes.length > 64 * 1024) throw new Error("the proxy says too much");
    bytes = Buffer.concat([bytes, await nextChunk(socket, signal)]);
  }
}

function nextChunk(socket: Duplex, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      signal.removeEventListener("abort", abort);
      socket.off("readable", read).off("error", fail).off("close", closed);
    };
    const fail = (error: unknown): void => {
      stop();
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    };
    const closed = (): void => fail(new Error("the proxy closed the connection"));
    const abort = (): void => fail(signal.reason);
    const read = (): void => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      stop();
      resolve(chunk);
    };
    socket.on("readable", read).on("error", fail).on("close", closed);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    read();
  });
}
