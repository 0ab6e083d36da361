import type { ServerResponse } from "node:http";

/** What goes to a socket in one go. */
const ROOM = 256 * 1024;

/**
 * Ends a response with many small pieces. They go through one buffer that is filled again when the socket has taken it, so
 * that a long list takes no more memory than a short one and lets other requests in between.
 */
export async function sendPieces(
  pieces: readonly Buffer[],
  size: number,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  if (size <= ROOM) {
    response.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, size));
    return;
  }
  const room = Buffer.allocUnsafeSlow(ROOM);
  let used = 0;
  for (const piece of pieces) {
    if (used + piece.length > ROOM) {
      await taken(room.subarray(0, used), response, gone);
      used = 0;
      if (gone.aborted) return;
    }
    if (piece.length > ROOM) await taken(piece, response, gone);
    else used += piece.copy(room, used);
  }
  response.end(room.subarray(0, used));
}

function taken(bytes: Buffer, response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (bytes.length === 0 || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      gone.removeEventListener("abort", done);
      resolve();
    };
    gone.addEventListener("abort", done, { once: true });
    response.write(bytes, done);
  });
}
