import type { Random } from "./random.ts";

/**
 * Bytes that look random and are the same in every run, for tests. Equal seeds give equal bytes. Never for anything that must
 * not be guessed.
 */
export function seededRandom(seed = 1): Random {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 16) & 0xff;
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, next) };
}
