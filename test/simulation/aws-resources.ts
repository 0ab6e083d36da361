import { createMemoryState } from "@gatewright/local-aws";
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
    const content = { certificate, extraCertificates: [...extraCertificates].sort() };
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

/** Load balancers that aliases of records point at though they do not exist. `_` records prove names, and point elsewhere. */
export function danglingRecords(resources: ReadonlyMap<string, SystemResource>): readonly string[] {
  const names = new Set(
    [...resources.values()].flatMap(({ aliases = [] }) => aliases.map((name) => name.toLowerCase())),
  );
  return [...resources.values()].flatMap(({ name, content }) => {
    const target = name.startsWith("record ") ? (content as RecordSet).AliasTarget?.DNSName : undefined;
    if (target === undefined) return [];
    const bare = target
      .toLowerCase()
      .replace(/\.$/, "")
      .replace(/^dualstack\./, "");
    return names.has(bare) ? [] : [`${name} points at ${bare}, which does not exist`];
  });
}

function sorted(tags: Tags): Tags {
  return [...tags].sort(([a], [b]) => (a < b ? -1 : 1));
}
