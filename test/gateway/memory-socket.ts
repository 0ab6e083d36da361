import { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

/** One end of a connection without a network: what is given arrives piece by piece, what is written is gathered. */
export class MemorySocket extends Duplex {
  /** Everything that was written, as single bytes. */
  written = "";
  /** The other side was told that nothing more comes. */
  isEnded = false;

  override _read(): void {
    // Pieces are pushed when they are given.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString("latin1");
    done();
  }

  override _final(done: () => void): void {
    this.isEnded = true;
    done();
  }

  setNoDelay(): this {
    return this;
  }

  /** As a server gets it. Has what servers use of a socket. */
  asSocket(): Socket {
    return this as unknown as Socket;
  }

  /** Gives pieces, each on its own. */
  async give(pieces: readonly Buffer[]): Promise<void> {
    for (const piece of pieces) {
      if (this.destroyed || this.isEnded) return;
      this.push(piece);
      await setImmediate();
    }
  }
}
