import type { Socket } from "node:net";

interface Handle {
  readonly bytesWritten?: number;
  readonly writeQueueSize?: number;
  /** Of TLS: the connection below it. */
  readonly _parent?: Handle;
}

/**
 * How many bytes have left this process by a socket; what a client has no room for waits here. Node tells in documented ways only of
 * whole writes that are done, one of which may be a large answer: it is asked as its own timeouts ask, and of TLS the connection below.
 */
export function takenBytes(socket: Socket): number {
  const { _handle: own } = socket as unknown as { readonly _handle?: Handle | null };
  const handle = own?._parent ?? own;
  if (typeof handle?.bytesWritten === "number" && typeof handle.writeQueueSize === "number")
    return handle.bytesWritten - handle.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}
