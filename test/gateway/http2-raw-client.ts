import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { FLAG, frame, FRAME, PREFACE, settings } from "./http2-frames.ts";
import type { Frame } from "./http2-frames.ts";

/** A client of HTTP/2 that writes whatever bytes it is told to, and reads frames. */
export class RawClient {
  readonly frames: Frame[] = [];
  readonly socket: Socket;
  #rest: Buffer = Buffer.alloc(0);
  #told: (() => void)[] = [];
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  /** Connects, and writes the preface and its settings. */
  static async open(port: number, first: Buffer = settings()): Promise<RawClient> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const client = new RawClient(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => client.#read(chunk));
    socket.on("close", () => {
      client.isClosed = true;
      client.#tell();
    });
    await once(socket, "connect");
    client.write(PREFACE, first);
    return client;
  }

  write(...parts: readonly Buffer[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts));
  }

  /** Writes, and waits until it is on its way; false: the connection is over. */
  async writeAll(bytes: Buffer): Promise<boolean> {
    if (this.isClosed || this.socket.destroyed) return false;
    if (!this.socket.write(bytes)) {
      await new Promise<void>((resolve) => {
        this.socket.once("drain", resolve);
        this.socket.once("close", resolve);
      });
    }
    return !this.isClosed;
  }

  /** The first frame that is like this, or undefined when the connection ends without one. */
  async until(isWanted: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (;;) {
      const found = this.frames.find(isWanted);
      if (found !== undefined || this.isClosed) return found;
      await new Promise<void>((resolve) => this.#told.push(resolve));
    }
  }

  /** The code of the GOAWAY that ends the connection; undefined: it ended without one. */
  async goaway(): Promise<number | undefined> {
    const found = await this.until(({ type }) => type === FRAME.goaway);
    return found?.payload.readUInt32BE(4);
  }

  /** How a stream ended: `reset 1`, or the status of its answer. */
  async outcome(stream: number): Promise<string> {
    const found = await this.until(
      (one) =>
        ((one.type === FRAME.reset || one.type === FRAME.headers) && one.stream === stream) ||
        one.type === FRAME.goaway,
    );
    if (found === undefined) return "closed";
    if (found.type === FRAME.goaway) return `goaway ${found.payload.readUInt32BE(4)}`;
    return found.type === FRAME.reset ? `reset ${found.payload.readUInt32BE(0)}` : `status ${statusOf(found.payload)}`;
  }

  async closed(): Promise<void> {
    await this.until(() => false);
  }

  destroy(): void {
    this.socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + length) break;
      const [type = 0, flags = 0] = this.#rest.subarray(3, 5);
      const stream = this.#rest.readUInt32BE(5);
      const payload = Buffer.from(this.#rest.subarray(9, 9 + length));
      this.#rest = this.#rest.subarray(9 + length);
      this.frames.push({ type, flags, stream, payload });
      if (type === FRAME.settings && flags === 0) this.write(frame(FRAME.settings, FLAG.ack, 0));
    }
    this.#tell();
  }

  #tell(): void {
    const told = this.#told;
    this.#told = [];
    for (const one of told) one();
  }
}

/** Statuses are the first field of an answer: one of the static table, or a literal with the name of one of them. */
function statusOf(block: Buffer): string {
  const first = block[0] ?? 0;
  const known = ["200", "204", "206", "304", "400", "404", "500"][first - 0x88];
  if (known !== undefined) return known;
  const length = (block[1] ?? 0) & 0x7f;
  const isHuffman = ((block[1] ?? 0) & 0x80) !== 0;
  return isHuffman ? "other" : block.toString("latin1", 2, 2 + length);
}
