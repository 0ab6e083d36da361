import { createBudgets } from "@gatewright/aws";
import type { CallerOptions, CallRates } from "@gatewright/aws";
import type { Clock } from "@gatewright/ports";

type Budgets = NonNullable<CallerOptions["budgets"]>;

/** An account and region, at an endpoint: what has rates of its own. */
export interface Place {
  readonly endpoint: string | undefined;
  readonly account: string;
  readonly region: string;
}

/** Services whose rates count for an account, wherever its calls go. */
const GLOBAL: ReadonlySet<string> = new Set(["iam", "route53"]);

/** The rates of accounts, shared by all providers that lead there. */
export class AccountBudgets {
  readonly #clock: Clock;
  readonly #rates: CallRates | undefined;
  readonly #budgets = new Map<string, Budgets>();

  constructor(clock: Clock, rates?: CallRates) {
    this.#clock = clock;
    this.#rates = rates;
  }

  /** Looked up for every call, so that all who lead to a place share its rates whenever they came. */
  of(place: Place): Budgets {
    const [regional, global] = [regionalKey(place), globalKey(place)];
    return { take: (call, signal) => this.#named(GLOBAL.has(call.service) ? global : regional).take(call, signal) };
  }

  /** Forgets the rates of all other places. */
  keep(places: readonly Place[]): void {
    const kept = new Set(places.flatMap((place) => [regionalKey(place), globalKey(place)]));
    for (const key of this.#budgets.keys()) if (!kept.has(key)) this.#budgets.delete(key);
  }

  #named(key: string): Budgets {
    const budgets = this.#budgets.get(key) ?? createBudgets(this.#clock, this.#rates);
    this.#budgets.set(key, budgets);
    return budgets;
  }
}

function globalKey({ endpoint, account }: Place): string {
  return JSON.stringify([endpoint, account]);
}

function regionalKey({ endpoint, account, region }: Place): string {
  return JSON.stringify([endpoint, account, region]);
}
