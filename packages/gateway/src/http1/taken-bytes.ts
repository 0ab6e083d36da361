import type { Socket } from "node:net";

interface Undocumented {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
}

/**
 * How many bytes have left this process by a socket; what a client has no room for waits here. Node tells in documented ways only of
 * whole writes that are done, one of which may be a large answer: it is asked as its own timeouts ask.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as Undocumented;
  if (typeof handle?.bytesWritten === "number" && typeof handle.writeQueueSize === "number")
    return handle.bytesWritten - handle.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}
