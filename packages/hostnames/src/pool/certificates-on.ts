import type { Immutable } from "@gatewright/kube";
import type { LoadBalancerConfiguration } from "@gatewright/resources";
import type { Claim } from "../claims/claim.ts";
import type { HostnameSettings } from "../settings.ts";
import { olderFirst } from "./claim-view.ts";

/** What is known of a certificate: its status in ACM, that it is not there, or nothing yet. */
export type CertificateState = { readonly status: string } | "absent" | "unknown";

/** Certificates of the HTTPS listener of a load balancer. */
export interface ListenerCertificates {
  readonly default: string | undefined;
  /** Sorted, without the default one. */
  readonly others: readonly string[];
}

const HTTPS = "HTTPS:443";

/** What a LoadBalancerConfiguration says now. */
export function presentCertificates(
  configuration: Immutable<LoadBalancerConfiguration> | undefined,
): ListenerCertificates {
  const entry = configuration?.spec?.listenerConfigurations?.find(({ protocolPort }) => protocolPort === HTTPS);
  return { default: entry?.defaultCertificate, others: entry?.certificates ?? [] };
}

/** All that a LoadBalancerConfiguration names, for whichever listener. */
export function namedBy(configuration: Immutable<LoadBalancerConfiguration> | undefined): readonly string[] {
  return (configuration?.spec?.listenerConfigurations ?? []).flatMap(({ defaultCertificate, certificates = [] }) =>
    defaultCertificate === undefined ? certificates : [defaultCertificate, ...certificates],
  );
}

/** All of them, each once. */
export function allOf({ default: first, others }: ListenerCertificates): readonly string[] {
  return first === undefined ? others : [...new Set([first, ...others])];
}

/**
 * Whether a claim's certificate may be on a load balancer: one ARN that does not exist stops the load balancer for everybody on it.
 * So one comes only when it is known to be issued, and one that is there stays until it is known to be gone.
 */
export function mayServe(claim: Claim, state: CertificateState, isPresent: boolean): boolean {
  if (state === "absent") return false;
  if (isPresent || (state !== "unknown" && state.status === "ISSUED")) return true;
  const issued = claim.status?.conditions?.find(({ type }) => type === "CertificateIssued");
  return state === "unknown" && claim.status?.certificate?.adopted === true && issued?.status === "True";
}

/**
 * The certificates that a listener is to have for these claims, those that serve now first, no more than the load balancer can have.
 * The default one stays what it is for as long as it is wanted. `keep`: those that are there stay for now;
 * `replaced`: these do, where there is room beside those of claims.
 */
export function certificatesFor(
  claims: readonly Claim[],
  present: ListenerCertificates,
  { keep, replaced }: { readonly keep: boolean; readonly replaced: ReadonlyMap<string, unknown> },
  { limits, defaultCertificateArn }: Pick<HostnameSettings, "limits" | "defaultCertificateArn">,
): ListenerCertificates {
  const oldestFirst = claims.toSorted(olderFirst).flatMap(({ status }) => status?.certificate?.arn ?? []);
  const asked = new Set(oldestFirst);
  const staying = allOf(present).filter((arn) => keep || asked.has(arn));
  const needed = new Set([...staying, ...oldestFirst]);
  const room = claims.length === 0 ? 0 : Math.max(0, limits.certificates - needed.size);
  const wanted = new Set([
    ...needed,
    ...allOf(present)
      .filter((arn) => replaced.has(arn))
      .slice(0, room),
  ]);
  const stays = present.default !== undefined && wanted.has(present.default) ? present.default : undefined;
  const first = defaultCertificateArn ?? stays ?? oldestFirst[0] ?? staying[0];
  const others = [...wanted].filter((arn) => arn !== first).slice(0, limits.certificates);
  return { default: first, others: others.toSorted() };
}
