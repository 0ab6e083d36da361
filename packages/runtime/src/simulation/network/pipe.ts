interface Reader {
  resolve(result: IteratorResult<Uint8Array>): void;
  reject(error: unknown): void;
}

/** A body that arrives piece by piece. Read it once; leaving it early calls `onLeave`. */
export class Pipe implements AsyncIterableIterator<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  readonly #onLeave: () => void;
  #waiting: Reader | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(onLeave: () => void = () => {}) {
    this.#onLeave = onLeave;
  }

  push(piece: Uint8Array): void {
    if (this.#end !== undefined) return;
    const reader = this.#take();
    if (reader === undefined) this.#pieces.push(piece);
    else reader.resolve({ value: piece, done: false });
  }

  /** Nothing more comes. With an error, the reader gets it after what came before. */
  end(error?: unknown): void {
    if (this.#end !== undefined) return;
    const reader = this.#take();
    if (reader === undefined) this.#end = error === undefined ? {} : { error };
    else {
      this.#end = {};
      if (error === undefined) reader.resolve({ value: undefined, done: true });
      else reader.reject(error);
    }
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) return Promise.resolve({ value: piece, done: false });
    const end = this.#end;
    if (end !== undefined) {
      this.#end = {};
      return "error" in end ? Promise.reject(end.error) : Promise.resolve({ value: undefined, done: true });
    }
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#pieces.length = 0;
    this.end();
    this.#onLeave();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): Reader | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}
