import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Behaviour } from "./backends.ts";
import type { GrpcBehaviour } from "./grpc-backend.ts";
import type { Seen } from "./routing-case.ts";

type HttpBehaviour = Exclude<Behaviour, { readonly does: "refuse" } | GrpcBehaviour>;

/** A server that behaves so. `asked` is told of every request and says how many came before it. */
export function httpBackend(name: string, behaviour: HttpBehaviour, asked: () => number): Server {
  return createServer((request, response) => {
    const before = asked();
    void bodyOf(request).then((body) => {
      const seen: Seen = {
        backend: name,
        method: request.method ?? "",
        target: request.url ?? "",
        host: request.headers.host ?? "",
        headers: Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)])),
        body,
      };
      answer(behaviour, before, response, seen);
    });
  });
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
