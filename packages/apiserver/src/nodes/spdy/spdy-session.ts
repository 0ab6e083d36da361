import { Duplex } from "node:stream";
import { drained } from "../drained.ts";
import { Inbox } from "../inbox.ts";
import { dataHead, pingReply, resetStream, synReply, takeFrame } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { HeaderBlocks } from "./header-block.ts";
import type { SpdyHeaders } from "./header-block.ts";

/** More streams than a client has at once by honest means. */
const MAX_STREAMS = 1000;

interface Open {
  readonly duplex: Duplex;
  /** The other side sends no more. */
  ended: boolean;
  /** Lets the session go on that waits for this stream's reader. */
  wake: () => void;
}

/**
 * The server's side of SPDY/3.1, as far as connections to pods use it: the client opens streams, each carries bytes both ways. There is
 * no flow control between streams: one that is not read holds up the others, and nothing is buffered without bound.
 */
export class SpdySession {
  readonly #transport: Duplex;
  readonly #accept: (stream: Duplex, headers: SpdyHeaders) => void;
  readonly #headers = new HeaderBlocks();
  readonly #streams = new Map<number, Open>();

  constructor(transport: Duplex, accept: (stream: Duplex, headers: SpdyHeaders) => void) {
    this.#transport = transport;
    this.#accept = accept;
  }

  /** Serves until the transport ends. Never rejects: what goes wrong ends the transport and all streams with it. */
  async run(): Promise<void> {
    const inbox = new Inbox();
    this.#transport.once("close", () => this.#wakeAll());
    try {
      for await (const chunk of this.#transport as AsyncIterable<Buffer>) {
        inbox.add(chunk);
        for (let taken = takeFrame(inbox.bytes); taken !== undefined; taken = takeFrame(inbox.bytes)) {
          inbox.take(taken.size);
          await this.#handle(taken.frame);
        }
      }
    } catch {
      // A client that breaks the protocol or the connection is gone; its streams see that.
    } finally {
      for (const { duplex } of this.#streams.values()) duplex.destroy();
      this.#headers.close();
      this.#transport.destroy();
    }
  }

  /** Nobody waits for readers of a transport that is gone. */
  #wakeAll(): void {
    for (const { wake } of this.#streams.values()) wake();
  }

  async #handle(frame: Frame): Promise<void> {
    switch (frame.type) {
      case "syn-stream":
        return this.#open(frame.stream, frame.fin, await this.#headers.unpack(frame.block));
      case "data":
        return this.#receive(frame.stream, frame.data, frame.fin);
      case "reset": {
        const open = this.#streams.get(frame.stream);
        this.#streams.delete(frame.stream);
        open?.duplex.destroy();
        return undefined;
      }
      case "ping":
        this.#transport.write(pingReply(frame.id));
        return drained(this.#transport);
      case "other":
        return undefined;
    }
  }

  async #open(id: number, fin: boolean, headers: SpdyHeaders): Promise<void> {
    if (this.#streams.has(id) || this.#streams.size >= MAX_STREAMS) {
      this.#transport.write(resetStream(id));
      return drained(this.#transport);
    }
    this.#transport.write(synReply(id, await this.#headers.pack(new Map())));
    const open: Open = { duplex: this.#duplex(id), ended: false, wake: () => {} };
    this.#streams.set(id, open);
    // Its user hears of the end by `close`; there is nothing else to say of a stream that was given up.
    open.duplex.on("error", () => {});
    if (fin) this.#end(open);
    this.#accept(open.duplex, headers);
    return undefined;
  }

  #duplex(id: number): Duplex {
    const send = (chunk: Buffer, fin: boolean, sent: (error?: Error | null) => void): void => {
      this.#transport.cork();
      this.#transport.write(dataHead(id, chunk.length, fin));
      this.#transport.write(chunk, sent);
      this.#transport.uncork();
    };
    return new Duplex({
      read: () => this.#streams.get(id)?.wake(),
      write: (chunk: Buffer, _encoding, sent) => send(chunk, false, sent),
      final: (sent) => send(Buffer.alloc(0), true, sent),
      destroy: (error, done) => {
        const open = this.#streams.get(id);
        this.#streams.delete(id);
        open?.wake();
        const whole = open === undefined || (open.ended && open.duplex.writableFinished);
        if (!whole && this.#transport.writable) this.#transport.write(resetStream(id));
        done(error);
      },
    });
  }

  async #receive(id: number, data: Buffer, fin: boolean): Promise<void> {
    const open = this.#streams.get(id);
    if (open === undefined || open.ended) return;
    if (data.length > 0 && !open.duplex.push(data)) await new Promise<void>((resolve) => (open.wake = resolve));
    if (fin) this.#end(open);
  }

  #end(open: Open): void {
    open.ended = true;
    open.duplex.push(null);
  }
}
