import type { Duplex } from "node:stream";
import { drained } from "./drained.ts";
import type { NodeAccess, PodIdentity } from "./node-access.ts";
import { webSocketFrame } from "./websocket/frame.ts";
import { closeWebSocket, webSocketMessages } from "./websocket/messages.ts";

/**
 * Serves forwarded ports by channels of a WebSocket: the first byte of each message is its channel. Each port has two, one for its bytes
 * and the next one for what goes wrong, and the server's first message on each says the port. One connection for each port.
 */
export async function forwardChannels(
  socket: Duplex,
  ports: readonly number[],
  pod: PodIdentity,
  nodes: NodeAccess,
): Promise<void> {
  const gone = new AbortController();
  const connections: (Duplex | undefined)[] = [];
  let left = ports.length;
  const ended = (): void => {
    if (--left === 0) closeWebSocket(socket);
  };
  const send = (channel: number, bytes: Uint8Array): boolean =>
    socket.write(webSocketFrame("binary", Buffer.concat([Buffer.from([channel]), bytes])));
  try {
    for (const [i, port] of ports.entries()) {
      const greeting = Buffer.from([port & 0xff, port >> 8]);
      send(2 * i, greeting);
      send(2 * i + 1, greeting);
    }
    for (const [i, port] of ports.entries()) {
      try {
        const connection = await nodes.connect(pod, port, gone.signal);
        connections[i] = connection;
        carry(connection, socket, (bytes) => send(2 * i, bytes));
        connection.once("close", ended);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        send(2 * i + 1, Buffer.from(`error forwarding port ${port} to pod ${pod.name}, uid ${pod.uid}: ${why}`));
        ended();
      }
    }
    for await (const message of webSocketMessages(socket)) {
      const connection = connections[(message[0] ?? 0) / 2];
      if (connection?.writable !== true || message.length < 2) continue;
      if (!connection.write(message.subarray(1))) await drained(connection);
    }
  } catch {
    // A client that breaks the protocol or the connection is gone; the pod sees its connections end.
  } finally {
    gone.abort();
    for (const connection of connections) connection?.destroy();
    closeWebSocket(socket);
  }
}

/** What a pod sends, no faster than the client takes it. */
function carry(connection: Duplex, socket: Duplex, send: (bytes: Buffer) => boolean): void {
  connection.on("data", (chunk: Buffer) => {
    if (send(chunk)) return;
    connection.pause();
    socket.once("drain", () => connection.resume());
  });
  // The other side sees the end of the connection; a channel has no way to tell more.
  connection.on("error", () => {});
  connection.once("end", () => connection.end());
}
