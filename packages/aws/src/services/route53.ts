import type { ListHostedZonesRequest, Operations } from "@gatewright/aws-wire/types/route53";
import type { Caller } from "../caller.ts";
import { pages } from "../pages.ts";
import { serviceCalls } from "../service-calls.ts";
import type { CallOptions } from "../service-calls.ts";

const REPEATABLE = [
  "GetChange",
  "GetHostedZone",
  "GetHostedZoneLimit",
  "ListHostedZones",
  "ListHostedZonesByName",
  "ListResourceRecordSets",
] as const;
const ONCE = ["ChangeResourceRecordSets"] as const;

/** Route 53: each operation as a function, and its listings whole. */
export function route53Calls(call: Caller) {
  type Name = (typeof REPEATABLE)[number] | (typeof ONCE)[number];
  const calls = serviceCalls<Operations, Name>(call, "route53", { repeatable: REPEATABLE, once: ONCE });
  return {
    ...calls,
    allHostedZones: (input: ListHostedZonesRequest, options?: CallOptions) =>
      pages(
        {
          list: calls.listHostedZones,
          items: (page) => page.HostedZones,
          next: (page) => (page.IsTruncated ? page.NextMarker : undefined),
          follow: (asked, Marker) => ({ ...asked, Marker }),
        },
        input,
        options,
      ),
  };
}

/** {@inheritDoc route53Calls} */
export type Route53Calls = ReturnType<typeof route53Calls>;
