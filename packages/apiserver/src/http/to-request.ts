import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import querystring from "node:querystring";
import type { TLSSocket } from "node:tls";
import { badRequest } from "@gatewright/kube";
import type { ApiRequest, Connection } from "./api-request.ts";
import { readRequestBody } from "./read-body.ts";

/** Below a pod or a Service: what is passed on is never held whole. */
const PROXY = /^\/api\/v1\/namespaces\/[^/]+\/(?:pods|services)\/[^/]+\/proxy(?:\/|$)/;

const CONNECTION =
  /^\/api\/v1\/namespaces\/[^/]+\/(?:pods|services)\/[^/]+\/(?:attach|exec|portforward|proxy)(?:[/?]|$)/;

/** Whether a request asks for another protocol where there may be one. Elsewhere that wish is overheard, as HTTP allows. */
export function mayUpgrade({ url = "", headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && CONNECTION.test(url);
}

/** A request as the server takes it. Rejects with a StatusError for a URL or a body that cannot be. */
export async function toRequest(message: IncomingMessage, signal: AbortSignal): Promise<ApiRequest> {
  if ((message.headersDistinct["host"]?.length ?? 0) > 1) throw badRequest("the request names more than one Host");
  // A target may be a whole URL, whose host then counts.
  const [, authority, target = "/"] = /^(?:https?:\/\/([^/?]*))?(.*)$/is.exec(message.url ?? "/") ?? [];
  const cut = target.indexOf("?");
  const path = decodePath(cut < 0 ? target : target.slice(0, cut));
  const given = message.headers as Record<string, string | undefined>;
  const headers = authority === undefined ? given : { ...given, host: authority };
  const bodiless = message.method === "GET" || message.method === "HEAD";
  const passed = PROXY.test(path);
  const upgradable = mayUpgrade(message);
  return {
    method: message.method ?? "GET",
    path,
    query: new URLSearchParams(cut < 0 ? "" : target.slice(cut + 1)),
    search: cut < 0 ? "" : target.slice(cut),
    headers,
    headerValues: (name) => message.headersDistinct[name] ?? [],
    body: bodiless || passed || upgradable ? EMPTY : await readRequestBody(message),
    ...(passed && !upgradable && { upload: message }),
    ...(upgradable && { upgradable }),
    connection: connectionOf(message),
    signal,
  };
}

const EMPTY = new Uint8Array(0);

function decodePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    if (!/%(?![0-9a-fA-F]{2})/.test(path)) return querystring.unescape(path);
    throw badRequest(`invalid URL escape in ${JSON.stringify(path.slice(0, 200))}`);
  }
}

function connectionOf(message: IncomingMessage): Connection {
  const { socket } = message;
  const remoteAddress = socket.remoteAddress ?? "";
  if (!isSecure(socket)) return { remoteAddress, secure: false };
  if (!socket.authorized) return { remoteAddress, secure: true };
  const { subject } = socket.getPeerCertificate();
  if (!subject?.CN) return { remoteAddress, secure: true };
  const organizations = [subject.O ?? []].flat();
  return { remoteAddress, secure: true, certificate: { commonName: [subject.CN].flat()[0]!, organizations } };
}

function isSecure(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket;
}
