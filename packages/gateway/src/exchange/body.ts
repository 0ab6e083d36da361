import type { Fields } from "./fields.ts";

/** Takes the bytes of a body. After `end` or `abort` it is told nothing more. */
export interface Sink {
  /** False: it has enough for now, and calls the listener of `onDrain` when it wants more. The chunk was taken all the same. */
  write(chunk: Uint8Array): boolean;
  /** The same for bytes that are at hand as text, a character for each. Of those who would make text of them anyhow. */
  writeText?(text: string): boolean;
  end(trailers?: Fields): void;
  /** Nothing more comes, and what came is not whole. */
  abort(error: Error): void;
  /** Sets who is told, each time that it wants more again. Set once, by whoever writes. */
  onDrain(listener: () => void): void;
}

/**
 * The bytes of a body, for one reader. Nothing flows before `open`: who never opens it calls `cancel`, so that its connection knows.
 * An upgraded connection (101) is two sources without framing.
 */
export interface Source {
  /** How many bytes there are, when that is known. */
  readonly length: number | undefined;
  /** Starts the flow. Once. It stops while the sink has enough. */
  open(sink: Sink): void;
  /** Nobody wants the rest. The sink, if there is one, is told nothing more. */
  cancel(): void;
}
