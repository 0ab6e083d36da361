import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Agent } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A proxy of npm, with connections to the backend that are kept. */
const [folder = "", name = "", port = "", backendPort = "", certFile, keyFile] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
/** What @fastify/http-proxy is a part of. By a name that is no import: nothing here depends on it. */
const FRAMEWORK = "fastify";
const target = `http://127.0.0.1:${backendPort}`;
const tls =
  certFile === undefined || keyFile === undefined
    ? undefined
    : { cert: readFileSync(certFile), key: readFileSync(keyFile) };

interface ProxyServer {
  web(request: IncomingMessage, response: ServerResponse): void;
  on(event: "error", listener: (error: Error, request: IncomingMessage, response: ServerResponse) => void): void;
}
type CreateProxyServer = (options: object) => ProxyServer;

function serve(listener: RequestListener): void {
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(Number(port), "127.0.0.1");
}

/** http-proxy, and the one that goes on from it. */
function serveHttpProxy(): void {
  const { createProxyServer } = require(name) as { readonly createProxyServer: CreateProxyServer };
  const proxy = createProxyServer({ target, xfwd: true, agent: new Agent({ keepAlive: true, maxSockets: 256 }) });
  proxy.on("error", (_error, _request, response) => response.destroy());
  serve((request, response) => proxy.web(request, response));
}

function serveFastProxy(): void {
  type Forward = (request: IncomingMessage, response: ServerResponse, url: string | undefined, options: object) => void;
  const make = require(name) as (options: object) => { readonly proxy: Forward };
  const { proxy } = make({ base: target, undici: { connections: 64, pipelining: 1 }, cacheURLs: 0 });
  serve((request, response) => proxy(request, response, request.url, {}));
}

async function serveFastify(): Promise<void> {
  interface Fastify {
    register(plugin: unknown, options: object): void;
    listen(where: object): Promise<unknown>;
  }
  const fastify = require(FRAMEWORK) as (options: object) => Fastify;
  const server = fastify({ logger: false, ...(tls !== undefined && { https: tls }) });
  server.register(require(name), { upstream: target, undici: { connections: 64, pipelining: 1 } });
  await server.listen({ port: Number(port), host: "127.0.0.1" });
}

if (name === "fast-proxy") serveFastProxy();
else if (name === "@fastify/http-proxy") await serveFastify();
else serveHttpProxy();
