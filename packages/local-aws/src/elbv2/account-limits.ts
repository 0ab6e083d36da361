import type { Operations } from "@gatewright/aws-wire/types/elbv2";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { page } from "./page.ts";
import { DEFAULT_QUOTAS } from "./quotas.ts";
import type { QuotaName } from "./quotas.ts";

const NAMES = Object.keys(DEFAULT_QUOTAS) as QuotaName[];

/** Tells the quotas that hold; AWS's own where they are switched off. */
export function accountLimitOperations({ quotas }: Ground): Handlers<Pick<Operations, "DescribeAccountLimits">> {
  return {
    DescribeAccountLimits(input) {
      const { items, nextMarker } = page(NAMES, (name) => name, input);
      return {
        Limits: items.map((name) => {
          const most = quotas.of(name);
          return { Name: name, Max: String(Number.isFinite(most) ? most : DEFAULT_QUOTAS[name]) };
        }),
        ...(nextMarker !== undefined && { NextMarker: nextMarker }),
      };
    },
  };
}
