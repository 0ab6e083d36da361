import { hash as digestOf } from "node:crypto";
import { truncates } from "bcryptjs";
import type { Clock, Random } from "@gatewright/ports";
import type { Around } from "../around.ts";
import { Recent } from "../recent.ts";
import { BcryptThread } from "./bcrypt-thread.ts";

const REMEMBERED = 1000;
const REMEMBER_MS = 5 * 60_000;
const REMEMBER_REFUSED_MS = 30_000;
const MAX_WAITING = 16;

/**
 * Compares secrets with bcrypt hashes, one at a time for the whole process: each takes a processor for a tenth of a second. What was found
 * is remembered for minutes, by a digest that is worth nothing elsewhere, so that an ordinary client costs one comparison and not one a
 * request. Beyond a few that wait, the answer is `busy`.
 */
export class BcryptLine {
  readonly #recent: Recent<boolean>;
  readonly #salt: string;
  readonly #thread = new BcryptThread();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(clock: Clock, random: Random) {
    this.#recent = new Recent(clock, REMEMBERED);
    this.#salt = Buffer.from(random.bytes(32)).toString("base64");
  }

  matches(secret: string, hash: string): boolean | Promise<boolean | "busy"> {
    // Bcrypt looks at 72 bytes; what is longer would match by its beginning.
    if (truncates(secret)) return false;
    const digest = digestOf("sha256", `${this.#salt}${hash}${secret}`, "base64");
    const known = this.#recent.get(digest);
    return known ?? this.#compare(secret, hash, digest);
  }

  dispose(): void {
    this.#thread.dispose();
  }

  async #compare(secret: string, hash: string, digest: string): Promise<boolean | "busy"> {
    if (this.#waiting >= MAX_WAITING) return "busy";
    this.#waiting++;
    const mine = this.#last.then(async () => {
      const known = this.#recent.get(digest);
      if (known !== undefined) return known;
      const found = await this.#thread.matches(secret, hash);
      this.#recent.set(digest, found, found ? REMEMBER_MS : REMEMBER_REFUSED_MS);
      return found;
    });
    // Who comes next waits for this one, whatever becomes of it.
    this.#last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.#waiting--;
    }
  }
}

/** The one line of the process, shared by all routes. */
export function keptBcryptLine({ kept, clock, random }: Pick<Around, "kept" | "clock" | "random">): BcryptLine {
  return kept.of("bcrypt", "line", "", () => {
    const state = new BcryptLine(clock, random);
    return { state, dispose: () => state.dispose() };
  });
}
