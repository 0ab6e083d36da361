import { domainName, isWithin, parentName, wildcardBelow } from "./domain-name.ts";
import type { DomainName } from "./domain-name.ts";
import type { ZoneView, ZoneViews } from "./zone-view.ts";

/** A record with its name and type. */
export interface FoundRecord {
  readonly name: DomainName;
  readonly type: string;
  readonly ttl: number;
  readonly value: string;
}

/** What zones say to a question. `answers` has the aliases that were followed (CNAME) first. */
export type Lookup =
  /** No zone here has the name. */
  | { readonly kind: "outside" }
  | { readonly kind: "found"; readonly answers: readonly FoundRecord[] }
  /** The name exists, without records of the type. */
  | { readonly kind: "noData"; readonly zone: ZoneView; readonly answers: readonly FoundRecord[] }
  | { readonly kind: "noName"; readonly zone: ZoneView; readonly answers: readonly FoundRecord[] }
  /** The name belongs to a part that other servers have. */
  | { readonly kind: "delegated"; readonly servers: readonly FoundRecord[]; readonly answers: readonly FoundRecord[] };

/** How many CNAMEs are followed. */
const LONGEST_CHAIN = 16;

/**
 * Answers a question by RFC 1034 and 4592: delegations first, then the name itself, then the wildcard of its closest encloser.
 * CNAMEs are followed as far as the zones here go; a loop ends with what was found on the way.
 */
export function lookup(zones: ZoneViews, name: DomainName, type: string): Lookup {
  const answers: FoundRecord[] = [];
  const seen = new Set<DomainName>();
  let at = name;
  for (;;) {
    const zone = zoneFor(zones, at, type);
    if (!zone) return answers.length === 0 ? { kind: "outside" } : { kind: "found", answers };
    const servers = delegation(zone, at, type);
    if (servers) return { kind: "delegated", servers, answers };
    const source = sourceOf(zone, at);
    if (source === undefined) return { kind: "noName", zone, answers };
    const alias = type === "CNAME" || type === "ANY" ? undefined : zone.records(source, "CNAME")[0];
    if (!alias) {
      const found = recordsAt(zone, source, type, at);
      if (found.length === 0) return { kind: "noData", zone, answers };
      return { kind: "found", answers: [...answers, ...found] };
    }
    answers.push({ name: at, type: "CNAME", ...alias });
    seen.add(at);
    const target = domainName(alias.value);
    if (target === undefined || seen.has(target) || seen.size >= LONGEST_CHAIN) return { kind: "found", answers };
    at = target;
  }
}

/** The zone that answers. Of a zone's own name the DS records are in the zone above. */
function zoneFor(zones: ZoneViews, name: DomainName, type: string): ZoneView | undefined {
  const zone = zones.zoneOf(name);
  if (type !== "DS" || zone?.name !== name) return zone;
  return zones.zoneOf(parentName(name) ?? name) ?? zone;
}

/** Any one type will do for a question about all of them (RFC 8482). */
function recordsAt(zone: ZoneView, source: DomainName, type: string, name: DomainName): FoundRecord[] {
  const types = type === "ANY" ? zone.types(source) : [type];
  for (const each of types) {
    const records = zone.records(source, each);
    if (records.length > 0) return records.map((record) => ({ name, type: each, ...record }));
  }
  return [];
}

/** The servers of the highest cut between the zone's name and the name that was asked for. */
function delegation(zone: ZoneView, name: DomainName, type: string): FoundRecord[] | undefined {
  const between: DomainName[] = [];
  for (let at = name; at !== zone.name && isWithin(at, zone.name); at = parentName(at) ?? zone.name)
    between.unshift(at);
  for (const cut of between) {
    // The parent's side of a cut has the DS records.
    if (cut === name && type === "DS") continue;
    const servers = zone.records(cut, "NS");
    if (servers.length > 0) return servers.map((record) => ({ name: cut, type: "NS", ...record }));
  }
  return undefined;
}

/** Whose records answer for a name: its own, or those of the wildcard below its closest encloser. */
function sourceOf(zone: ZoneView, name: DomainName): DomainName | undefined {
  let encloser = name;
  while (encloser !== zone.name && !zone.exists(encloser)) encloser = parentName(encloser) ?? zone.name;
  if (encloser === name) return name;
  const wildcard = wildcardBelow(encloser);
  return zone.exists(wildcard) ? wildcard : undefined;
}
