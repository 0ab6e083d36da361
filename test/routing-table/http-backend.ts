import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { TLSSocket, TlsOptions } from "node:tls";
import type { HttpBehaviour } from "./backends.ts";
import { shownOn } from "./doors.ts";
import type { Seen } from "./routing-case.ts";
import { openWebSocket } from "./web-socket-backend.ts";

const HEALTH = "/how-are-you";

/**
 * A server that behaves so. `asked` is told of every request, by the server's name, or by another for those about its health, and says how
 * many came before it.
 */
export function httpBackend(
  name: string,
  behaviour: HttpBehaviour,
  asked: (about: string) => number,
  tls?: TlsOptions,
): Server {
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === HEALTH && behaviour.does === "echo") {
      const question = asked(`${name} ${HEALTH}`);
      response.writeHead(behaviour.health?.(question) === false ? 503 : (behaviour.status ?? 200)).end();
      return;
    }
    const before = asked(name);
    void bodyOf(request).then((body) => answer(behaviour, before, response, seenBy(name, request, body)));
  };
  const server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
  if (behaviour.does === "web-socket")
    server.on("upgrade", (request, socket) => {
      asked(name);
      openWebSocket(request, socket, JSON.stringify(seenBy(name, request, "")));
    });
  return server;
}

function seenBy(name: string, request: IncomingMessage, body: string): Seen {
  return {
    backend: name,
    method: request.method ?? "",
    target: request.url ?? "",
    host: request.headers.host ?? "",
    headers: Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)])),
    body,
    caller: shownOn(request.socket as Partial<TLSSocket>),
  };
}

function answer(behaviour: HttpBehaviour, before: number, response: ServerResponse, seen: Seen): void {
  const say = (status: number, body: string, headers: Readonly<Record<string, string>>): void => {
    response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body)) });
    response.end(body);
  };
  const echo = (status: number, headers: Readonly<Record<string, string>> = {}): void => {
    say(status, JSON.stringify(seen), { "content-type": "application/json", ...headers });
  };
  switch (behaviour.does) {
    case "echo":
      return echo(behaviour.status ?? 200, behaviour.headers);
    case "fail-first":
      return echo(before < behaviour.times ? behaviour.status : 200);
    case "reset-first":
      if (before >= behaviour.times) return echo(200);
      response.socket?.resetAndDestroy();
      return;
    case "wait": {
      const timer = setTimeout(() => echo(200), behaviour.milliseconds);
      response.on("close", () => clearTimeout(timer));
      return;
    }
    case "hang-first":
      if (before >= behaviour.times) echo(200);
      return;
    case "say":
      return say(200, behaviour.body, behaviour.headers);
    case "web-socket":
      return echo(426);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  try {
    for await (const chunk of request) body += String(chunk);
  } catch {
    // A request that breaks off was seen all the same.
  }
  return body;
}
