import type { DomainName } from "./domain-name.ts";

/** One record of a set that was asked for. */
export interface ZoneRecord {
  readonly ttl: number;
  /** As the API writes values. */
  readonly value: string;
}

/** A zone as DNS sees it at this moment. */
export interface ZoneView {
  readonly name: DomainName;
  /** Whether the name or one below it has records: names between have none of their own and still exist. */
  exists(name: DomainName): boolean;
  /** The records of a set; where there are several to choose from, one is chosen anew. Empty when there are none. */
  records(name: DomainName, type: string): readonly ZoneRecord[];
  /** The types that the name itself has, in order. */
  types(name: DomainName): readonly string[];
}

/** All zones that can be asked. */
export interface ZoneViews {
  /** The zone with the longest name that the name is within. */
  zoneOf(name: DomainName): ZoneView | undefined;
}
