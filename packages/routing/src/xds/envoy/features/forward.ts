import { specMs } from "@gatewright/gateway/rows";
import { FractionalPercent_DenominatorType } from "@gatewright/gateway-wire/xds";
import type { BackendTraits, Destination } from "../destinations.ts";
import { FILTERS } from "../filter-names.ts";
import { durationOf } from "../packed.ts";
import { setHeader } from "../route-draft.ts";
import type { RouteActionInit, RouteDraft } from "../route-draft.ts";
import { retryPolicy } from "./retries.ts";
import type { RetriesSpec } from "@gatewright/gateway/rows";
import { hashPolicies, stickySession } from "./session-affinity.ts";

/** What forwarding reads of a route. */
export interface ForwardSpec {
  readonly route?: readonly {
    readonly destination: { readonly host: string; readonly port: number };
    readonly weight?: number;
  }[];
  readonly timeout?: string;
  readonly retries?: RetriesSpec;
  readonly mirror?: {
    readonly destination: { readonly host: string; readonly port: number };
    readonly percentage?: number;
  };
  readonly rewrite?: { readonly uri?: string; readonly authority?: string };
}

export interface ForwardAround {
  readonly isGrpc: boolean;
  /** 0: none. */
  readonly requestTimeoutMs: number;
  readonly traitsOf: (destination: Pick<Destination, "host" | "port">) => BackendTraits;
}

/** Sends requests on. Undefined: the route leads nowhere. */
export function forwardAction(
  spec: ForwardSpec,
  draft: RouteDraft,
  { isGrpc, requestTimeoutMs, traitsOf }: ForwardAround,
): RouteActionInit | undefined {
  const destinations = (spec.route ?? []).map(({ destination, weight }) => ({
    traits: traitsOf(destination),
    weight: weight ?? 100,
  }));
  const [first] = destinations;
  if (first === undefined) return undefined;
  for (const { traits } of destinations)
    if (traits.closed !== undefined) draft.close("route", `${traits.cluster} cannot be had: ${traits.closed}`);
  if (destinations.length === 1) {
    for (const [name, value] of first.traits.requestHeaders) draft.setRequestHeader(name, value);
    if (first.traits.sticky !== undefined) draft.filters.set(FILTERS.sticky, stickySession(first.traits.sticky));
  }
  const total = destinations.reduce((sum, { weight }) => sum + weight, 0);
  const given = spec.timeout === undefined ? 0 : specMs(spec.timeout, 0);
  return {
    ...timeouts(given, isGrpc, requestTimeoutMs),
    clusterSpecifier:
      destinations.length === 1
        ? { case: "cluster", value: first.traits.cluster }
        : {
            case: "weightedClusters",
            value: {
              clusters: destinations.map(({ traits, weight }) => ({
                name: traits.cluster,
                weight: total === 0 ? 1 : weight,
                requestHeadersToAdd: traits.requestHeaders.map(([name, value]) => setHeader(name, value)),
                ...(traits.sticky !== undefined && {
                  typedPerFilterConfig: { [FILTERS.sticky]: stickySession(traits.sticky) },
                }),
              })),
            },
          },
    hashPolicy: hashPolicies(destinations.map(({ traits }) => traits)),
    retryPolicy: retryPolicy(spec.retries, draft),
    ...(spec.mirror !== undefined && {
      requestMirrorPolicies: [
        {
          cluster: traitsOf(spec.mirror.destination).cluster,
          runtimeFraction: {
            defaultValue: {
              numerator: spec.mirror.percentage ?? 100,
              denominator: FractionalPercent_DenominatorType.HUNDRED,
            },
          },
        },
      ],
    }),
  };
}

/** Of calls the whole stream is limited, which tells callers that their deadline is over; streams without limit go on. */
function timeouts(givenMs: number, isGrpc: boolean, otherwiseMs: number): RouteActionInit {
  if (!isGrpc) return { timeout: durationOf(givenMs > 0 ? givenMs : otherwiseMs) };
  return {
    timeout: durationOf(0),
    ...(givenMs > 0 && { maxStreamDuration: { maxStreamDuration: durationOf(givenMs) } }),
  };
}
