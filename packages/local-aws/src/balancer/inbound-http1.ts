import type { IncomingMessage, ServerResponse } from "node:http";
import { endToEnd, headerPairs, headerValue } from "./message.ts";
import type { Header, Inbound, Peer, RequestHead } from "./message.ts";

/** A request over HTTP/1 that was read by a strict parser. */
export function inboundFromHttp1(request: IncomingMessage, response: ServerResponse, peer: Peer): Inbound {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  // A client that goes away is told by `gone`.
  response.on("error", () => gone.abort());
  request.on("error", () => gone.abort());
  return {
    head: headOf(request),
    peer,
    hasBody:
      headerValue(headerPairs(request.rawHeaders), "transfer-encoding") !== undefined ||
      Number(request.headers["content-length"] ?? 0) > 0,
    body: request,
    gone: gone.signal,
    answer({ status, headers, empty }, trailers) {
      const chunked = !headers.some(([name]) => name.toLowerCase() === "content-length") && !empty;
      if (trailers !== undefined && chunked && request.httpVersion === "1.1") addTrailersAtEnd(response, trailers);
      response.writeHead(status, headers.flat());
      return response;
    },
    abort: () => void (request.socket ?? response).destroy(),
  };
}

/** What a request over HTTP/1 says, in the form that does not depend on the version. */
export function headOf(request: IncomingMessage): RequestHead {
  const headers = headerPairs(request.rawHeaders);
  const { target, authority } = splitTarget(request.url ?? "/");
  return {
    method: request.method ?? "GET",
    target,
    authority: authority ?? headerValue(headers, "host") ?? "",
    headers: endToEnd(headers).filter(([name]) => name.toLowerCase() !== "host"),
  };
}

/** Clients may send a whole URL; its host counts more than the header then. */
function splitTarget(url: string): { readonly target: string; readonly authority?: string } {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url);
  if (absolute === null) return { target: url };
  const [, authority = "", rest = ""] = absolute;
  return { target: rest.startsWith("/") ? rest : `/${rest}`, authority };
}

/** Node sends the trailers that it knows when the answer ends: they are told just before. */
function addTrailersAtEnd(response: ServerResponse, trailers: () => readonly Header[]): void {
  const end = response.end.bind(response);
  response.end = ((...args: Parameters<typeof end>) => {
    const told = trailers();
    if (told.length > 0) response.addTrailers(told.map(([name, value]): [string, string] => [name, value]));
    return end(...args);
  }) as typeof response.end;
}
