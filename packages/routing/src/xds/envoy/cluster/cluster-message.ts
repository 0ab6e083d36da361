import { create } from "@bufbuild/protobuf";
import type { MessageShape } from "@bufbuild/protobuf";
import {
  ApiVersion,
  ClusterSchema,
  Cluster_DiscoveryType,
  Cluster_DnsLookupFamily,
  Cluster_LbPolicy,
  HttpProtocolOptionsSchema,
} from "@gatewright/gateway-wire/xds";
import { durationOf, packed } from "../packed.ts";
import { areAddresses, loadAssignment } from "./endpoints.ts";
import type { BackendHost } from "./endpoints.ts";
import type { Init } from "../packed.ts";

type ClusterInit = Init<typeof ClusterSchema>;

/** What every cluster needs to know. */
export interface ClusterBasics {
  readonly name: string;
  readonly hosts: readonly BackendHost[];
  /** HTTP/2 from the first byte on. */
  readonly http2: boolean;
  readonly idleTimeoutMs?: number;
  /** Where health is asked for, if not at the port of the host. */
  readonly healthPort: number | undefined;
}

const CONNECT_MS = 10_000;
const IDLE_MS = 90_000;
const BUFFER_BYTES = 1024 * 1024;
const UNLIMITED = 1_000_000_000;
const RETRY_BUDGET_PERCENT = 20;
const OPTIONS_KEY = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

/** Resources come by the same stream as everything else. */
export const FROM_ADS = {
  configSourceSpecifier: { case: "ads", value: {} },
  resourceApiVersion: ApiVersion.V3,
} as const;

/** A cluster with what its backend says in `more`. Hosts that are all addresses come as endpoints, which change without it. */
export function clusterMessage(basics: ClusterBasics, more: ClusterInit = {}): MessageShape<typeof ClusterSchema> {
  const { name, hosts, http2, idleTimeoutMs = IDLE_MS, healthPort } = basics;
  const http = http2
    ? { case: "http2ProtocolOptions" as const, value: {} }
    : { case: "httpProtocolOptions" as const, value: {} };
  const discovery: ClusterInit = areAddresses(hosts)
    ? {
        clusterDiscoveryType: { case: "type", value: Cluster_DiscoveryType.EDS },
        edsClusterConfig: { edsConfig: FROM_ADS },
      }
    : {
        clusterDiscoveryType: { case: "type", value: Cluster_DiscoveryType.STRICT_DNS },
        dnsLookupFamily: Cluster_DnsLookupFamily.ALL,
        respectDnsTtl: true,
        loadAssignment: loadAssignment(name, hosts, healthPort),
      };
  return create(ClusterSchema, {
    name,
    connectTimeout: durationOf(CONNECT_MS),
    perConnectionBufferLimitBytes: BUFFER_BYTES,
    lbPolicy: Cluster_LbPolicy.ROUND_ROBIN,
    // A host that is no longer listed is gone, well or not.
    ignoreHealthOnHostRemoval: true,
    commonLbConfig: { healthyPanicThreshold: { value: 0 } },
    circuitBreakers: {
      thresholds: [
        {
          maxConnections: UNLIMITED,
          maxRequests: UNLIMITED,
          maxPendingRequests: 1024,
          retryBudget: { budgetPercent: { value: RETRY_BUDGET_PERCENT }, minRetryConcurrency: 3 },
        },
      ],
    },
    typedExtensionProtocolOptions: {
      [OPTIONS_KEY]: packed(HttpProtocolOptionsSchema, {
        commonHttpProtocolOptions: { idleTimeout: durationOf(idleTimeoutMs) },
        upstreamProtocolOptions: { case: "explicitHttpConfig", value: { protocolConfig: http } },
      }),
    },
    ...discovery,
    ...more,
  });
}
