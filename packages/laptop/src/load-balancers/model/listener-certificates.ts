import type { LoadBalancerSettings } from "../cluster/configuration.ts";
import { certifies } from "../cluster/hostnames.ts";
import { ModelError } from "./model.ts";

/** A certificate that a listener may be given, and the names that it is good for. */
export interface KnownCertificate {
  readonly arn: string;
  readonly names: readonly string[];
}

/** Where the certificates of a port come from: those that are named, or those that fit its hostnames. */
export type CertificateSource =
  | { readonly kind: "named"; readonly arns: readonly string[] }
  | { readonly kind: "discovered"; readonly hostnames: readonly string[] };

/** One certificate that is named, default or not, ends the search for others. */
export function certificateSource(
  settings: NonNullable<LoadBalancerSettings["listenerConfigurations"]>[number] | undefined,
  hostnames: readonly string[],
): CertificateSource {
  const { defaultCertificate, certificates = [] } = settings ?? {};
  const arns = [...new Set([...(defaultCertificate === undefined ? [] : [defaultCertificate]), ...certificates])];
  return arns.length > 0 ? { kind: "named", arns } : { kind: "discovered", hostnames };
}

/**
 * The certificates of a port, the default one first. All that fit a hostname are taken; one hostname without any fails the whole
 * Gateway, as does a port without hostnames.
 */
export function chosenCertificates(
  source: CertificateSource,
  known: readonly KnownCertificate[],
  where: string,
): readonly string[] {
  if (source.kind === "named") return source.arns;
  if (source.hostnames.length === 0) {
    throw new ModelError(`No hostnames found for TLS cert discovery for listener on gateway ${where}`);
  }
  const chosen = new Set<string>();
  for (const hostname of source.hostnames) {
    const fitting = known.filter(({ names }) => names.some((name) => certifies(name, hostname)));
    if (fitting.length === 0) throw new ModelError(`no certificate found for host: ${hostname}`);
    for (const { arn } of fitting) chosen.add(arn);
  }
  return [...chosen].toSorted();
}
