import type { Clock } from "@gatewright/ports";
import { AwsCallError } from "../aws-call-error.ts";
import type { Route53Calls } from "../services/route53.ts";
import { canonicalName } from "./canonical.ts";

/** A hosted zone as it was told. */
export interface Zone {
  readonly id: string;
  /** Canonical. */
  readonly name: string;
  readonly private: boolean;
  /** Those that the domain above must delegate to. None: the zone is private. */
  readonly nameServers: readonly string[];
}

const REMEMBERED_MS = 10 * 60_000;
const ABSENT_REMEMBERED_MS = 30_000;

/** What is known of zones. One question for all who ask at the same time. */
export class ZoneFacts {
  readonly #clock: Clock;
  readonly #calls: Pick<Route53Calls, "getHostedZone">;
  readonly #known = new Map<string, { readonly zone: Zone | "absent"; readonly until: number }>();
  readonly #asking = new Map<string, Promise<Zone | "absent">>();

  constructor(clock: Clock, calls: Pick<Route53Calls, "getHostedZone">) {
    this.#clock = clock;
    this.#calls = calls;
  }

  /** The zone, or that there is none. Rejects when neither is known. */
  async get(zoneId: string, signal: AbortSignal): Promise<Zone | "absent"> {
    for (;;) {
      signal.throwIfAborted();
      const known = this.#known.get(zoneId);
      if (known !== undefined && known.until > this.#clock.monotonic()) return known.zone;
      const other = this.#asking.get(zoneId);
      if (other === undefined) return this.#ask(zoneId, signal);
      try {
        return await other;
      } catch (error) {
        // Ended by the signal of who asked, which says nothing to others.
        if (error instanceof AwsCallError) throw error;
      }
    }
  }

  async #ask(zoneId: string, signal: AbortSignal): Promise<Zone | "absent"> {
    const asking = this.#look(zoneId, signal);
    this.#asking.set(zoneId, asking);
    try {
      const zone = await asking;
      this.#forgetOld();
      const ms = zone === "absent" ? ABSENT_REMEMBERED_MS : REMEMBERED_MS;
      this.#known.set(zoneId, { zone, until: this.#clock.monotonic() + ms });
      return zone;
    } finally {
      this.#asking.delete(zoneId);
    }
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [zoneId, { until }] of this.#known) if (until <= now) this.#known.delete(zoneId);
  }

  async #look(zoneId: string, signal: AbortSignal): Promise<Zone | "absent"> {
    try {
      const { HostedZone, DelegationSet } = await this.#calls.getHostedZone({ Id: zoneId }, { signal });
      return {
        id: zoneId,
        name: canonicalName(HostedZone.Name),
        private: HostedZone.Config?.PrivateZone ?? false,
        nameServers: (DelegationSet?.NameServers ?? []).map(canonicalName),
      };
    } catch (error) {
      if (error instanceof AwsCallError && error.code === "NoSuchHostedZone") return "absent";
      throw error;
    }
  }
}
