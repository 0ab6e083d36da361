import { AwsError } from "../aws-error.ts";

/** What an account may have in a region, by the names of DescribeAccountLimits. */
export const DEFAULT_QUOTAS = {
  "application-load-balancers": 50,
  "network-load-balancers": 50,
  "target-groups": 3000,
  "target-groups-per-application-load-balancer": 100,
  "target-groups-per-action-on-application-load-balancer": 5,
  "target-groups-per-action-on-network-load-balancer": 1,
  "targets-per-target-group": 1000,
  "targets-per-application-load-balancer": 1000,
  "targets-per-network-load-balancer": 3000,
  "target-id-registrations-per-application-load-balancer": 1000,
  "listeners-per-application-load-balancer": 50,
  "listeners-per-network-load-balancer": 50,
  "rules-per-application-load-balancer": 100,
  "condition-values-per-alb-rule": 5,
  "condition-wildcards-per-alb-rule": 6,
  "certificates-per-application-load-balancer": 25,
  "certificates-per-network-load-balancer": 25,
} as const satisfies Record<string, number>;

export type QuotaName = keyof typeof DEFAULT_QUOTAS;

/** Quotas of this AWS: those not named have AWS's defaults. `"off"`: nothing is ever too many. */
export type QuotaSettings = Partial<Readonly<Record<QuotaName, number>>> | "off";

export interface Quotas {
  of(name: QuotaName): number;
  /** Throws the refusal when `count` is more than the quota. */
  hold(name: QuotaName, count: number, code: string, message: string): void;
}

export function quotas(settings: QuotaSettings = {}): Quotas {
  const of = (name: QuotaName): number =>
    settings === "off" ? Number.POSITIVE_INFINITY : (settings[name] ?? DEFAULT_QUOTAS[name]);
  return {
    of,
    hold(name, count, code, message) {
      if (count > of(name)) throw new AwsError(code, message);
    },
  };
}
