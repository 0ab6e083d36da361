import type { Call } from "../../pipeline/call.ts";
import type { Balanced, Balancer } from "./balancer.ts";

/**
 * The same key leads to the same endpoint. Every endpoint draws a number from its address and the key, and the highest wins
 * (rendezvous hashing): when an endpoint goes, only its keys move; when one comes, it takes its share and nothing else moves. That
 * is what a ring or a table gives, exact in its shares and with nothing to build or keep.
 */
export function consistentHash(keyOf: (call: Call) => string, otherwise: Balancer): Balancer {
  return {
    choose<T extends Balanced>(among: readonly T[], call: Call): T {
      const key = keyOf(call);
      return key === "" ? otherwise.choose(among, call) : highest(among, hash32(key));
    },
  };
}

function highest<T extends Balanced>(among: readonly T[], key: number): T {
  let best = among[0]!;
  let most = Number.NEGATIVE_INFINITY;
  const even = among.every(({ weight }) => weight === 0);
  for (const member of among) {
    const weight = even ? 1 : member.weight;
    if (weight === 0) continue;
    const drawn = (mix(hash32(member.address) ^ key) + 0.5) / 0x1_0000_0000;
    const score = -weight / Math.log(drawn);
    if (score > most) {
      most = score;
      best = member;
    }
  }
  return best;
}

/** 32 bits of a text, well spread. Not for secrets. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
