/** Questions to public DNS, for saying why a certificate is not issued. Undefined: it could not be asked. */
export interface PublicDns {
  /** Where a CNAME leads; nothing when there is none. */
  cname(name: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Who may issue certificates for a name: the values of `issue` of the nearest CAA records; nothing when anybody may. */
  issuers(name: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** The name servers that a domain is delegated to. */
  nameServers(domain: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

/** CAA values that let ACM issue. */
const AMAZON: ReadonlySet<string> = new Set(["amazon.com", "amazontrust.com", "awstrust.com", "amazonaws.com"]);

export interface Inspected {
  readonly record: { readonly name: string; readonly value: string };
  readonly hostname: string;
  readonly zone: { readonly name: string; readonly nameServers: readonly string[] } | undefined;
}

/** What stands in the way of a validation, as far as public DNS tells; empty when nothing was found. */
export async function inspectDns(
  dns: PublicDns,
  { record, hostname, zone }: Inspected,
  signal: AbortSignal,
): Promise<string> {
  const issuers = await dns.issuers(hostname.replace(/^\*\./, ""), signal);
  if (issuers !== undefined && issuers.length > 0 && !issuers.some((each) => AMAZON.has(bare(each)))) {
    return `CAA records of ${hostname} let only ${issuers.join(", ")} issue certificates: add one for amazon.com.`;
  }
  const found = await dns.cname(record.name, signal);
  if (found === undefined || found.some((each) => bare(each) === bare(record.value))) return "";
  const delegated = zone === undefined ? undefined : await dns.nameServers(zone.name, signal);
  const own = new Set(zone?.nameServers.map(bare));
  if (delegated !== undefined && !delegated.some((each) => own.has(bare(each)))) {
    const instead = delegated.length === 0 ? "nowhere" : `to ${delegated.join(", ")}`;
    return `Public DNS delegates ${zone?.name} ${instead}, not to the name servers of the zone: ${[...own].join(", ")}.`;
  }
  return found.length === 0 ? "Public DNS does not have it." : `Public DNS answers ${found.join(", ")} instead.`;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
