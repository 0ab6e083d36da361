import { randomFillSync } from "node:crypto";
import type { Random } from "./random.ts";

/** The machine's cryptographic randomness, drawn in blocks because each system call costs more than the bytes. */
export const systemRandom: Random = (() => {
  const pool = new Uint8Array(4096);
  let used = pool.length;
  return {
    bytes(count) {
      if (count > pool.length) return randomFillSync(new Uint8Array(count));
      if (used + count > pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const out = pool.slice(used, used + count);
      pool.fill(0, used, used + count);
      used += count;
      return out;
    },
  };
})();
