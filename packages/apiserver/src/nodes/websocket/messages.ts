import { Duplex } from "node:stream";
import { drained } from "../drained.ts";
import { Inbox } from "../inbox.ts";
import { takeWebSocketFrame, webSocketFrame } from "./frame.ts";

const MAX_MESSAGE = 4 * 1024 * 1024;
const NORMAL = Buffer.from([0x03, 0xe8]);

/**
 * The messages of a client, one by one, until it closes. Pings are answered. Throws for what breaks RFC 6455. Text and binary messages
 * are told alike.
 */
export async function* webSocketMessages(socket: Duplex): AsyncGenerator<Buffer> {
  const inbox = new Inbox();
  let parts: Buffer[] | undefined;
  let size = 0;
  // Whoever stops here has a last word to say to the client.
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    inbox.add(chunk);
    for (let taken = takeWebSocketFrame(inbox.bytes); taken !== undefined; taken = takeWebSocketFrame(inbox.bytes)) {
      inbox.take(taken.size);
      const { opcode, payload, final } = taken.frame;
      if (opcode === "close") return;
      if (opcode === "ping") {
        socket.write(webSocketFrame("pong", payload));
        await drained(socket);
      }
      if (opcode === "ping" || opcode === "pong") continue;
      if ((opcode === "continuation") !== (parts !== undefined)) throw new RangeError("a frame is of no message");
      size += payload.length;
      if (size > MAX_MESSAGE) throw new RangeError("a message is too long");
      parts ??= [];
      if (payload.length > 0) parts.push(payload);
      if (!final) continue;
      yield parts.length === 1 ? payload : Buffer.concat(parts);
      parts = undefined;
      size = 0;
    }
  }
}

/** Says goodbye and ends the connection. */
export function closeWebSocket(socket: Duplex): void {
  if (socket.writable) socket.end(webSocketFrame("close", NORMAL), () => socket.destroy());
}

/** Bytes that travel in binary messages, whose borders mean nothing. */
export function webSocketTunnel(socket: Duplex): Duplex {
  const messages = webSocketMessages(socket);
  let reading = false;
  const tunnel = new Duplex({
    read() {
      if (reading) return;
      reading = true;
      messages.next().then(
        ({ value, done }) => {
          reading = false;
          tunnel.push(done === true ? null : value);
        },
        (error: Error) => tunnel.destroy(error),
      );
    },
    write: (chunk: Buffer, _encoding, sent) => void socket.write(webSocketFrame("binary", chunk), sent),
    final(sent) {
      closeWebSocket(socket);
      sent();
    },
    destroy(error, done) {
      closeWebSocket(socket);
      done(error);
    },
  });
  return tunnel;
}
