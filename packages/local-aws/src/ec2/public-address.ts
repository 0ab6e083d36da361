import type { Random } from "@gatewright/ports";

/** An address of the blocks that are kept for documents: nobody is reached by it. */
export function publicAddress(random: Random): string {
  const [block = 0, host = 0] = random.bytes(2);
  return `${["192.0.2", "198.51.100", "203.0.113"][block % 3]}.${1 + (host % 254)}`;
}
