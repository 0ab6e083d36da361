import { readFile } from "node:fs/promises";
import type { Clock } from "@gatewright/ports";
import { TransportError } from "../transport-error.ts";

/** How long a file is believed without looking again. */
const FRESH_MS = 60_000;

/**
 * A file that others replace while the process runs: a token, a certificate. Read at most once a minute, and whenever it was
 * `outdated`. While it cannot be read, what it last held stays.
 */
export class ReloadedFile {
  readonly path: string;
  readonly #clock: Clock;
  #content: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, clock: Clock) {
    this.path = path;
    this.#clock = clock;
  }

  /** Rejects with a `credentials` TransportError when there never was anything to read. */
  async read(): Promise<string> {
    const now = this.#clock.monotonic();
    if (this.#content !== undefined && now - this.#readAt < FRESH_MS) return this.#content;
    try {
      const content = await readFile(this.path, "utf8");
      if (content.trim() === "") throw new Error("it is empty");
      this.#content = content;
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      if (this.#content === undefined) {
        throw new TransportError("credentials", `${this.path} cannot be used: ${why}`, { cause: error });
      }
    }
    this.#readAt = now;
    return this.#content;
  }

  /** What was read is of no use: the next `read` looks again. */
  outdated(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }
}
