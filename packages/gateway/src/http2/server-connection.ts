import { constants } from "node:http2";
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import { nextTurn } from "@gatewright/ports";
import type { CancelTimer, Clock, Random } from "@gatewright/ports";
import type { Client, Exchange } from "../exchange/exchange.ts";
import { Allowance } from "./allowance.ts";
import type { Http2Limits } from "./http2-limits.ts";
import { incomingHead } from "./incoming-head.ts";
import type { HeadRefusal, HeadRules } from "./incoming-head.ts";
import type { Http2Connection } from "./serve-http2.ts";
import { ServerExchange } from "./server-exchange.ts";
import type { ConnectionOfExchange } from "./server-exchange.ts";

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;
const LAST_POSSIBLE_STREAM = 2 ** 31 - 1;

interface ServerConnectionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: Client;
  readonly listener: string;
  readonly limits: Http2Limits;
  readonly rules: HeadRules;
  handle(exchange: Exchange): void;
  refused(refusal: HeadRefusal): void;
}

/** One client's connection. */
export class ServerConnection implements Http2Connection, ConnectionOfExchange {
  readonly #options: ServerConnectionOptions;
  readonly #session: ServerHttp2Session;
  readonly #resets: Allowance;
  readonly #settings: Allowance;
  readonly #pings: Allowance;
  readonly #exchanges = new Set<ServerExchange>();
  #cancelTick: CancelTimer = () => {};
  #idleSince: number;
  #pinged: "no" | "asked" = "no";
  #pingedAt: number;
  #isDraining = false;
  #requests = 0;

  constructor(session: ServerHttp2Session, options: ServerConnectionOptions) {
    const { clock, limits } = options;
    this.#session = session;
    this.#options = options;
    this.#resets = new Allowance(clock, limits.resetBurst, limits.resetsPerSecond);
    this.#settings = new Allowance(clock, limits.controlBurst, limits.controlPerSecond);
    this.#pings = new Allowance(clock, limits.controlBurst, limits.controlPerSecond);
    this.#idleSince = clock.monotonic();
    this.#pingedAt = this.#idleSince;
  }

  start(): void {
    const session = this.#session;
    const { clock, limits } = this.#options;
    session.setLocalWindowSize(limits.connectionWindow);
    session.on("error", ignoreFault);
    session.on("stream", this.#stream);
    session.on("ping", this.#pingCame);
    session.on("remoteSettings", this.#settingsCame);
    session.on("close", this.#closed);
    // Node's module would close the session when the client says that it leaves. A session that closes while it has streams does not
    // notice any more that its client breaks the protocol, or is gone, and stays for ever: it is closed here, when it has none.
    const close = session.close.bind(session);
    session.close = () => {
      this.#isDraining = true;
      // A request that came in the same bytes is told in this turn.
      void nextTurn().then(() => {
        if (this.#exchanges.size === 0) close();
      });
    };
    this.#cancelTick = clock.timer(this.#tickMs(), this.#tick);
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get client(): Client {
    return this.#options.client;
  }

  get listener(): string {
    return this.#options.listener;
  }

  /** Clients of gRPC measure the way by pings while answers flow: those are no flood. */
  sent(): void {
    this.#pings.refill();
  }

  /** Requests under way. */
  get active(): number {
    return this.#exchanges.size;
  }

  /** Takes no new requests, and closes when those under way are answered. The client is told first, so that none of its is lost. */
  drain(): void {
    if (this.#isDraining || this.#session.destroyed) return;
    this.#isDraining = true;
    // After a GOAWAY and without streams the session reads nothing any more: it has to be closed at the latest then.
    if (this.#exchanges.size === 0) {
      this.#session.close();
      return;
    }
    this.#session.goaway(NGHTTP2_NO_ERROR, LAST_POSSIBLE_STREAM);
    this.#session.ping(() => {
      if (!this.#session.destroyed) this.#session.goaway(NGHTTP2_NO_ERROR);
    });
  }

  /** Ends it at once. */
  destroy(): void {
    this.#session.destroy();
  }

  readonly #stream = (
    stream: ServerHttp2Stream,
    _headers: IncomingHttpHeaders,
    flags: number,
    raw: readonly string[],
  ): void => {
    stream.on("error", ignoreFault);
    const options = this.#options;
    const incoming = incomingHead(raw, options.rules);
    if ("reason" in incoming) {
      options.refused(incoming);
      refuse(stream, incoming);
      return;
    }
    const { fields, upgrade } = incoming.head;
    if (upgrade !== undefined)
      fields.set("sec-websocket-key", Buffer.from(options.random.bytes(16)).toString("base64"));
    const hasBody = (flags & NGHTTP2_FLAG_END_STREAM) === 0;
    const exchange = new ServerExchange(stream, incoming, hasBody, this);
    this.#exchanges.add(exchange);
    stream.on("close", () => this.#over(exchange, stream.rstCode));
    options.handle(exchange);
    if (++this.#requests >= options.limits.requests) this.drain();
  };

  #over(exchange: ServerExchange, code: number): void {
    this.#exchanges.delete(exchange);
    this.#idleSince = this.#options.clock.monotonic();
    if (this.#isDraining && this.#exchanges.size === 0) this.#session.close();
    if (code !== NGHTTP2_NO_ERROR && !exchange.isResetHere && !this.#resets.take()) this.#calm();
  }

  readonly #pingCame = (): void => {
    if (!this.#pings.take()) this.#calm();
  };

  readonly #settingsCame = (): void => {
    if (!this.#settings.take()) this.#calm();
  };

  /** The client does what nobody needs: it is told so, and loses its connection. */
  #calm(): void {
    if (!this.#session.destroyed)
      this.#session.destroy(new Error("the client resets or asks too much"), NGHTTP2_ENHANCE_YOUR_CALM);
  }

  readonly #tick = (): void => {
    const { clock, limits } = this.#options;
    const now = clock.monotonic();
    this.#cancelTick = clock.timer(this.#tickMs(), this.#tick);
    if (this.#exchanges.size === 0) {
      if (now - this.#idleSince >= limits.idleMs) this.#endIdle();
      return;
    }
    for (const exchange of this.#exchanges) if (exchange.isTooSlow(limits)) exchange.reset();
    if (now - this.#pingedAt >= limits.pingMs) this.#ping(now);
  };

  #endIdle(): void {
    if (this.#isDraining) this.destroy();
    else this.drain();
  }

  #ping(now: number): void {
    if (this.#pinged === "asked") {
      this.destroy();
      return;
    }
    this.#pinged = "asked";
    this.#pingedAt = now;
    this.#session.ping(() => {
      this.#pinged = "no";
    });
  }

  #tickMs(): number {
    const { idleMs, stalledMs, pingMs } = this.#options.limits;
    return Math.max(50, Math.min(idleMs, stalledMs, pingMs) / 4);
  }

  readonly #closed = (): void => {
    this.#cancelTick();
  };
}

/** Answers a head that is not taken. Node's module ends the stream by itself when nobody reads its body. */
function refuse(stream: ServerHttp2Stream, { status, reason }: HeadRefusal): void {
  if (stream.closed || stream.destroyed) return;
  stream.respond({ ":status": status, "content-type": "text/plain; charset=utf-8" });
  stream.end(`${reason}\n`);
}

/** Faults of a connection or stream show in how they close; without a listener Node would end the process. */
function ignoreFault(): void {}
