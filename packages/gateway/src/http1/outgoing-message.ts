import type { Sink } from "../exchange/body.ts";
import type { Fields } from "../exchange/fields.ts";
import type { Socket } from "node:net";
import { CHUNKED } from "./message-fields.ts";
import { fieldLines } from "./field-lines.ts";

/** The connection that a message goes out by. */
export interface MessageOwner {
  /** The message is over, as far as its sender is concerned. Exactly one of the two is told, once. */
  messageEnded(bytes: number): void;
  /** The message cannot become whole. */
  messageFailed(error: Error, bytes: number): void;
  /** The other end has no room for more just now. */
  messageStalled(): void;
}

/** Up to here bytes are put behind the head, or between the lines of a chunk, so that there is one write. */
const SMALL = 8 * 1024;

/**
 * A message on its way out. The head waits for what the body gives at once: a small answer is one write. One object a message, so
 * that a source that does not know when it is over cannot write into the next one.
 */
export class OutgoingMessage implements Sink {
  readonly #socket: Socket;
  readonly #owner: MessageOwner;
  readonly #length: number;
  readonly #sendsTrailers: boolean;
  #held: string;
  #isHolding = true;
  #isOver = false;
  #bytes = 0;
  #drained: (() => void) | undefined;

  /** `length`: how many bytes will come, chunked, or unframed. */
  constructor(socket: Socket, owner: MessageOwner, head: string, length: number, sendsTrailers: boolean) {
    this.#socket = socket;
    this.#owner = owner;
    this.#held = head;
    this.#length = length;
    this.#sendsTrailers = sendsTrailers;
  }

  /** Sends the head now, if it still waits for a body. */
  release(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    if (this.#held !== "") this.#told(this.#flush());
  }

  readonly #releaseLater = (): void => {
    if (!this.#isOver) this.release();
  };

  write(chunk: Uint8Array): boolean {
    if (this.#isOver || chunk.length === 0) return true;
    this.#bytes += chunk.length;
    if (this.#length >= 0 && this.#bytes > this.#length) {
      this.#bytes -= chunk.length;
      this.abort(new Error("a body is longer than was told"));
      return false;
    }
    return this.#length === CHUNKED ? this.#writeChunk(chunk) : this.#writePlain(chunk);
  }

  writeText(text: string): boolean {
    const fits = this.#isHolding && !this.#isOver && this.#held.length + text.length <= SMALL;
    if (!fits || this.#length < 0 || this.#bytes + text.length > this.#length)
      return this.write(Buffer.from(text, "latin1"));
    this.#bytes += text.length;
    this.#held += text;
    return true;
  }

  end(trailers?: Fields): void {
    if (this.#isOver) return;
    if (this.#length >= 0 && this.#bytes < this.#length) {
      this.abort(new Error("a body is shorter than was told"));
      return;
    }
    this.#isOver = true;
    if (this.#length === CHUNKED) {
      this.#held +=
        trailers === undefined || !this.#sendsTrailers ? "0\r\n\r\n" : `0\r\n${fieldLines(trailers.flat)}\r\n`;
    }
    this.#isHolding = false;
    if (this.#held !== "") this.#flush();
    this.#owner.messageEnded(this.#bytes);
  }

  abort(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#owner.messageFailed(error, this.#bytes);
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  /** The connection has room again. */
  drained(): void {
    if (!this.#isOver) this.#drained?.();
  }

  /** The connection is gone: nothing more is taken. */
  drop(): void {
    this.#isOver = true;
  }

  #writePlain(chunk: Uint8Array): boolean {
    if (this.#isHolding && this.#held.length + chunk.length <= SMALL) {
      this.#held += latin1(chunk);
      return true;
    }
    if (this.#held === "") return this.#told(this.#socket.write(chunk));
    this.#socket.cork();
    this.#flush();
    const hasRoom = this.#socket.write(chunk);
    this.#socket.uncork();
    return this.#told(hasRoom);
  }

  #writeChunk(chunk: Uint8Array): boolean {
    const size = `${chunk.length.toString(16)}\r\n`;
    if (this.#held.length + chunk.length <= SMALL) {
      this.#held += `${size}${latin1(chunk)}\r\n`;
      if (!this.#isHolding) {
        // What ends a body mostly comes with the last of it, and then goes with it.
        this.#isHolding = true;
        process.nextTick(this.#releaseLater);
      }
      return !this.#socket.writableNeedDrain;
    }
    this.#socket.cork();
    this.#held += size;
    this.#flush();
    this.#socket.write(chunk);
    const hasRoom = this.#socket.write("\r\n", "latin1");
    this.#socket.uncork();
    return this.#told(hasRoom);
  }

  #flush(): boolean {
    const text = this.#held;
    this.#held = "";
    return this.#socket.write(text, "latin1");
  }

  #told(hasRoom: boolean): boolean {
    if (!hasRoom) this.#owner.messageStalled();
    return hasRoom;
  }
}

function latin1(bytes: Uint8Array): string {
  return (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString(
    "latin1",
  );
}
