import { specMs } from "@gatewright/gateway/rows";
import type { APIRouteSpec } from "@gatewright/resources";
import { FractionalPercent_DenominatorType, HTTPFaultSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { durationOf, packed } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

type FaultSpec = NonNullable<APIRouteSpec["fault"]>;

const LEAST_STATUS = 200;

/** Makes requests wait, then fail, as often as the route says. */
export function fault({ delay, abort: given }: FaultSpec, draft: RouteDraft): void {
  const abort = given !== undefined && given.httpStatus >= LEAST_STATUS ? given : undefined;
  if (given !== undefined && abort === undefined) draft.lacks("fault.abort.httpStatus", "cannot end a request");
  const delayMs = specMs(delay?.fixedDelay, 0);
  const share = (numerator: number) => ({ numerator, denominator: FractionalPercent_DenominatorType.HUNDRED });
  if (delayMs > 0) draft.lacks("fault.delay", "the wait does not count towards the timeout of the route");
  draft.filters.set(
    FILTERS.fault,
    packed(HTTPFaultSchema, {
      ...(delayMs > 0 && {
        delay: {
          faultDelaySecifier: { case: "fixedDelay", value: durationOf(delayMs) },
          percentage: share(delay?.percentage ?? 100),
        },
      }),
      ...(abort !== undefined && {
        abort: {
          errorType: { case: "httpStatus", value: abort.httpStatus },
          percentage: share(abort.percentage ?? 100),
        },
      }),
    }),
  );
}
