import type { PublicDns } from "../neighbours.ts";
import { provenName } from "./domain-names.ts";

const AMAZON: ReadonlySet<string> = new Set(["amazon.com", "amazontrust.com", "awstrust.com", "amazonaws.com"]);
const RECORD = /^\s*(\d+)\s+([A-Za-z0-9]+)\s+"?([^"]*)"?\s*$/;

/**
 * Whether CAA records forbid Amazon to issue for a name (RFC 8659): the records of the closest name upwards that has some count.
 * For a wildcard `issuewild` counts before `issue`.
 */
export function isForbiddenByCaa(dns: PublicDns, name: string): boolean {
  const labels = provenName(name).split(".");
  for (let i = 0; i < labels.length; i++) {
    const records = dns.lookup(labels.slice(i).join("."), "CAA").filter(({ type }) => type === "CAA");
    if (records.length > 0)
      return isForbidden(
        records.map(({ value }) => value),
        name.startsWith("*."),
      );
  }
  return false;
}

function isForbidden(values: readonly string[], wildcard: boolean): boolean {
  const parsed = values.flatMap((value) => {
    const [, , tag, content] = RECORD.exec(value) ?? [];
    return tag === undefined || content === undefined ? [] : [{ tag: tag.toLowerCase(), content }];
  });
  const tagged = (tag: string): readonly string[] =>
    parsed.filter((each) => each.tag === tag).map(({ content }) => (content.split(";")[0] ?? "").trim().toLowerCase());
  const wild = wildcard ? tagged("issuewild") : [];
  const relevant = wild.length > 0 ? wild : tagged("issue");
  return relevant.length > 0 && !relevant.some((issuer) => AMAZON.has(issuer));
}
