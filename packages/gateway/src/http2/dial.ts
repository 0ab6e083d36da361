import { connect as connectPlain } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import { UpstreamError } from "../upstream/upstream.ts";

/** Where connections go, and how. */
export interface Http2Endpoint {
  readonly host: string;
  readonly port: number;
  /** Undefined: plain, with prior knowledge. Asked for every new connection, as certificates change; may throw. */
  readonly tls?: (() => ConnectionOptions) | undefined;
  readonly lookup?: LookupFunction | undefined;
}

/** A socket that is being connected, and why it could not be, once it could not. */
export interface Dialled {
  readonly socket: Socket;
  /** What its failure means for a request that waits for it. */
  failure(error: Error): UpstreamError;
}

/** Begins to connect. Over TLS the backend has to choose `h2`. */
export function dial(endpoint: Http2Endpoint): Dialled {
  const { host, port } = endpoint;
  const where = { host, port, noDelay: true, ...(endpoint.lookup && { lookup: endpoint.lookup }) };
  if (endpoint.tls === undefined) {
    const socket = connectPlain(where);
    return { socket, failure: (error) => failed("connect", error) };
  }
  let isReached = false;
  const socket = connectTls({ ...endpoint.tls(), ...where, ALPNProtocols: ["h2"] });
  socket.once("connect", () => {
    isReached = true;
  });
  socket.once("secureConnect", () => {
    if (socket.alpnProtocol !== "h2") socket.destroy(new Error("the backend does not choose HTTP/2"));
  });
  return { socket, failure: (error) => failed(isReached ? "tls" : "connect", error) };
}

function failed(failure: "connect" | "tls", error: Error): UpstreamError {
  if (error instanceof UpstreamError) return error;
  return new UpstreamError(failure, `no connection to the backend: ${error.message}`, true);
}
