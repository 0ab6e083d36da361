import type { Random } from "@gatewright/ports";

/** Choices that look random and are the same in every run of the same seed. */
export interface Dice {
  /** At least 0, less than 1. */
  next(): number;
  chance(probability: number): boolean;
  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both possible. */
  integer(low: number, high: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Dice of their own for a part of the world: what it draws does not move the draws of the others. */
  fork(label: string): Dice;
  /** The same dice where a `Random` is asked for. */
  readonly random: Random;
}

/** Dice of a seed. */
export function dice(seed: number, label = ""): Dice {
  let [a, b, c, d] = seeds(seed, label);
  const bits = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i++) bits();
  const next = (): number => bits() / 0x1_0000_0000;
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    fork: (part) => dice(seed, `${label}/${part}`),
    random: {
      bytes(count) {
        const drawn = new Uint8Array(count);
        for (let at = 0; at < count; at++) drawn[at] = bits() >>> 24;
        return drawn;
      },
    },
  };
}

/** Four words from a seed and a label, well mixed also for seeds that follow each other. */
function seeds(seed: number, label: string): [number, number, number, number] {
  let hash = 0x811c9dc5 ^ Math.imul(seed | 0, 0x9e3779b1);
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label.charCodeAt(i), 0x01000193);
  const word = (): number => {
    hash = (hash + 0x9e3779b9) | 0;
    let z = hash;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return z ^ (z >>> 16);
  };
  return [word(), word(), word(), word()];
}
