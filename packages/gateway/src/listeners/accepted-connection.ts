import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import { hostOf } from "../exchange/authority.ts";
import type { Client, Exchange } from "../exchange/exchange.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import { serveHttp1 } from "../http1/serve-http1.ts";
import { serveHttp2 } from "../http2/serve-http2.ts";
import { plainAddress } from "./address-ranges.ts";
import { firstBytes, spokenProtocol } from "./first-bytes.ts";
import type { ListenerSettings } from "./listener-settings.ts";
import { readProxyHeader } from "./proxy-header.ts";
import type { ProxiedSource } from "./proxy-header.ts";
import { endsOf } from "./tls-door.ts";
import type { Securing, TlsDoor } from "./tls-door.ts";

/** What a listener gives its connections. */
export interface AcceptingListener {
  readonly settings: ListenerSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly handshakeMs: number;
  /** Whether connections of this address begin with a PROXY header. */
  expectsProxyHeader(address: string): boolean;
  /** Counts a client in; false: its address has as many connections as it may have. */
  enter(address: string): boolean;
  leave(address: string): void;
  /** Undefined: plain. A connection keeps the one that it came by. */
  readonly door: TlsDoor | undefined;
  handle(exchange: Exchange): void;
  /** Told why a connection never got to a request. */
  refused(reason: string): void;
  closed(connection: AcceptedConnection): void;
}

interface Served {
  drain(): void;
  destroy(): void;
}

/** One connection from its first byte on: PROXY header, TLS, choice of protocol; then it is the protocol's. */
export class AcceptedConnection implements Securing {
  readonly #socket: Socket;
  readonly #listener: AcceptingListener;
  readonly #door: TlsDoor | undefined;
  readonly ends: string;
  #source: ProxiedSource;
  #isCounted = false;
  #served: Served | undefined;
  #cancelDeadline: CancelTimer = () => {};

  constructor(socket: Socket, listener: AcceptingListener) {
    this.#socket = socket;
    this.#listener = listener;
    this.#door = listener.door;
    this.ends = endsOf(socket);
    this.#source = { address: plainAddress(socket.remoteAddress ?? ""), port: socket.remotePort ?? 0 };
  }

  start(): void {
    const socket = this.#socket;
    const listener = this.#listener;
    socket.on("error", ignoreFault);
    socket.on("close", this.#closed);
    this.#cancelDeadline = listener.clock.timer(listener.handshakeMs, () => this.#refuse("handshake_timeout"));
    if (!listener.expectsProxyHeader(this.#source.address)) {
      this.#identified();
      return;
    }
    firstBytes(socket, decideProxyHeader, (header, bytes) => {
      if (header.kind === "bad") {
        this.#refuse("bad_proxy_header");
        return;
      }
      if (header.source !== undefined) this.#source = header.source;
      socket.pause();
      if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
      this.#identified();
    });
  }

  /** Takes no new requests, and closes when those under way are answered. */
  drain(): void {
    if (this.#served === undefined) this.#socket.destroy();
    else this.#served.drain();
  }

  destroy(): void {
    this.#served?.destroy();
    this.#socket.destroy();
  }

  /** The handshake is over: speaks the protocol that it chose. */
  secured(socket: TLSSocket): void {
    socket.on("error", ignoreFault);
    const { servername } = socket as { servername?: string | false };
    const serverName = typeof servername === "string" && servername !== "" ? servername.toLowerCase() : undefined;
    const certificate = socket.authorized ? socket.getPeerCertificate() : undefined;
    const tls = { serverName, protocol: socket.getProtocol() ?? "", certificate };
    this.#serve(socket, socket.alpnProtocol === "h2" ? "http2" : "http1", undefined, tls);
  }

  /** It is known who connects. */
  #identified(): void {
    const listener = this.#listener;
    const socket = this.#socket;
    if (!listener.enter(this.#source.address)) {
      this.#refuse("too_many_connections_of_address");
      return;
    }
    this.#isCounted = true;
    if (this.#door !== undefined) {
      this.#door.secure(socket, this);
      return;
    }
    firstBytes(socket, spokenProtocol, (protocol, bytes) => {
      if (protocol === "http2") {
        socket.pause();
        socket.unshift(bytes);
      }
      this.#serve(socket, protocol, bytes, undefined);
    });
    socket.resume();
  }

  #serve(socket: Socket, protocol: "http1" | "http2", first: Buffer | undefined, tls: Client["tls"]): void {
    const { settings, clock, random } = this.#listener;
    this.#cancelDeadline();
    if (settings.protocols?.includes(protocol) === false) {
      this.#refuse("protocol_not_offered");
      return;
    }
    const client: Client = { address: this.#source.address, port: this.#source.port, tls };
    const common = {
      clock,
      scheme: tls === undefined ? ("http" as const) : ("https" as const),
      client,
      listener: settings.name,
      escapedSlashes: settings.escapedSlashes ?? "refuse",
      mergeSlashes: settings.mergeSlashes ?? false,
      underscores: settings.underscores ?? "drop",
      handle: this.#handler(tls?.serverName),
      refused: ({ reason }: { readonly reason: string }) => this.#listener.refused(reason),
    };
    if (protocol === "http2") this.#served = serveHttp2(socket, { ...common, random, limits: settings.http2 ?? {} });
    else this.#served = serveHttp1(socket, first, { ...common, limits: settings.http1 ?? {} });
  }

  /** Requests for hosts that this connection was not made for are sent away: another connection leads to their certificate. */
  #handler(serverName: string | undefined): (exchange: Exchange) => void {
    const listener = this.#listener;
    const door = this.#door;
    if (serverName === undefined || door === undefined) return (exchange) => listener.handle(exchange);
    let known = "";
    return (exchange) => {
      const { authority } = exchange.head;
      if (authority === known || door.belongTogether(serverName, hostOf(authority))) {
        known = authority;
        listener.handle(exchange);
      } else {
        exchange.body?.cancel();
        void exchange.send(localAnswer(421, "misdirected", "this connection is not for that host"));
      }
    };
  }

  #refuse(reason: string): void {
    this.#listener.refused(reason);
    this.#socket.destroy();
  }

  readonly #closed = (): void => {
    this.#cancelDeadline();
    if (this.#isCounted) this.#listener.leave(this.#source.address);
    this.#isCounted = false;
    this.#listener.closed(this);
  };
}

function decideProxyHeader(bytes: Buffer): Exclude<ReturnType<typeof readProxyHeader>, { kind: "more" }> | undefined {
  const header = readProxyHeader(bytes);
  return header.kind === "more" ? undefined : header;
}

/** Faults of a connection show in its close; without a listener Node would end the process. */
function ignoreFault(): void {}
