import { domainsAbove } from "../names/index.ts";

/** What claims wait for, so that news wake those whom they concern and nobody else. */
export interface Topics {
  /** Says what a claim follows; nothing, and it is forgotten. Gives the topics that nobody follows any more. */
  follow(claim: string, topics: readonly string[]): readonly string[];
  followers(topic: string): readonly string[];
}

export const ofZone = (zoneId: string): string => `zone ${zoneId}`;
export const ofCertificate = (arn: string): string => `certificate ${arn}`;
/** LoadBalancerConfigurations that name a certificate which is to be removed. */
export const namingOf = (arn: string): string => `naming ${arn}`;
export const ofGateway = (name: string): string => `gateway ${name}`;
/** Requests for a certificate with this name among others, made by another claim: who has no certificate joins it. */
export const requestWith = (hostname: string): string => `request with ${hostname}`;
/** Deletions that wait for a person's word. */
export const HELD = "held";

const below = (domain: string): string => `below ${domain}`;
const wildcardOf = (domain: string): string => `wildcard of ${domain}`;
const isWildcard = (hostname: string): boolean => hostname.startsWith("*.");

/** Changes of claims that overlap with a hostname: of the wildcards above it, and for a wildcard of all that is below. */
export function overlapsOf(hostname: string): readonly string[] {
  const [domain, ...further] = domainsAbove(hostname);
  if (domain === undefined) return [];
  return isWildcard(hostname) ? [below(domain), ...further.map(wildcardOf)] : [domain, ...further].map(wildcardOf);
}

/** What {@link overlapsOf} has for those whom a change of this hostname's claim concerns. */
export function changeOf(hostname: string): readonly string[] {
  const [domain, ...further] = domainsAbove(hostname);
  if (domain === undefined) return [];
  return isWildcard(hostname) ? [wildcardOf(domain), ...further.map(below)] : [domain, ...further].map(below);
}

/** Lives as long as a process: when it starts, every claim is looked at and says anew what it follows. */
export function createTopics(): Topics {
  const byTopic = new Map<string, Set<string>>();
  const byClaim = new Map<string, readonly string[]>();
  return {
    follow(claim, topics) {
      const before = byClaim.get(claim) ?? [];
      if (before.length === topics.length && before.every((topic, index) => topic === topics[index])) return [];
      for (const topic of before) byTopic.get(topic)?.delete(claim);
      for (const topic of topics) byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(claim));
      if (topics.length === 0) byClaim.delete(claim);
      else byClaim.set(claim, topics);
      const left = before.filter((topic) => byTopic.get(topic)?.size === 0);
      for (const topic of left) byTopic.delete(topic);
      return left;
    },
    followers: (topic) => [...(byTopic.get(topic) ?? [])],
  };
}
