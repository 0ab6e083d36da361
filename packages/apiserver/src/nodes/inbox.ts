/**
 * Bytes that came and are not taken yet. However small the pieces are in which they come, each is copied a few times at most. What was
 * taken stays as it is: nothing is ever written over it.
 */
export class Inbox {
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  add(chunk: Buffer): void {
    const waiting = this.#end - this.#start;
    if (waiting === 0) {
      [this.#bytes, this.#start, this.#end] = [chunk, 0, chunk.length];
      return;
    }
    if (this.#end + chunk.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * (waiting + chunk.length));
      this.#bytes.copy(larger, 0, this.#start, this.#end);
      [this.#bytes, this.#start, this.#end] = [larger, 0, waiting];
    }
    this.#end += chunk.copy(this.#bytes, this.#end);
  }

  /** All that is here, in one piece. */
  get bytes(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  take(size: number): void {
    this.#start += size;
  }
}
