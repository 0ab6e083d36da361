import { Resolver } from "node:dns/promises";
import type { PublicDns } from "./public-dns.ts";

/** The part of Node's resolver that is asked. */
export type DnsResolver = Pick<Resolver, "resolveCname" | "resolveCaa" | "resolveNs" | "cancel">;

interface ResolverDnsOptions {
  /** Addresses of the servers that are asked, with a port if it is not 53. Default: those of the machine. */
  readonly servers?: readonly string[];
}

/** A question that takes longer than this, tried twice, counts as one that could not be asked. */
const TIMEOUT_MS = 3_000;
/** There is nothing of the kind: an answer, not a failure. */
const NOTHING: ReadonlySet<unknown> = new Set(["ENODATA", "ENOTFOUND"]);

/** Asks DNS by Node's own resolver. Caches nothing: it is asked once in a while, for hostnames that do not get on. */
export function resolverDns({ servers }: ResolverDnsOptions = {}): PublicDns {
  return dnsBy(() => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    if (servers !== undefined) resolver.setServers([...servers]);
    return resolver;
  });
}

/** The same with resolvers of the caller's making: one for each question, since cancelling one ends all that it was asked. */
export function dnsBy(createResolver: () => DnsResolver): PublicDns {
  const ask = async <T>(
    question: (resolver: DnsResolver) => Promise<readonly T[]>,
    signal: AbortSignal,
  ): Promise<readonly T[] | undefined> => {
    signal.throwIfAborted();
    const resolver = createResolver();
    const cancel = (): void => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await question(resolver);
    } catch (error) {
      signal.throwIfAborted();
      return NOTHING.has((error as { readonly code?: unknown }).code) ? [] : undefined;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
  return {
    cname: (name, signal) => ask((resolver) => resolver.resolveCname(name), signal),
    nameServers: (domain, signal) => ask((resolver) => resolver.resolveNs(domain), signal),
    async issuers(name, signal) {
      const labels = name.split(".");
      for (let above = 0; above < labels.length; above++) {
        const found = await ask((resolver) => resolver.resolveCaa(labels.slice(above).join(".")), signal);
        if (found === undefined) return undefined;
        if (found.length > 0) return found.flatMap(({ issue }) => (issue === undefined ? [] : [issuerOf(issue)]));
      }
      return [];
    },
  };
}

/** Parameters of an issuer follow a semicolon; one that stands alone lets nobody issue. */
function issuerOf(value: string): string {
  const [issuer = ""] = value.split(";");
  return issuer.trim() === "" ? "nobody" : issuer.trim();
}
