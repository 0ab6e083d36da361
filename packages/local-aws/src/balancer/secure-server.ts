import type { Server } from "node:net";
import { createServer } from "node:tls";
import type { TLSSocket } from "node:tls";
import { leastTls } from "../elbv2/ssl-policies.ts";
import type { ListenerView } from "./listener-views.ts";
import type { TlsContexts } from "./tls-contexts.ts";

export interface SecureServerOptions {
  /** The listener as it is now; undefined once it is gone. */
  readonly view: () => ListenerView | undefined;
  readonly contexts: TlsContexts;
  /** Which of the protocols that a client offers is spoken. Undefined: none, and the handshake fails. */
  readonly alpn: (offered: readonly string[]) => string | undefined;
}

/** A TLS server that shows the certificate which the client's name selects: at each handshake the one that holds then. */
export function secureServer(
  { view, contexts, alpn }: SecureServerOptions,
  connected: (socket: TLSSocket) => void,
): Server {
  const server = createServer(
    {
      minVersion: "TLSv1.2",
      SNICallback: (name, done) => {
        const now = view();
        done(null, now && contexts.contextFor(now.listener, name));
      },
      ALPNCallback: ({ protocols }) => alpn(protocols),
    },
    connected,
  );
  let shown = "";
  // Clients that send no name get the server's own context, which has to be up to date before their handshake begins.
  server.prependListener("connection", () => {
    const now = view();
    const certificate = now && contexts.defaultOf(now.listener);
    if (now === undefined || certificate === undefined) return;
    const minVersion = leastTls(now.listener.sslPolicy);
    const key = `${minVersion}${certificate.chain}`;
    if (key === shown) return;
    shown = key;
    server.setSecureContext({ cert: certificate.chain, key: certificate.key, minVersion });
  });
  // Handshakes that fail are the client's affair; its socket is closed by then.
  server.on("tlsClientError", () => {});
  return server;
}
