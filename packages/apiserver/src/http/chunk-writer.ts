import type { ServerResponse } from "node:http";
import type { StreamSink } from "./api-request.ts";

const END = Buffer.from("\r\n");
const framed = new WeakMap<Buffer, Buffer>();

/** A chunk as HTTP/1.1 frames it. What is sent to many readers is framed once. */
function asHttpChunk(chunk: Buffer): Buffer {
  let frame = framed.get(chunk);
  if (!frame) {
    frame = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, END]);
    framed.set(chunk, frame);
  }
  return frame;
}

/**
 * Writes the body of a response whose head is sent. The response would frame each chunk anew for each reader, in three
 * writes; framed here, an event goes to its socket in one.
 */
export function chunkWriter(response: ServerResponse): Pick<StreamSink, "write" | "onDrain"> {
  const { socket } = response;
  if (!socket || !response.chunkedEncoding) {
    return { write: (chunk) => response.write(chunk), onDrain: (listener) => void response.on("drain", listener) };
  }
  let corked = false;
  const uncork = (): void => {
    corked = false;
    socket.uncork();
  };
  return {
    write(chunk) {
      if (!corked) {
        corked = true;
        socket.cork();
        process.nextTick(uncork);
      }
      return socket.write(asHttpChunk(chunk));
    },
    onDrain(listener) {
      socket.on("drain", listener);
      response.once("close", () => socket.off("drain", listener));
    },
  };
}
