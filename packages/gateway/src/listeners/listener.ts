import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import type { Clock, Random } from "@gatewright/ports";
import type { Exchange } from "../exchange/exchange.ts";
import { AcceptedConnection } from "./accepted-connection.ts";
import type { AcceptingListener } from "./accepted-connection.ts";
import { addressRanges } from "./address-ranges.ts";
import { ConnectionCounts } from "./connection-counts.ts";
import { bindError, ListenerError } from "./listener-error.ts";
import type { ListenerSettings } from "./listener-settings.ts";
import { TlsDoor } from "./tls-door.ts";
import type { GivenCertificate } from "./tls-files.ts";

const HANDSHAKE_MS = 10_000;
const MAX_CONNECTIONS = 20_000;
const BACKLOG = 1024;

/** What all listeners share. */
export interface ListenerParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Answers a request, sooner or later. Must not throw. */
  handle(exchange: Exchange): void;
  /** A listener cannot do all that its settings say, or no longer. */
  fault(error: ListenerError): void;
  /** A connection or a head was refused before it became a request: for logs and metrics. */
  refused?(listener: string, reason: string): void;
  /** A certificate that the configuration has for a host. */
  readonly certificateFor?: (host: string) => GivenCertificate | undefined;
}

/** A listening socket and its connections. New settings concern new connections. */
export class Listener implements AcceptingListener {
  readonly clock: Clock;
  readonly random: Random;
  readonly #parts: ListenerParts;
  readonly #server: Server;
  readonly #connections = new Set<AcceptedConnection>();
  readonly #counts = new ConnectionCounts();
  settings: ListenerSettings;
  door: TlsDoor | undefined;
  #isProxy: (address: string) => boolean = () => false;
  #allClosed: (() => void) | undefined;

  private constructor(settings: ListenerSettings, parts: ListenerParts) {
    this.settings = settings;
    this.#parts = parts;
    this.clock = parts.clock;
    this.random = parts.random;
    this.#server = createServer({ noDelay: true, keepAlive: true }, this.#accepted);
  }

  /** Reads the certificates, then listens. Rejects with a `ListenerError`. */
  static async bind(settings: ListenerSettings, parts: ListenerParts): Promise<Listener> {
    const listener = new Listener(settings, parts);
    await listener.change(settings);
    try {
      await listener.#listen();
    } catch (error) {
      listener.door?.stop();
      throw bindError(settings.name, settings.address ?? "*", settings.port, error as NodeJS.ErrnoException);
    }
    return listener;
  }

  /** Takes other settings for the same address and port. Rejects with a `ListenerError`, and goes on as before. */
  async change(settings: ListenerSettings): Promise<void> {
    const isProxy = this.#rangesOf(settings);
    const before = this.door;
    let door = before;
    if (
      JSON.stringify(settings.tls) !== JSON.stringify(before && this.settings.tls) ||
      !sameProtocols(settings, this.settings)
    ) {
      door =
        settings.tls === undefined
          ? undefined
          : new TlsDoor(settings.name, settings.tls, settings.protocols, {
              clock: this.clock,
              fault: (error) => this.#parts.fault(error),
              failed: () => this.refused("tls_handshake"),
              ...(this.#parts.certificateFor !== undefined && { certificateFor: this.#parts.certificateFor }),
            });
      await door?.start();
    }
    this.settings = settings;
    this.#isProxy = isProxy;
    this.door = door;
    if (before !== door) before?.stop();
  }

  /** Where it listens; the port is the real one. */
  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  get connections(): number {
    return this.#connections.size;
  }

  get handshakeMs(): number {
    return this.settings.handshakeMs ?? HANDSHAKE_MS;
  }

  /** Accepts no more connections; those that there are go on. */
  stopAccepting(): void {
    this.#server.close();
    this.door?.stop();
  }

  /** Lets all connections finish what is under way. When the time is up, or on abort, the rest is ended. Never rejects. */
  async drain(graceMs: number, signal: AbortSignal): Promise<void> {
    this.stopAccepting();
    const closed = new Promise<void>((resolve) => {
      this.#allClosed = resolve;
    });
    for (const connection of this.#connections) connection.drain();
    if (this.#connections.size === 0) return;
    const end = (): void => {
      for (const connection of this.#connections) connection.destroy();
    };
    const cancel = this.clock.timer(graceMs, end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    await closed;
    cancel();
    signal.removeEventListener("abort", end);
  }

  expectsProxyHeader(address: string): boolean {
    return this.#isProxy(address);
  }

  enter(address: string): boolean {
    return this.#counts.enter(address, this.settings.maxConnectionsPerAddress ?? Infinity);
  }

  leave(address: string): void {
    this.#counts.leave(address);
  }

  handle(exchange: Exchange): void {
    this.#parts.handle(exchange);
  }

  refused(reason: string): void {
    this.#parts.refused?.(this.settings.name, reason);
  }

  closed(connection: AcceptedConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#allClosed?.();
  }

  readonly #accepted = (socket: Socket): void => {
    if (this.#connections.size >= (this.settings.maxConnections ?? MAX_CONNECTIONS)) {
      this.refused("too_many_connections");
      socket.on("error", () => {});
      socket.destroy();
      return;
    }
    const connection = new AcceptedConnection(socket, this);
    this.#connections.add(connection);
    connection.start();
  };

  #rangesOf(settings: ListenerSettings): (address: string) => boolean {
    try {
      return settings.proxyProtocol === undefined ? () => false : addressRanges(settings.proxyProtocol.trusted);
    } catch (error) {
      const said = (error as Error).message;
      throw new ListenerError("settings", settings.name, said, "correct proxyProtocol.trusted");
    }
  }

  #listen(): Promise<void> {
    const { address, port, reusePort } = this.settings;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject);
    this.#server.listen(
      {
        port,
        ...(address !== undefined && { host: address }),
        backlog: BACKLOG,
        reusePort: reusePort ?? false,
        exclusive: reusePort ?? false,
      },
      () => {
        this.#server.off("error", reject);
        this.#server.on("error", (error) =>
          this.#parts.fault(bindError(this.settings.name, address ?? "*", port, error)),
        );
        resolve();
      },
    );
    return promise;
  }
}

function sameProtocols(one: ListenerSettings, other: ListenerSettings): boolean {
  return JSON.stringify(one.protocols) === JSON.stringify(other.protocols);
}
