import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { headersOf, lengthOf } from "./client-fields.ts";
import { clientTls, doorOf, shownOn } from "./doors.ts";
import type { Doors } from "./doors.ts";
import type { CaseAnswer, CaseRequest } from "./routing-case.ts";
import { closeFrame, readFrames, textFrame } from "./web-socket-frames.ts";

/** What a client says that wants a WebSocket; the key is anybody's. */
const HANDSHAKE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Sends a request by HTTP/1.1, on a connection of its own. */
export function sendOverHttp1(doors: Doors, request: CaseRequest, signal: AbortSignal): Promise<CaseAnswer> {
  const { method, host, target, headers, body, webSocket } = request;
  const { address, port } = doorOf(doors, request);
  const tls = clientTls(doors, request);
  return new Promise((resolve, reject) => {
    const options = { host: address, port, method, path: target, agent: false, signal, setHost: false } as const;
    const fields = { host, ...(webSocket === undefined ? lengthOf(request) : HANDSHAKE), ...headers };
    const sent: ClientRequest =
      tls === undefined
        ? httpRequest({ ...options, headers: fields })
        : httpsRequest({ ...options, ...tls, headers: fields });
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      const head = headOf(response);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ ...head, body: Buffer.concat(chunks).toString() }));
    });
    sent.on("upgrade", (response, socket, first: Buffer) => {
      const head = headOf(response);
      talk(socket, first, webSocket ?? []).then((lines) => resolve({ ...head, body: lines.join("\n") }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function headOf(response: IncomingMessage): Omit<CaseAnswer, "body"> {
  const certificate = shownOn(response.socket as Parameters<typeof shownOn>[0]);
  return { status: response.statusCode ?? 0, headers: headersOf(response.headers), certificate };
}

/** Sends messages, waits for as many and one, and closes. Resolves to what was heard when the other side has closed too. */
function talk(socket: Duplex, first: Buffer, messages: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const heard: string[] = [];
    let pending = Buffer.alloc(0);
    let saidClose = false;
    const take = (chunk: Buffer): void => {
      const { texts, isOver, rest } = readFrames(Buffer.concat([pending, chunk]));
      pending = Buffer.from(rest);
      heard.push(...texts);
      if (!saidClose && heard.length > messages.length) socket.write(closeFrame((saidClose = true)));
      if (isOver) socket.end();
    };
    socket.on("data", take);
    socket.on("error", reject);
    socket.on("close", () => resolve(heard));
    for (const message of messages) socket.write(textFrame(message, true));
    take(first);
  });
}
