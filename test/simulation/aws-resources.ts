import type { createMemoryState } from "@gatewright/local-aws";
import type { SystemResource } from "@gatewright/runtime/simulation";

type State = ReturnType<typeof createMemoryState>;
type Tags = readonly (readonly [key: string, value: string])[];

/** Of what the services keep, the part that somebody asked for. */
interface CertificateRecord {
  readonly names: readonly string[];
  readonly keyAlgorithm: string;
  readonly phase: { readonly is: string };
  readonly tags: Tags;
}
interface LoadBalancerRecord {
  readonly name: string;
  readonly scheme: string;
  readonly ipAddressType: string;
  readonly dnsName: string;
}
interface ListenerRecord {
  readonly loadBalancer: string;
  readonly port: number;
  readonly certificate?: string;
  readonly extraCertificates: readonly string[];
}
type RecordSet = {
  readonly Name: string;
  readonly Type: string;
  readonly SetIdentifier?: string;
  readonly AliasTarget?: { readonly DNSName: string };
};
type SetVersions = readonly { readonly set: RecordSet | null }[];

/** An account as oracles see it: certificates, load balancers, listeners and DNS records, by what they are for. */
export function awsResources(state: State): ReadonlyMap<string, SystemResource> {
  const all = new Map<string, SystemResource>();
  for (const [arn, { names, keyAlgorithm, phase, tags }] of state
    .records<CertificateRecord>("acm/certificates")
    .list()) {
    const content = { keyAlgorithm, phase: phase.is, tags: sorted(tags) };
    all.set(arn, { name: `certificate ${[...names].sort().join(" ")}`, content });
  }
  const tagsOf = state.records<Tags>("elbv2/tags");
  const balancers = state.records<LoadBalancerRecord>("elbv2/load-balancers");
  for (const [arn, { name, scheme, ipAddressType, dnsName }] of balancers.list()) {
    const content = { scheme, ipAddressType, tags: sorted(tagsOf.get(arn) ?? []) };
    all.set(arn, { name: `load balancer ${name}`, aliases: [dnsName, dnsName.toLowerCase()], content });
  }
  for (const [arn, listener] of state.records<ListenerRecord>("elbv2/listeners").list()) {
    const { loadBalancer, port, certificate, extraCertificates } = listener;
    // Which of them is the default one depends on which was there first.
    const certificates = [...(certificate === undefined ? [] : [certificate]), ...extraCertificates];
    const content = { certificates: certificates.map((each) => all.get(each)?.name ?? "nothing").sort() };
    all.set(arn, { name: `listener ${balancers.get(loadBalancer)?.name}:${port}`, content });
  }
  for (const [key, versions] of state.records<SetVersions>("route53/sets").list()) {
    const set = versions.at(-1)?.set ?? undefined;
    // Name servers are drawn with the zone, and are nobody's to change.
    if (set === undefined || set.Type === "NS" || set.Type === "SOA") continue;
    const suffix = set.SetIdentifier === undefined ? "" : ` ${set.SetIdentifier}`;
    all.set(`record ${key}`, { name: `record ${set.Name} ${set.Type}${suffix}`, content: set });
  }
  return all;
}

/** Records that lead to load balancers: the hostname, and the DNS name of the target, both bare. */
export function aliasRecords(
  resources: ReadonlyMap<string, SystemResource>,
): readonly { readonly hostname: string; readonly target: string }[] {
  return [...resources].flatMap(([id, { content }]) => {
    if (!id.startsWith("record ")) return [];
    const { Name, AliasTarget } = content as RecordSet;
    if (AliasTarget === undefined) return [];
    const hostname = bare(Name).replace(/^\\052\./, "*.");
    return [{ hostname, target: bare(AliasTarget.DNSName).replace(/^dualstack\./, "") }];
  });
}

/** What is wrong with records that lead to load balancers which do not exist. */
export function danglingRecords(resources: ReadonlyMap<string, SystemResource>): readonly string[] {
  const names = new Set([...resources.values()].flatMap(({ aliases = [] }) => aliases.map(bare)));
  return aliasRecords(resources).flatMap(({ hostname, target }) =>
    names.has(target) ? [] : [`the record of ${hostname} leads to ${target}, which does not exist`],
  );
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Which the token of a request is in: drawn anew in each run. */
const REQUEST_TAG = "gatewright.dev/request";

function sorted(tags: Tags): Tags {
  return tags
    .map(([key, value]) => [key, key === REQUEST_TAG ? "<drawn>" : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
