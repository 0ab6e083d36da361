import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { closeFrame, readFrames, textFrame } from "./web-socket-frames.ts";

/** What RFC 6455 adds to a client's key. */
const SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Takes a client's handshake, says `first`, and repeats its messages until it closes. */
export function openWebSocket({ headers }: IncomingMessage, socket: Duplex, first: string): void {
  const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}${SALT}`).digest("base64");
  const [protocol] = headers["sec-websocket-protocol"]?.split(",") ?? [];
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  socket.write(textFrame(first, false));
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    const { texts, isOver, rest } = readFrames(Buffer.concat([pending, chunk]));
    pending = Buffer.from(rest);
    for (const text of texts) socket.write(textFrame(text, false));
    if (isOver) socket.end(closeFrame(false));
  });
  socket.on("error", () => {
    // The client went away.
  });
}
