import type { Aws } from "@gatewright/aws";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/runtime";
import type { GatewayLimits } from "../settings.ts";

export interface AccountLimitsOptions {
  readonly aws: { readonly elbv2: Pick<Aws["elbv2"], "allAccountLimits"> };
  readonly clock: Clock;
  readonly log?: Log;
  /** What holds until the account has been asked. */
  readonly defaults: GatewayLimits;
  /** What the platform says; the account is not believed about it. */
  readonly override?: Partial<GatewayLimits> | undefined;
}

/** Quotas change when somebody has them raised. */
const EVERY_MS = 3_600_000;
const AGAIN_MS = 60_000;

const NAMES = new Map<string, keyof GatewayLimits>([
  ["certificates-per-application-load-balancer", "certificates"],
  ["rules-per-application-load-balancer", "rules"],
  ["target-groups-per-application-load-balancer", "targetGroups"],
]);

/** The limits of load balancers that this account has now. Live: whoever reads a field gets what was learned last. */
export class AccountLimits implements GatewayLimits {
  readonly #options: AccountLimitsOptions;
  #told: Partial<GatewayLimits> = {};

  constructor(options: AccountLimitsOptions) {
    this.#options = options;
  }

  get certificates(): number {
    return this.#of("certificates");
  }

  get rules(): number {
    return this.#of("rules");
  }

  get targetGroups(): number {
    return this.#of("targetGroups");
  }

  get headroom(): number {
    return this.#of("headroom");
  }

  /** Asks the account now and every hour. What was learned stays when it cannot be asked. Resolves when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    while (!signal.aborted) {
      let pause = EVERY_MS;
      try {
        this.#told = await this.#ask(signal);
      } catch (error) {
        if (signal.aborted) return;
        log?.warn("The limits of the account's load balancers could not be asked for", { error });
        pause = AGAIN_MS;
      }
      // Rejects only as aborted.
      await sleep(clock, pause, signal).catch(() => {});
    }
  }

  async #ask(signal: AbortSignal): Promise<Partial<GatewayLimits>> {
    const told = new Map<keyof GatewayLimits, number>();
    for await (const { Name = "", Max = "" } of this.#options.aws.elbv2.allAccountLimits({}, { signal })) {
      const field = NAMES.get(Name);
      const most = Number(Max);
      if (field !== undefined && Max !== "" && Number.isInteger(most)) told.set(field, most);
    }
    return Object.fromEntries(told);
  }

  #of(field: keyof GatewayLimits): number {
    const { override = {}, defaults } = this.#options;
    return override[field] ?? this.#told[field] ?? defaults[field];
  }
}
