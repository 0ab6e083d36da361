import { Socket } from "node:net";

/** What connections read into: what is to last longer than the call that tells of it is copied. */
export const SHARED = Buffer.allocUnsafeSlow(64 * 1024);

/** The names under which Node keeps in a socket what `onread` says. */
const NAMES = ["kBuffer", "kBufferCb", "kBufferGen"];

interface Undocumented {
  [name: symbol]: unknown;
  readonly _handle?: { useUserBuffer?(buffer: Buffer): void } | null;
}

/**
 * Lets an accepted connection read into {@link SHARED}, with TLS and without: `read` is told how many bytes came. Node takes `onread` for
 * sockets that connect, not for those that a server accepts, which get new memory and a stream's work for every read. Here is set what
 * `onread` would have set, which is not documented: false where it cannot be had, and then nothing has changed. What comes while the
 * socket is paused (TLS may hold some already) is told by `data`, once it goes on.
 */
export function readsShared(socket: Socket, read: (length: number) => boolean): boolean {
  if (!(socket instanceof Socket) || socket.destroyed || socket.readableLength > 0 || socket.readableEnded)
    return false;
  const undocumented = socket as unknown as Undocumented;
  const symbols = Object.getOwnPropertySymbols(socket);
  const [buffer, callback, generator] = NAMES.map((name) => symbols.find(({ description }) => description === name));
  if (buffer === undefined || callback === undefined || generator === undefined) return false;
  const handle = undocumented._handle;
  if (typeof handle?.useUserBuffer !== "function") return false;
  undocumented[buffer] = SHARED;
  undocumented[generator] = null;
  undocumented[callback] = (length: number): boolean =>
    socket.isPaused() || socket.readableLength > 0
      ? socket.push(Buffer.from(SHARED.subarray(0, length)))
      : read(length);
  handle.useUserBuffer(SHARED);
  return true;
}
