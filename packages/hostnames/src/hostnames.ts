import { createCertificates, createZones } from "@gatewright/aws";
import type { Aws, CertificateSettings, ZoneSettings } from "@gatewright/aws";
import type { core } from "@gatewright/kube/api";
import type { Clock, Random } from "@gatewright/ports";
import type { DomainClaim, Gateway, GatewayHostnameRequest } from "@gatewright/resources";
import type { ControllerDefinition, Log, MetricsRegistry, Runnable } from "@gatewright/runtime";
import { domainClaims } from "./claims/controller.ts";
import type { PublicDns } from "./claims/public-dns.ts";
import { hostnameGrants } from "./grants/controller.ts";
import { AccountLimits } from "./pool/account-limits.ts";
import { gatewayPool } from "./pool/gateway-pool.ts";
import type { GatewayAws } from "./pool/pool-kinds.ts";
import { PoolRuns } from "./pool/pool-runs.ts";
import { zoneLookup } from "./pool/zone-lookup.ts";
import { hostnameRequests } from "./requests/controller.ts";
import { CLUSTER_TAG, DEFAULT_SETTINGS } from "./settings.ts";
import type { GatewayLimits, HostnameSettings } from "./settings.ts";

export interface HostnamesOptions {
  /** The account and region of zones, certificates and load balancers. Its gate is the manager's. */
  readonly aws: Aws;
  /** Other regions of the account in which certificates may rely on the same validation records. */
  readonly otherRegions?: readonly Aws[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** Where the state of hostnames and of the pool is counted. Calls to AWS are by `awsCallMetrics`, given to `createAws`. */
  readonly metrics?: MetricsRegistry;
  /** Default: {@link DEFAULT_SETTINGS}, field by field; limits that are not given are those that the account tells. */
  readonly settings?: Partial<Omit<HostnameSettings, "limits">> & { readonly limits?: Partial<GatewayLimits> };
  /** How AWS is asked. Default: well within the rates of an account. */
  readonly pace?: { readonly zones?: Partial<ZoneSettings>; readonly certificates?: Partial<CertificateSettings> };
  /** What the AWS Load Balancer Controller of the cluster speaks. Default: its newest version. */
  readonly gatewayAws?: GatewayAws;
  /** Public DNS, to say why a certificate is not issued. */
  readonly dns?: PublicDns;
}

/** What makes hostnames live. All of it belongs into one manager: the controllers share what is known of AWS. */
export interface Hostnames {
  readonly requests: ControllerDefinition<GatewayHostnameRequest>;
  readonly claims: ControllerDefinition<DomainClaim>;
  readonly pool: ControllerDefinition<Gateway>;
  readonly grants: ControllerDefinition<core.Namespace>;
  /** What talks to AWS in the background, while this process leads. */
  readonly runnables: readonly Runnable[];
}

/** Puts the parts together. No call is made before a manager runs them. */
export function hostnames(options: HostnamesOptions): Hostnames {
  const { aws, clock, random, log, metrics, pace = {}, gatewayAws, dns } = options;
  const told = log === undefined ? {} : { log };
  const limits = new AccountLimits({
    aws,
    clock,
    ...told,
    defaults: DEFAULT_SETTINGS.limits,
    override: options.settings?.limits,
  });
  const settings: HostnameSettings = { ...DEFAULT_SETTINGS, ...options.settings, limits };
  const zones = createZones({ aws, clock, random, ...told, ...(pace.zones && { settings: pace.zones }) });
  const certificates = createCertificates({
    aws,
    clock,
    random,
    clusterTag: { key: CLUSTER_TAG, value: settings.cluster },
    ...(options.otherRegions !== undefined && { otherRegions: options.otherRegions }),
    ...told,
    ...(pace.certificates && { settings: pace.certificates }),
  });
  const speaks = gatewayAws === undefined ? {} : { gatewayAws };
  const counted = metrics === undefined ? {} : { metrics };
  const runs = new PoolRuns();
  return {
    requests: hostnameRequests({ zones, ...counted }, settings),
    claims: domainClaims(
      { zones, certificates, clock, runs, ...speaks, ...counted, ...(dns !== undefined && { dns }) },
      settings,
    ),
    pool: gatewayPool({ certificates, zoneOf: zoneLookup(aws), runs, ...speaks, ...counted }, settings),
    grants: hostnameGrants(settings),
    runnables: [
      { name: "zones", when: "leading", run: (signal) => zones.run(signal) },
      { name: "account-limits", when: "leading", run: (signal) => limits.run(signal) },
      { name: "certificates", when: "leading", run: (signal) => certificates.run(signal) },
    ],
  };
}
