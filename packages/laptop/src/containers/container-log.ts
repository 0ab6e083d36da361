import type { Clock } from "@gatewright/ports";

/** Which part of a log is wanted. */
export interface LogSelection {
  readonly follow: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: number;
  readonly limitBytes?: number;
}

interface Line {
  readonly at: number;
  readonly text: string;
}

/** How much of a log is kept. */
const KEPT_BYTES = 256 * 1024;
/** A line that is longer is cut: one line must not take the place of all others. */
const LONGEST_LINE = 16 * 1024;

/** What one container wrote, in memory: the newest lines, 256 KiB of them. */
export class ContainerLog {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #lines: Line[] = [];
  /** How many lines were dropped before the first that is kept. */
  #dropped = 0;
  #bytes = 0;
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a line, without its line feed. */
  write(text: string): void {
    const line = { at: this.#clock.now(), text: text.length > LONGEST_LINE ? text.slice(0, LONGEST_LINE) : text };
    this.#lines.push(line);
    this.#bytes += line.text.length;
    if (this.#bytes > KEPT_BYTES) this.#drop();
    this.#wake();
  }

  /** Nothing more will be written: those who follow come to the end. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The lines as bytes. Ends with the log, or when the signal aborts. A reader that is slower than the writer misses lines. */
  async *read(selection: LogSelection, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const { follow, tailLines = Number.POSITIVE_INFINITY, timestamps } = selection;
    const since = this.#since(selection);
    let left = selection.limitBytes ?? Number.POSITIVE_INFINITY;
    let next = this.#dropped + Math.max(0, this.#lines.length - tailLines);
    while (!signal.aborted && left > 0) {
      const from = Math.max(0, next - this.#dropped);
      const fresh = this.#lines.slice(from).filter(({ at }) => at >= since);
      next = this.#dropped + this.#lines.length;
      if (fresh.length > 0) {
        const text = fresh
          .map((line) => (timestamps ? `${nanoTime(line.at)} ${line.text}\n` : `${line.text}\n`))
          .join("");
        const bytes = Buffer.from(text, "utf8");
        yield bytes.length > left ? bytes.subarray(0, left) : bytes;
        left -= bytes.length;
      } else if (!follow || this.#ended) {
        return;
      } else {
        await this.#news(signal);
      }
    }
  }

  #since({ sinceSeconds, sinceTime }: LogSelection): number {
    if (sinceTime !== undefined) return sinceTime;
    return sinceSeconds === undefined ? Number.NEGATIVE_INFINITY : this.#clock.now() - sinceSeconds * 1000;
  }

  /** Drops the older half at once, so that it does not cost with every line. */
  #drop(): void {
    let count = 0;
    for (; this.#bytes > KEPT_BYTES / 2 && count < this.#lines.length - 1; count++) {
      this.#bytes -= this.#lines[count]?.text.length ?? 0;
    }
    this.#lines = this.#lines.slice(count);
    this.#dropped += count;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

function nanoTime(ms: number): string {
  return `${new Date(Math.floor(ms)).toISOString().slice(0, 23)}000000Z`;
}
