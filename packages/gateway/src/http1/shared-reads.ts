import { Socket } from "node:net";
import type { SocketConstructorOpts } from "node:net";

/** What connections without TLS read into: what is to last longer than the call that tells of it is copied. */
export const SHARED = Buffer.allocUnsafeSlow(64 * 1024);

/** The part of a socket that Node does not document. */
interface Handled {
  _handle?: { readonly useUserBuffer?: unknown } | null;
}

/**
 * Another socket for an accepted connection, which reads into {@link SHARED}: `read` is told how many bytes came. Node takes `onread`
 * for sockets that connect, not for those that a server accepts, which get 64 KiB of new memory and a stream's work for every read.
 * That one socket can take the handle of another is not documented: undefined where it cannot be had, and then nothing has changed.
 * Otherwise the given socket is over, and those who listened for its close and its errors listen to the other.
 */
export function readingShared(socket: Socket, read: (length: number) => boolean): Socket | undefined {
  if (Object.getPrototypeOf(socket) !== Socket.prototype) return undefined;
  if (socket.destroyed || socket.readableLength > 0 || socket.readableEnded || socket.writableLength > 0)
    return undefined;
  const given: Handled = socket as unknown as Handled;
  const handle = given._handle;
  if (typeof handle?.useUserBuffer !== "function") return undefined;
  const options: unknown = { handle, onread: { buffer: SHARED, callback: read } };
  const taken = new Socket(options as SocketConstructorOpts);
  if ((taken as unknown as Handled)._handle !== handle) return undefined;
  for (const event of ["close", "error"])
    for (const listener of socket.listeners(event)) taken.on(event, listener as () => void);
  socket.removeAllListeners();
  given._handle = null;
  socket.destroy();
  return taken;
}
