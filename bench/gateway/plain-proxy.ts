import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";

/** A proxy of a few lines on Node's own module, as proxies on npm are made: their floor. */
const [port, backendPort, certFile, keyFile] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

function forward(incoming: IncomingMessage, answer: ServerResponse): void {
  const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "" };
  const { method, url } = incoming;
  const outgoing = request({ host: "127.0.0.1", port: backendPort, method, path: url, headers, agent }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  outgoing.on("error", () => answer.destroy());
  incoming.pipe(outgoing);
}

const server =
  certFile === undefined || keyFile === undefined
    ? createServer(forward)
    : createSecureServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, forward);
server.listen(Number(port), "127.0.0.1");
