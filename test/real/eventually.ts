import { setTimeout as sleep } from "node:timers/promises";

const DEADLINE_MS = 60_000;

/** Looks again until what is seen holds. Gives what was seen, or fails with the last of it after a minute. */
export async function eventually<T>(what: string, look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadline) throw new Error(`${what} did not happen; last seen: ${JSON.stringify(seen)}`);
    await sleep(100);
  }
}
