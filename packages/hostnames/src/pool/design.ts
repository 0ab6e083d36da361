import { formatTime, parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { Gateway, ListenerRuleConfiguration, ListenerSet, LoadBalancerConfiguration } from "@gatewright/resources";
import type { HTTPRoute, TargetGroupConfiguration } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import type { Claim } from "../claims/claim.ts";
import type { HostnameSettings } from "../settings.ts";
import { allOf, certificatesFor, mayServe, presentCertificates } from "./certificates-on.ts";
import type { CertificateState, ListenerCertificates } from "./certificates-on.ts";
import { isToBeServed, olderFirst } from "./claim-view.ts";
import { hostnameListener, httpListener, httpsListener, isOfHostname } from "./listeners.ts";
import { configurationOf } from "./load-balancer-configuration.ts";
import { NOT_FOUND, ownRoutes } from "./own-routes.ts";
import { MOST_HOSTNAMES } from "./choose-gateway.ts";
import { limitsText } from "./pool-fill.ts";
import { labelsFor } from "./pool-gateways.ts";
import type { GatewayProfile } from "./pool-gateways.ts";
import type { GatewayAws } from "./pool-kinds.ts";
import {
  configurationName,
  EMPTY_ANNOTATION,
  fallbackName,
  GATEWAY_LABEL,
  HTTPS_LISTENER,
  LIMITS_ANNOTATION,
  listenerSetName,
  POOL_LABEL,
  RETIRING_ANNOTATION,
  targetsName,
  VISIBILITY_ANNOTATION,
  WAF_ANNOTATION,
  ZONE_ANNOTATION,
} from "./pool-names.ts";

/** All that the design of a Gateway depends on. */
export interface PoolObservation {
  readonly name: string;
  readonly profile: GatewayProfile;
  /** Those whose status names the Gateway. */
  readonly claims: readonly Claim[];
  readonly gateway: Immutable<Gateway> | undefined;
  readonly configuration: Immutable<LoadBalancerConfiguration> | undefined;
  readonly listenerSets: readonly Immutable<ListenerSet>[];
  readonly certificate: (arn: string) => CertificateState;
  /** Certificates that others have taken the place of, and for how many milliseconds yet they stay beside them. */
  readonly replaced: ReadonlyMap<string, number>;
  /** The hosted zone of the load balancer, where AWS had to be asked for it. */
  readonly zone: string | undefined;
  readonly now: number;
}

/** What a Gateway and all that belongs to it should be. */
export interface GatewayDesign {
  readonly gateway: Applied<Gateway>;
  readonly configuration: Applied<LoadBalancerConfiguration>;
  readonly targets: Applied<TargetGroupConfiguration> | undefined;
  readonly fallback: Applied<ListenerRuleConfiguration> | undefined;
  readonly listenerSets: readonly Applied<ListenerSet>[];
  readonly routes: readonly Applied<HTTPRoute>[];
  readonly certificates: ListenerCertificates;
  /** Hostnames that it serves. */
  readonly hostnames: ReadonlySet<string>;
}

/**
 * Designs a Gateway. Pure. A certificate leaves the configuration only in the design after the one that took its listener away, and a
 * hostname has a listener only together with its certificate, so whoever carries a design out is never ahead of itself. More than a
 * load balancer can have is left out instead of failing everybody.
 */
export function designOf(seen: PoolObservation, settings: HostnameSettings, aws: GatewayAws): GatewayDesign {
  const { name, profile } = seen;
  const metadata = (own: string) => metadataOf(settings, name, own);
  const present = withoutAbsent(presentCertificates(seen.configuration), seen);
  const able = seen.claims.filter((claim) => canServe(seen, claim, allOf(present)));
  const wantsHttps = able.length > 0 || settings.defaultCertificateArn !== undefined;
  const keep = isLosingListeners(seen, able, wantsHttps);
  const certificates = certificatesFor(able, present, { keep, replaced: seen.replaced }, settings);
  const inForce = new Set(allOf(certificates));
  const served = able
    .filter(({ status }) => inForce.has(status?.certificate?.arn ?? ""))
    .toSorted(olderFirst)
    .slice(0, settings.listeners === "gateways" ? MOST_HOSTNAMES : undefined)
    .toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  const listeners = served.map((claim) => hostnameListener(claim, settings.edgeNamespace));
  const secure = wantsHttps && certificates.default !== undefined;
  const inSets = settings.listeners === "listener-sets";
  const targets = aws.defaultTargetGroups && settings.targetType === "ip";
  return {
    certificates,
    hostnames: new Set(served.map(({ spec }) => spec.hostname)),
    targets: targets
      ? { metadata: metadata(targetsName(name)), spec: { defaultConfiguration: { targetType: settings.targetType } } }
      : undefined,
    fallback: secure ? { metadata: metadata(fallbackName(name)), spec: NOT_FOUND } : undefined,
    configuration: {
      metadata: metadata(configurationName(name)),
      spec: configurationOf(profile, certificates, targets ? targetsName(name) : undefined, settings),
    },
    gateway: {
      metadata: {
        ...metadata(name),
        labels: { ...labelsFor(seen.claims), ...metadata(name).labels },
        annotations: annotationsOf(seen, settings),
      },
      spec: {
        gatewayClassName: profile.gatewayClass,
        infrastructure: {
          parametersRef: { group: "gateway.k8s.aws", kind: "LoadBalancerConfiguration", name: configurationName(name) },
        },
        ...(inSets && { allowedListeners: { namespaces: { from: "Same" as const } } }),
        listeners: [httpListener, ...(secure ? [httpsListener] : []), ...(inSets ? [] : listeners)],
      },
    },
    listenerSets: inSets
      ? listeners.map((listener) => ({
          metadata: metadata(listenerSetName(name, listener.name)),
          spec: { parentRef: { name }, listeners: [listener] },
        }))
      : [],
    routes: ownRoutes(name, served, { secure, inSets }).map(({ metadata: own, ...route }) => ({
      ...route,
      metadata: metadata(own.name),
    })),
  };
}

/** What does not exist any more stops everybody and goes at once. */
function withoutAbsent(present: ListenerCertificates, { certificate }: PoolObservation): ListenerCertificates {
  const exists = (arn: string | undefined): boolean => arn !== undefined && certificate(arn) !== "absent";
  return { default: exists(present.default) ? present.default : undefined, others: present.others.filter(exists) };
}

function canServe({ certificate }: PoolObservation, claim: Claim, present: readonly string[]): boolean {
  const arn = claim.status?.certificate?.arn;
  return arn !== undefined && isToBeServed(claim) && mayServe(claim, certificate(arn), present.includes(arn));
}

/** Whether this design takes a listener away that is there: then its certificate stays until the next one. */
function isLosingListeners(
  { gateway, listenerSets }: PoolObservation,
  able: readonly Claim[],
  wantsHttps: boolean,
): boolean {
  const names = new Set(able.map(({ metadata }) => metadata.name));
  const there = [gateway, ...listenerSets].flatMap((each) => each?.spec.listeners ?? []);
  return there.some((listener) =>
    listener.name === HTTPS_LISTENER ? !wantsHttps : isOfHostname(listener) && !names.has(listener.name),
  );
}

function metadataOf({ edgeNamespace: namespace }: HostnameSettings, gateway: string, name: string) {
  return { namespace, name, labels: { [POOL_LABEL]: "true", [GATEWAY_LABEL]: gateway } };
}

/** When a Gateway became empty is written on it, so that a restart does not begin the wait anew. */
function annotationsOf(seen: PoolObservation, settings: HostnameSettings): Record<string, string> {
  const { removeEmptyAfterMs } = settings;
  const { profile, claims, gateway, zone, now } = seen;
  const { visibility, wafArn } = profile;
  const base = {
    [VISIBILITY_ANNOTATION]: visibility,
    [LIMITS_ANNOTATION]: limitsText(settings),
    ...(wafArn !== undefined && { [WAF_ANNOTATION]: wafArn }),
    ...(zone !== undefined && { [ZONE_ANNOTATION]: zone }),
  };
  if (claims.length > 0 || removeEmptyAfterMs === undefined) return base;
  const { [EMPTY_ANNOTATION]: written, [RETIRING_ANNOTATION]: retiring } = gateway?.metadata.annotations ?? {};
  const since = written === undefined ? undefined : parseTime(written);
  const empty = { ...base, [EMPTY_ANNOTATION]: since === undefined ? formatTime(now) : (written ?? "") };
  if (since === undefined || now - since < removeEmptyAfterMs) return empty;
  return { ...empty, [RETIRING_ANNOTATION]: retiring ?? formatTime(now) };
}
