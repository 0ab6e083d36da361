import type { Claim } from "../claims/claim.ts";
import { allOf } from "./certificates-on.ts";
import type { ListenerCertificates } from "./certificates-on.ts";

/** For a load balancer to have the next certificate, with a controller that has much to do. */
const OVERLAP_MS = 120_000;

/**
 * Certificates that load balancers have and that no claim names any more, since another has taken their place. Load balancer controllers
 * take certificates off before they put others on: in between a hostname would have none. So the old one stays beside the new one for a
 * while. Only in memory: after a restart it stays a little longer.
 */
export class ReplacedCertificates {
  readonly #since = new Map<string, ReadonlyMap<string, number>>();

  /** Those that stay on a Gateway, and for how many milliseconds yet. Those that it sees for the first time are noted. */
  staying(
    gateway: string,
    present: ListenerCertificates,
    claims: readonly Claim[],
    now: number,
  ): ReadonlyMap<string, number> {
    const named = new Set(claims.map(({ status }) => status?.certificate?.arn));
    const replaced = allOf(present).filter((arn) => !named.has(arn));
    const before = this.#since.get(gateway);
    const since = replaced.map((arn) => [arn, before?.get(arn) ?? now] as const);
    if (since.length === 0) this.#since.delete(gateway);
    else this.#since.set(gateway, new Map(since));
    return new Map(since.map(([arn, at]) => [arn, at + OVERLAP_MS - now] as const).filter(([, ms]) => ms > 0));
  }

  forget(gateway: string): void {
    this.#since.delete(gateway);
  }
}
