import type { Socket } from "node:net";
import { createServer } from "node:tls";
import type { SecureContext, Server, TLSSocket } from "node:tls";
import type { Clock } from "@gatewright/ports";
import type { ListenerError } from "./listener-error.ts";
import type { ListenerSettings, ListenerTls } from "./listener-settings.ts";
import type { GivenCertificate } from "./tls-files.ts";
import { ReloadingTls } from "./reloading-tls.ts";

/** Who waits for a handshake. */
export interface Securing {
  /** Which connection it is: addresses and ports of both ends. */
  readonly ends: string;
  secured(socket: TLSSocket): void;
}

/** What the door needs of its listener. */
export interface TlsDoorParts {
  readonly clock: Clock;
  fault(error: ListenerError): void;
  /** A handshake failed. */
  failed(): void;
  /** A certificate that the configuration has for a host. It comes before those of the listener. */
  readonly certificateFor?: (host: string) => GivenCertificate | undefined;
}

/** Handshakes of a listener: by the certificate of the host that the client names, with or without one of its own. */
export class TlsDoor {
  readonly #server: Server;
  readonly #tls: ReloadingTls;
  readonly #waiting = new Map<string, Securing>();

  constructor(name: string, tls: ListenerTls, protocols: ListenerSettings["protocols"], parts: TlsDoorParts) {
    const offered = protocols ?? ["http2", "http1"];
    const mode = tls.clientCertificates?.mode;
    this.#server = createServer({
      ALPNProtocols: [...(offered.includes("http2") ? ["h2"] : []), ...(offered.includes("http1") ? ["http/1.1"] : [])],
      requestCert: mode !== undefined,
      rejectUnauthorized: mode === "required",
      SNICallback: this.#chosen,
    });
    this.#tls = new ReloadingTls(tls, {
      name,
      clock: parts.clock,
      changed: (fallback) => this.#server.setSecureContext(fallback),
      fault: (error) => parts.fault(error),
      ...(parts.certificateFor !== undefined && { certificateFor: parts.certificateFor }),
    });
    this.#server.on("secureConnection", (socket) => {
      const ends = endsOf(socket);
      const waiting = this.#waiting.get(ends);
      this.#waiting.delete(ends);
      if (waiting === undefined) socket.destroy();
      else waiting.secured(socket);
    });
    this.#server.on("tlsClientError", (_error, socket) => {
      socket.destroy();
      parts.failed();
    });
  }

  /** Reads the certificates. Rejects with a `ListenerError` when there is none that can be used. */
  start(): Promise<void> {
    return this.#tls.start();
  }

  stop(): void {
    this.#tls.stop();
  }

  /** Looks at once whether files have changed. */
  check(): Promise<void> {
    return this.#tls.check();
  }

  /** Begins a handshake. Bytes that were read before have to be put back. */
  secure(socket: Socket, securing: Securing): void {
    this.#waiting.set(securing.ends, securing);
    socket.once("close", () => {
      if (this.#waiting.get(securing.ends) === securing) this.#waiting.delete(securing.ends);
    });
    this.#server.emit("connection", socket);
  }

  belongTogether(serverName: string, host: string): boolean {
    return this.#tls.belongTogether(serverName, host);
  }

  /** What is thrown in here would end the process. */
  readonly #chosen = (serverName: string, choose: (error: Error | null, context?: SecureContext) => void): void => {
    let context: SecureContext | undefined;
    try {
      context = this.#tls.contextFor(serverName);
    } catch (error) {
      choose(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    choose(null, context);
  };
}

/** Which connection a socket is: no two live ones of a machine have the same ends. */
export function endsOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort} ${socket.localAddress} ${socket.localPort}`;
}
