import { createTransport } from "@gatewright/runtime";
import type { HttpTransport, Transport, TransportConfig } from "@gatewright/runtime";

/** Ways to the API server that show the credentials of whoever asks, and never anybody else's. */
export interface CallerTransports {
  /** `authorization`: the header as the caller sent it. */
  as(authorization: string): Transport;
  close(): void;
}

/** Takes of a configuration where the server is and whom to trust, and leaves behind who its own user is. */
export function callerTransports(config: TransportConfig): CallerTransports {
  const { server, ca, serverName, insecure, proxy, namespace, origin } = config;
  const transport: HttpTransport = createTransport({
    server,
    namespace,
    origin,
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { serverName }),
    ...(insecure !== undefined && { insecure }),
    ...(proxy !== undefined && { proxy }),
  });
  return {
    as: (authorization) => (request) => transport({ ...request, headers: { ...request.headers, authorization } }),
    close: () => transport.close(),
  };
}
