/** Something that only one can have: a set of requests, an address by one protocol. */
export interface Claim {
  /** Equal for what is the same. */
  readonly key: string;
  /** Those of the same side share it; without one nobody does. */
  readonly side?: string;
  /** Which gateways it is for; without it all are. Those for others are not in the way. */
  readonly reach?: string;
  /** For people: `GET /orders of shop.example.com`. */
  readonly text: string;
}

/** Whether two who make these claims, both of the same key, are in each other's way. */
export function collide(one: Claim, other: Claim): boolean {
  if (one.side !== undefined && one.side === other.side) return false;
  return one.reach === undefined || other.reach === undefined || one.reach === other.reach;
}
