import { systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { noCredentials, sameCredentials } from "../credentials/credential-source.ts";
import type { Credentials, CredentialSource } from "../credentials/credential-source.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport.ts";
import { ConnectionPools } from "./connection-pools.ts";
import { exchange } from "./exchange.ts";
import type { TlsMaterial } from "./tls-material.ts";

export interface HttpTransportOptions {
  /** `https://host:port`, with a path when the API is below one. */
  readonly server: string;
  /** Whom to trust. Asked for each request, so that it can change. Default: the authorities of Node. */
  readonly trust?: () => Promise<Omit<TlsMaterial, "cert" | "key">>;
  /** Who to be. Asked for each request, and again when the server answers 401. Default: nobody. */
  readonly credentials?: CredentialSource;
  /**
   * URL of an `http`, `https` or `socks5` proxy, with a login where it needs one. An HTTP proxy must allow CONNECT to the server's
   * port, for servers without TLS too; an `https` proxy must have a certificate that Node trusts by itself.
   */
  readonly proxy?: string;
  readonly clock?: Clock;
  /** How long a connection may take to be made. Default: 10 s. */
  readonly connectTimeoutMs?: number;
  /** How long the server may say nothing during a request; a watch, once begun, may be silent for ever. Default: 70 s. */
  readonly silenceTimeoutMs?: number;
  /** Requests at once; more wait. Watches do not count. Default: 100. */
  readonly maxConnections?: number;
}

/** A transport that owns connections. Those that are idle do not keep a process alive. */
export interface HttpTransport extends Transport {
  /** Cuts every connection. */
  close(): void;
}

/**
 * A transport over HTTP/1.1: connections are kept for requests, and each watch has its own. A request that is answered with 401 is
 * sent once more if there are newer credentials by then.
 */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { clock = systemClock, trust = async () => ({}), credentials = noCredentials } = options;
  const { connectTimeoutMs = 10_000, silenceTimeoutMs = 70_000, maxConnections = 100 } = options;
  const server = new URL(options.server);
  const proxy = options.proxy === undefined ? undefined : new URL(options.proxy);
  const pools = new ConnectionPools({ server, proxy, clock, connectTimeoutMs, maxConnections });

  const sendAs = async (request: TransportRequest, shown: Credentials): Promise<TransportResponse> => {
    const { authorization, cert, key } = shown;
    const identity = cert === undefined || key === undefined ? {} : { cert, key };
    const { requests, watches } = pools.for({ ...(await trust()), ...identity });
    const isWatch = /[?&]watch=(?:true|1)(?:&|$)/.test(request.path);
    return exchange(request, {
      agent: isWatch ? watches : requests,
      server,
      headers: { host: server.host, ...(authorization !== undefined && { authorization }), ...request.headers },
      clock,
      silenceTimeoutMs,
      isWatch,
    });
  };

  const transport: Transport = async (request) => {
    request.signal?.throwIfAborted();
    const shown = await credentials.current(request.signal);
    const response = await sendAs(request, shown);
    if (response.status !== 401) return response;
    credentials.refused(shown);
    const leave = (): unknown => response.body[Symbol.asyncIterator]().return?.();
    const renewed = await credentials.current(request.signal).catch(async (error: unknown) => {
      await leave();
      throw error;
    });
    if (sameCredentials(shown, renewed)) return response;
    await leave();
    return sendAs(request, renewed);
  };
  return Object.assign(transport, { close: () => pools.close() });
}
