/** Codes that say that our clock is wrong. */
const SKEWED: ReadonlySet<string> = new Set(["RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture"]);
/** Codes that may say so, or that the keys are wrong: by how far the clocks are apart it is known which. */
const PERHAPS: ReadonlySet<string> = new Set(["AuthFailure", "InvalidSignatureException", "SignatureDoesNotMatch"]);
/** AWS takes signatures that are five minutes old, S3 fifteen; answers need time to get here. */
const TOLERATED_MS = 240_000;
/** The header has no milliseconds, and the way takes some. */
const SAME_MS = 2_000;

/** AWS's clock as its answers show it, for signing on machines whose own is wrong. Until an answer says otherwise it is ours. */
export class ServerClock {
  #offsetMs = 0;

  /** What AWS's clock shows when ours shows this. */
  at(now: number): number {
    return now + this.#offsetMs;
  }

  /** Hears of a refusal. Gives true when the clock was the reason and is right now: the same call is worth another try. */
  refused(code: string, date: string | undefined, now: number): boolean {
    const least = SKEWED.has(code) ? SAME_MS : PERHAPS.has(code) ? TOLERATED_MS : Infinity;
    const theirs = Date.parse(date ?? "");
    if (!(Math.abs(theirs - this.at(now)) > least)) return false;
    this.#offsetMs = theirs - now;
    return true;
  }
}
